import "server-only";
import { Prisma } from "../../../prisma/generated/client";

/**
 * Builds the CTE that adds generations to their keys' daily spend; `recorded` names their rows (key_id, created_at,
 * is_byok, cost_micro_usd). Rows are locked in key order.
 */
export const spendingDays = (recorded: Prisma.Sql): Prisma.Sql => Prisma.sql`
  spent AS (
    INSERT INTO key_spend_days (key_id, day, is_byok, cost_micro_usd, last_used_at)
    SELECT key_id, (created_at AT TIME ZONE 'UTC')::date AS day, is_byok, sum(cost_micro_usd)::bigint, max(created_at)
    FROM ${recorded} WHERE key_id IS NOT NULL
    GROUP BY key_id, day, is_byok ORDER BY key_id, day, is_byok
    ON CONFLICT (key_id, day, is_byok) DO UPDATE SET
      cost_micro_usd = key_spend_days.cost_micro_usd + excluded.cost_micro_usd,
      last_used_at = greatest(key_spend_days.last_used_at, excluded.last_used_at)
  )`;
