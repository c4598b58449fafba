import { expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { sizeOf } from "../../testing/limits";
import type { Endpoint } from "../endpoint";
import { budgetOf, budgetRules } from "./budget";
import { NO_KEY_LIMIT, type ExhaustedBudget } from "./budget-rule";
import { exhaustedDecisions, exhaustedDenial, raisedDecisions } from "./denial";

const NOW = new Date("2026-11-20T12:00:00Z");
const exhausted: ExhaustedBudget[] = budgetRules(
  [layerOf({ id: "g", name: "Team", limit_usd: 5, reset_interval: "monthly" }, "member")],
  {
    keyId: "k",
    userId: "ann",
    key: { limitMicroUsd: 12n, limitReset: null, includeByokInLimit: true },
  },
).map((rule) => ({
  ...budgetOf(rule, NOW),
  spentMicroUsd: rule.source ? 4_500_000n : 12n,
  reservedMicroUsd: rule.source ? 500_000n : 0n,
}));

it("names guardrail, scope, limit, spend, window and reset of every exhausted budget", () => {
  const { status, message, metadata } = exhaustedDenial(exhausted);
  expect(status).toBe(403);
  expect(message).toBe(
    "Budget exhausted: the lifetime limit of $0.000012 of this key is reached: $0.000012 spent; never resets; " +
      'the monthly limit of $5.00 of guardrail "Team" (member, counted per member) is reached: $4.50 spent and $0.50 reserved by running requests (a lower max_tokens reserves less); resets at 2026-12-01T00:00:00.000Z',
  );
  expect(metadata).toEqual({
    budgets: [
      {
        scope: "key",
        guardrail_id: null,
        guardrail_name: null,
        counted_per: "key",
        limit_usd: 0.000012,
        spend_usd: 0.000012,
        reserved_usd: 0,
        reset_interval: null,
        window_start: null,
        resets_at: null,
        include_byok: true,
      },
      {
        scope: "member",
        guardrail_id: "g",
        guardrail_name: "Team",
        counted_per: "member",
        limit_usd: 5,
        spend_usd: 4.5,
        reserved_usd: 0.5,
        reset_interval: "monthly",
        window_start: "2026-11-01T00:00:00.000Z",
        resets_at: "2026-12-01T00:00:00.000Z",
        include_byok: false,
      },
    ],
  });
});

it("adds a decision for each budget's guardrail, or for the key itself", () => {
  expect(exhaustedDecisions(exhausted, "block")).toEqual([
    {
      scope: "member",
      guardrail_id: "g",
      guardrail_name: "Team",
      revision: 1,
      field: "limit_usd",
      rule: "monthly limit of $5.00",
      action: "block",
      spans: [],
    },
    {
      scope: "key",
      guardrail_id: null,
      guardrail_name: null,
      revision: null,
      field: "limit_usd",
      rule: "lifetime limit of $0.000012",
      action: "block",
      spans: [],
    },
  ]);
});

it("a spent limit that is only observed would exclude endpoints, or block without another one", () => {
  const [rule] = budgetRules([layerOf({ id: "g", limit_usd: 5, reset_interval: "monthly", mode: "observe" }, "key")], {
    keyId: "k",
    userId: null,
    key: NO_KEY_LIMIT,
  });
  if (!rule) throw new Error("no rule");
  const held = [{ budgetId: "b", rule, isBeyond: true }];
  const own = endpointOf({ provider: { slug: "own", ownership: "byok" } });
  const actions = (endpoints: Endpoint[]) => raisedDecisions(held, endpoints, sizeOf({})).map(({ action }) => action);
  expect(actions([endpointOf()])).toEqual(["would_block"]);
  expect(actions([endpointOf(), own])).toEqual(["would_exclude"]);
});
