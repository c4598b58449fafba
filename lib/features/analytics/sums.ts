import { fromMicroUsd } from "../../engine/money";
import type { Sums } from "./usage-contract";

/** Sums of generations, as stored and as added up by SQL. */
export interface SumsRow {
  requests: bigint;
  succeeded: bigint;
  failed: bigint;
  blocked: bigint;
  cancelled: bigint;
  spend: bigint;
  tokens_prompt: bigint;
  tokens_completion: bigint;
  tokens_cached: bigint;
  /** Completion tokens and milliseconds of answers whose speed is known. */
  timed_tokens: bigint;
  timed_ms: bigint;
}

export const SUM_COLUMNS = [
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
] as const satisfies readonly (keyof SumsRow)[];

export function addUp(rows: readonly SumsRow[]): SumsRow {
  const total = Object.fromEntries(SUM_COLUMNS.map((name) => [name, 0n])) as unknown as SumsRow;
  for (const row of rows) for (const name of SUM_COLUMNS) total[name] += row[name];
  return total;
}

export const toSums = (row: SumsRow): Sums => ({
  requests: Number(row.requests),
  succeeded: Number(row.succeeded),
  failed: Number(row.failed),
  blocked: Number(row.blocked),
  cancelled: Number(row.cancelled),
  spend_usd: fromMicroUsd(row.spend),
  tokens_prompt: Number(row.tokens_prompt),
  tokens_completion: Number(row.tokens_completion),
  tokens_cached: Number(row.tokens_cached),
  tokens_per_second: row.timed_ms > 0n ? (Number(row.timed_tokens) / Number(row.timed_ms)) * 1000 : null,
});
