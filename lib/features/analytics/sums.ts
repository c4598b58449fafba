import { fromMicroUsd } from "../../engine/money";
import type { Sums } from "./usage-contract";

/** Names of sums: measures, and requests by status. */
const SUM_NAMES = [
  "requests",
  "succeeded",
  "failed",
  "blocked",
  "cancelled",
  "spend",
  "tokens_prompt",
  "tokens_completion",
  "tokens_cached",
  "timed_tokens",
  "timed_ms",
  "unpriced",
] as const;

export type SumsRow = Record<(typeof SUM_NAMES)[number], bigint>;

export function addUp(rows: readonly SumsRow[]): SumsRow {
  const sum = (name: (typeof SUM_NAMES)[number]) => rows.reduce((total, row) => total + row[name], 0n);
  return Object.fromEntries(SUM_NAMES.map((name) => [name, sum(name)])) as SumsRow;
}

export const toSums = (row: SumsRow): Sums => ({
  requests: Number(row.requests),
  succeeded: Number(row.succeeded),
  failed: Number(row.failed),
  blocked: Number(row.blocked),
  cancelled: Number(row.cancelled),
  spend_usd: fromMicroUsd(row.spend),
  unpriced_requests: Number(row.unpriced),
  tokens_prompt: Number(row.tokens_prompt),
  tokens_completion: Number(row.tokens_completion),
  tokens_cached: Number(row.tokens_cached),
  tokens_per_second: row.timed_ms > 0n ? (Number(row.timed_tokens) / Number(row.timed_ms)) * 1000 : null,
});
