import "server-only";
import type { Context } from "../../platform/context";
import { includesWorkspace, workspacesWith } from "../../platform/grants";
import type { Input, Result } from "../../platform/http/operation";
import { fromMicroUsd } from "../../engine/money";
import { Prisma } from "../../../prisma/generated/client";
import { findPreset } from "./service";
import { DEFAULT_USAGE_DAYS, type getPresetUsage } from "./usage-contract";

const DAY_MS = 86_400_000;

interface UsageRow {
  version: number;
  requests: number;
  succeeded: number;
  failed: number;
  blocked: number;
  cancelled: number;
  cost: bigint;
  last_used_at: Date;
}

/**
 * Returns the usage of each version in a time range, using the preset's index. Without the permission for its
 * workspace, a member's session counts only that member's requests.
 */
export async function usage(
  context: Context,
  input: Input<typeof getPresetUsage>,
): Promise<Result<typeof getPresetUsage>> {
  const { caller, db, now } = context;
  const preset = await findPreset(db, context, input);
  const to = input.query.to ? new Date(input.query.to) : now;
  const from = input.query.from ? new Date(input.query.from) : new Date(to.getTime() - DEFAULT_USAGE_DAYS * DAY_MS);
  const seesAll = includesWorkspace(workspacesWith(caller, "analytics:read"), preset.workspaceId);
  const userId = caller.kind === "session" ? caller.userId : null;
  const own = seesAll ? Prisma.empty : Prisma.sql`AND user_id = ${userId}`;
  const rows = await db.$queryRaw<UsageRow[]>`
    SELECT preset_version AS version,
      count(*)::int AS requests,
      count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
      count(*) FILTER (WHERE status = 'failed')::int AS failed,
      count(*) FILTER (WHERE status = 'blocked')::int AS blocked,
      count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
      sum(cost_micro_usd)::bigint AS cost,
      max(created_at) AS last_used_at
    FROM generations
    WHERE preset_id = ${preset.id}::uuid AND preset_version IS NOT NULL
      AND created_at >= ${from}::timestamptz AND created_at < ${to}::timestamptz ${own}
    GROUP BY preset_version ORDER BY preset_version`;
  const data = rows.map(({ cost, last_used_at, ...counts }) => ({
    ...counts,
    cost_usd: fromMicroUsd(cost),
    last_used_at: last_used_at.toISOString(),
  }));
  return { data, from: from.toISOString(), to: to.toISOString() };
}
