import type { Sums } from "@/lib/features/analytics/usage-contract";
import type { Generation } from "@/lib/records/generations/contract";

type Counted = Pick<
  Generation,
  "cost_known" | "created_at" | "generation_time" | "status" | "tokens_completion" | "tokens_prompt" | "total_cost"
>;

export interface SessionTotals {
  requests: number;
  unsuccessful: number;
  cost: number;
  /** Number of requests with unknown cost. */
  unpriced: number;
  tokensPrompt: number;
  tokensCompletion: number;
  /** Milliseconds from the first request to the end of the last response; null if the first request isn't loaded. */
  span: number | null;
}

/** Totals of a session's requests. */
export function sessionTotals(generations: readonly Counted[]): SessionTotals {
  const starts = generations.map(({ created_at }) => Date.parse(created_at));
  const ends = generations.map(({ created_at, generation_time }) => Date.parse(created_at) + (generation_time ?? 0));
  const sum = (valueOf: (generation: Counted) => number | null) =>
    generations.reduce((total, generation) => total + (valueOf(generation) ?? 0), 0);
  return {
    requests: generations.length,
    unsuccessful: generations.filter(({ status }) => status !== "succeeded").length,
    cost: sum(({ total_cost }) => total_cost),
    unpriced: generations.filter(({ cost_known }) => !cost_known).length,
    tokensPrompt: sum(({ tokens_prompt }) => tokens_prompt),
    tokensCompletion: sum(({ tokens_completion }) => tokens_completion),
    span: generations.length === 0 ? 0 : Math.max(...ends) - Math.min(...starts),
  };
}

/** Totals from sums over all requests, if the first ones aren't loaded. */
export const totalsOfSums = (sums: Sums): SessionTotals => ({
  requests: sums.requests,
  unsuccessful: sums.requests - sums.succeeded,
  cost: sums.spend_usd,
  unpriced: sums.unpriced_requests,
  tokensPrompt: sums.tokens_prompt,
  tokensCompletion: sums.tokens_completion,
  span: null,
});
