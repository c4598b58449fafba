import { expect, it } from "vitest";
import { sessionTotals, totalsOfSums } from "./session-totals";

const request = (created_at: string, generation_time: number | null) => ({
  created_at,
  generation_time,
  status: "succeeded" as const,
  tokens_completion: 2,
  tokens_prompt: 3,
  total_cost: 0.5,
  cost_known: true,
});

it("adds up requests, from the first to the end of the last", () => {
  expect(
    sessionTotals([
      request("2026-03-10T10:01:00.000Z", 500),
      { ...request("2026-03-10T10:00:00.000Z", null), status: "blocked", tokens_completion: null },
    ]),
  ).toEqual({ requests: 2, unsuccessful: 1, cost: 1, unpriced: 0, tokensPrompt: 6, tokensCompletion: 2, span: 60_500 });
  expect(sessionTotals([])).toMatchObject({ requests: 0, cost: 0, span: 0 });
});

it("counts requests without a price beside the cost of the others", () => {
  const unpriced = { ...request("2026-03-10T10:00:00.000Z", null), total_cost: 0, cost_known: false };
  expect(sessionTotals([unpriced, request("2026-03-10T10:01:00.000Z", 500)])).toMatchObject({ cost: 0.5, unpriced: 1 });
});

it("takes sums over all requests as they are, without the span", () => {
  const sums = {
    requests: 5,
    succeeded: 3,
    failed: 1,
    blocked: 1,
    cancelled: 0,
    spend_usd: 2,
    unpriced_requests: 1,
    tokens_prompt: 7,
    tokens_completion: 8,
    tokens_cached: 0,
    tokens_per_second: null,
  };
  expect(totalsOfSums(sums)).toEqual({
    requests: 5,
    unsuccessful: 2,
    cost: 2,
    unpriced: 1,
    tokensPrompt: 7,
    tokensCompletion: 8,
    span: null,
  });
});
