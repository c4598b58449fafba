import { expect, it } from "vitest";
import { alertText } from "./alert-text";
import type { Budget } from "./contract";

const budget: Budget = {
  guardrail_id: null,
  guardrail_name: "Production",
  limit_id: null,
  limit_name: null,
  workspace_id: "01980000-0000-7000-8000-000000000000",
  subject: { type: "member", id: "user_1", name: "Ann Lee" },
  limit_usd: 50,
  raised_usd: 0,
  spent_usd: 41,
  reserved_usd: 0,
  remaining_usd: 9,
  reset_interval: "monthly",
  resets_at: "2026-12-01T00:00:00.000Z",
  forecast: {
    exhausted_at: "2026-11-26T14:00:00.000Z",
    projected_usd: null,
    usd_per_hour: 0.2,
    contributors: [{ key_hash: "h", key_name: "nightly-eval", share: 0.714 }],
  },
  alerts: [],
};

it.each<[string, Partial<Budget>, number, string]>([
  [
    "used up before it resets",
    {},
    80,
    "Production: member Ann Lee has used 80% of $50.00 per month. At this rate, $50.00 is reached on Thursday 14:00 UTC. 71% of the spend is from key nightly-eval.",
  ],
  [
    "lasting",
    { forecast: { ...budget.forecast, exhausted_at: null, projected_usd: 30 } },
    50,
    "Production: member Ann Lee has used 50% of $50.00 per month. It resets on Tuesday 00:00 UTC, before the limit is reached at this rate. 71% of the spend is from key nightly-eval.",
  ],
  [
    "without a forecast",
    { forecast: { ...budget.forecast, exhausted_at: null } },
    50,
    "Production: member Ann Lee has used 50% of $50.00 per month. It resets on Tuesday 00:00 UTC. 71% of the spend is from key nightly-eval.",
  ],
  [
    "more than a year left and no reset",
    { resets_at: null, reset_interval: null, forecast: { ...budget.forecast, exhausted_at: null } },
    50,
    "Production: member Ann Lee has used 50% of $50.00. It never resets; at this rate, it lasts for more than a year. 71% of the spend is from key nightly-eval.",
  ],
  [
    "a key's own limit, exhausted",
    { guardrail_name: null, remaining_usd: 0, subject: { type: "key", id: "h", name: "nightly-eval" } },
    100,
    "Own limit: key nightly-eval has used all of $50.00 per month. It resets on Tuesday 00:00 UTC. 71% of the spend is from key nightly-eval.",
  ],
])("%s", (_, change, percent, text) => {
  expect(alertText({ ...budget, ...change }, percent)).toBe(text);
});
