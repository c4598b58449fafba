import { render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Budget } from "@/lib/records/budgets/contract";
import { BudgetForecast } from "./budget-forecast";

vi.mock("@/components/ui/use-now", () => ({ useNow: () => Date.parse("2026-11-29T12:00:00.000Z") }));
vi.mock("@/components/ui/use-zone", () => ({ useZone: () => "UTC" }));

const NIGHTLY = [{ key_hash: "a".repeat(64), key_name: "nightly", share: 1 }];

const BUDGET: Budget = {
  guardrail_id: null,
  guardrail_name: null,
  limit_id: null,
  limit_name: null,
  workspace_id: null,
  subject: { type: "key", id: "a".repeat(64), name: "nightly" },
  limit_usd: 10,
  raised_usd: 0,
  spent_usd: 4,
  reserved_usd: 0,
  remaining_usd: 6,
  reset_interval: "monthly",
  resets_at: "2026-12-01T00:00:00.000Z",
  forecast: { exhausted_at: null, projected_usd: 5, usd_per_hour: 0.01, contributors: [] },
  alerts: [],
};

it.each([
  ["nothing is left", {}, 0, "Limit reached: paid requests are rejected. Resets Dec 1, 00:00 UTC."],
  ["there is no spend", { usd_per_hour: 0 }, 6, "No recent spend. Resets Dec 1, 00:00 UTC."],
  [
    "a key has spent too little for a rate",
    { usd_per_hour: 0, contributors: NIGHTLY, projected_usd: 4 },
    6,
    "On pace to spend $4.00 of $10.00. Resets Dec 1, 00:00 UTC.",
  ],
  ["a limit has spend of no known keys", {}, 6, "On pace to spend $5.00 of $10.00. Resets Dec 1, 00:00 UTC."],
  [
    "a key spends fast",
    { exhausted_at: "2026-11-30T06:00:00.000Z", contributors: NIGHTLY },
    6,
    "On pace to reach $10.00 on Monday 06:00, 100% from nightly.",
  ],
])("says what is to be expected when %s", (_, forecast, remaining, text) => {
  const budget = { ...BUDGET, remaining_usd: remaining, forecast: { ...BUDGET.forecast, ...forecast } };
  expect(render(<BudgetForecast budget={budget} />).container.textContent).toBe(text);
});
