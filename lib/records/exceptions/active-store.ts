import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Exception } from "../../engine/policy/exception";

const sql = Prisma.sql;

/** Rows of `exceptions` as JSON, or null. */
export type ExceptionsJson =
  | {
      id: string;
      key_id: string | null;
      user_id: string | null;
      guardrail_id: string | null;
      kind: Exception["kind"];
      field: string | null;
      rule: string | null;
      raise_micro_usd: number | null;
      phrase: string | null;
      reason: string;
      created_at: string;
      expires_at: string;
      ended_at: string | null;
    }[]
  | null;

/** Condition for raises of a key's own limit. */
export const OWN_RAISE = sql`kind = 'raise_limit' AND guardrail_id IS NULL`;

const notEnded = (at: Date) => sql`expires_at > ${at} AND (ended_at IS NULL OR ended_at > ${at})`;

/**
 * SQL for exceptions of a subject that may be active, as a subquery of the statement before every inference request.
 * `isActive` makes the final decision.
 */
export const activeExceptions = (whose: Prisma.Sql, at: Date): Prisma.Sql => sql`
  (SELECT jsonb_agg(to_jsonb(exceptions) ORDER BY id) FROM exceptions WHERE (${whose}) AND ${notEnded(at)})`;

/** SQL for the total amount by which exceptions currently raise a limit, in micro-USD. */
export const raisedMicroUsd = (whose: Prisma.Sql, now: Date): Prisma.Sql => sql`
  coalesce((SELECT sum(raise_micro_usd) FROM exceptions WHERE kind = 'raise_limit' AND (${whose}) AND ${notEnded(now)}), 0)::bigint`;

export const toExceptions = (rows: ExceptionsJson | undefined): Exception[] =>
  (rows ?? []).map((row) => ({
    id: row.id,
    keyId: row.key_id,
    userId: row.user_id,
    guardrailId: row.guardrail_id,
    kind: row.kind,
    field: row.field,
    rule: row.rule,
    raiseMicroUsd: row.raise_micro_usd === null ? null : BigInt(row.raise_micro_usd),
    phrase: row.phrase,
    reason: row.reason,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  }));

/** Returns active raises of a key's own limit. */
export async function ownRaises(db: Database, keyId: string, at: Date): Promise<Exception[]> {
  const rows = await db.$queryRaw<
    { raises: ExceptionsJson }[]
  >`SELECT ${activeExceptions(sql`key_id = ${keyId}::uuid AND ${OWN_RAISE}`, at)} AS raises`;
  return toExceptions(rows[0]?.raises);
}

/** Ends the exceptions of a deleted key, member or guardrail. */
export const endAll = (
  db: Database,
  whose: { keyId: string } | { userId: string } | { guardrailId: string },
  now: Date,
) => db.exception.updateMany({ where: { ...whose, endedAt: null, expiresAt: { gt: now } }, data: { endedAt: now } });
