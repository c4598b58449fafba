import "server-only";
import { lacksPermission } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { holds } from "../../platform/grants";
import type { Result } from "../../platform/http/operation";
import { fromMicroUsd } from "../../engine/money";
import { UNLIMITED_CREDITS, type getCredits } from "./credits-contract";
import { keyParts, toKey } from "./rows";
import { usageOf } from "./usage-store";

/** Returns the spend and limit of an inference key; for other callers, the spend of the organization's keys. */
export async function get(context: Context): Promise<Result<typeof getCredits>> {
  const { caller, db, now } = context;
  if (caller.kind !== "key" || caller.keyKind === "management") {
    if (!holds(caller, "analytics:read")) throw lacksPermission("analytics:read");
    const [sum] = await db.$queryRaw<{ total: bigint }[]>`
      SELECT coalesce(sum(cost_micro_usd), 0)::bigint AS total
      FROM key_spend_days JOIN keys ON keys.id = key_spend_days.key_id
      WHERE keys.organization_id = ${caller.organizationId}::uuid`;
    return credits(fromMicroUsd(sum?.total ?? 0n), null);
  }
  const row = await db.key.findUniqueOrThrow({ where: { id: caller.keyId }, include: keyParts(now) });
  const { usage, byok_usage, limit_remaining } = toKey(row, (await usageOf(db, [row], now))(row));
  return credits(usage + byok_usage, limit_remaining);
}

const credits = (used: number, left: number | null): Result<typeof getCredits> => ({
  data: {
    total_credits: left === null ? UNLIMITED_CREDITS : used + left,
    total_usage: used,
    is_limited: left !== null,
  },
});
