import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Exception } from "../../engine/policy/exception";

const sql = Prisma.sql;

/** A row of `exceptions` as JSON; null without any. */
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

/** Of a key's own limit. */
export const OWN_RAISE = sql`kind = 'raise_limit' AND guardrail_id IS NULL`;

const notEnded = (at: Date) => sql`expires_at > ${at} AND (ended_at IS NULL OR ended_at > ${at})`;

/**
 * The exceptions of somebody that may hold at a time, as a value inside a larger statement: what runs before every inference
 * asks once. Which of them do hold is decided by `isActive`.
 */
export const activeExceptions = (whose: Prisma.Sql, at: Date): Prisma.Sql => sql`
  (SELECT jsonb_agg(to_jsonb(exceptions) ORDER BY id) FROM exceptions WHERE (${whose}) AND ${notEnded(at)})`;

/** What exceptions raise a limit by now, micro-USD, as a value inside a larger statement. */
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

/** Those that raise a key's own limit at a time. */
export async function ownRaises(db: Database, keyId: string, at: Date): Promise<Exception[]> {
  const rows = await db.$queryRaw<
    { raises: ExceptionsJson }[]
  >`SELECT ${activeExceptions(sql`key_id = ${keyId}::uuid AND ${OWN_RAISE}`, at)} AS raises`;
  return toExceptions(rows[0]?.raises);
}

/** What an exception belongs to is deleted: it ends, too. */
export const endAll = (
  db: Database,
  whose: { keyId: string } | { userId: string } | { guardrailId: string },
  now: Date,
) => db.exception.updateMany({ where: { ...whose, endedAt: null, expiresAt: { gt: now } }, data: { endedAt: now } });
