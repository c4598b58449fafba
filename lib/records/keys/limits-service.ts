import "server-only";
import type { Key as KeyRow } from "../../../prisma/generated/client";
import { recordChanges } from "../../platform/audit/store";
import { recomputeSpend } from "../budgets/balances-store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import type { bulkSetKeyLimits, LimitConflict } from "./limits-contract";
import { affectsCountedSpend } from "./rules";
import { toAuditedKey, toColumns } from "./rows";
import { permittedKeys } from "./reach-rows";
import { ownBudget } from "./usage-store";

type Given = Input<typeof bulkSetKeyLimits>["body"]["keys"][number];
type Limit = Pick<Given, "limit" | "limit_reset">;

const limitOf = (row: KeyRow): Limit => {
  const { limit, limit_reset } = toAuditedKey(row);
  return { limit, limit_reset };
};
const isSame = (a: Limit, b: Limit) => a.limit === b.limit && a.limit_reset === b.limit_reset;

/** Locks all keys before comparing any, so that an undo is all or nothing. */
export async function setLimits(
  context: Context,
  { query, body }: Input<typeof bulkSetKeyLimits>,
): Promise<Result<typeof bulkSetKeyLimits>> {
  return inTransaction(context.db, async (db) => {
    const rows = await lockKeys(
      db,
      context,
      body.keys.map(({ key_hash }) => key_hash),
      ["keys"],
    );
    if (body.expected) refuseUnexpected(body.expected, rows);
    const changed = body.keys.flatMap((wanted) => {
      const row = rows.get(wanted.key_hash);
      return row && !isSame(limitOf(row), wanted) ? [{ row, wanted }] : [];
    });
    if (query.dry_run === "false") await write(db, context, changed);
    return {
      changed_count: changed.length,
      previous: changed.map(({ row }) => ({ key_hash: row.hash, ...limitOf(row) })),
    };
  });
}

/** Returns locked keys by hash, or 400 at `path` if any is missing or foreign. */
export async function lockKeys(
  db: Database,
  context: Context,
  hashes: string[],
  path: string[],
): Promise<ReadonlyMap<string, KeyRow>> {
  const { organizationId } = context.caller;
  await db.$queryRaw`SELECT 1 AS locked FROM keys WHERE hash = ANY(${hashes}::text[]) AND organization_id = ${organizationId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const rows = await db.key.findMany({ where: { ...permittedKeys(context, "keys:write"), hash: { in: hashes } } });
  const known = new Map(rows.map((row) => [row.hash, row]));
  const unknown = hashes.filter((hash) => !known.has(hash));
  if (unknown.length > 0) throw invalid([{ path, message: "contains unknown keys", code: "custom" }], { unknown });
  return known;
}

function refuseUnexpected(expected: Limit, rows: ReadonlyMap<string, KeyRow>): void {
  const conflicts = [...rows.values()]
    .filter((row) => !isSame(limitOf(row), expected))
    .map((row): LimitConflict => ({ key_hash: row.hash, name: row.name, ...limitOf(row) }));
  if (conflicts.length > 0)
    throw conflict("Some keys don't have the limit in `expected`. Nothing was changed: get the keys again and retry", {
      conflicts,
    });
}

async function write(
  db: Database,
  context: Context,
  changed: readonly { row: KeyRow; wanted: Given }[],
): Promise<void> {
  const { now } = context;
  const written: { before: KeyRow; after: KeyRow }[] = [];
  for (const { row, wanted } of changed) {
    const { limitMicroUsd, limitReset } = toColumns(wanted);
    const after = await db.key.update({ where: { id: row.id }, data: { limitMicroUsd, limitReset, updatedAt: now } });
    const budget = ownBudget(after, now);
    if (budget && affectsCountedSpend(row, after)) await recomputeSpend(db, budget, now);
    written.push({ before: row, after });
  }
  await recordChanges(
    db,
    context,
    written.map(({ before, after }) => ({
      action: "key.update",
      target: { type: "key", id: after.id, name: after.name },
      workspaceId: after.workspaceId,
      before: toAuditedKey(before),
      after: toAuditedKey(after),
    })),
  );
}
