import { expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { limitOf, subjectsOf } from "../../testing/limits";
import { budgetOf } from "./budget";
import { awaited, exhaustedDecisions, exhaustedDenial } from "./denial";
import { indexLimits, limitRules } from "./limit";
import { durationText, rateHeaders } from "./rate-headers";

const NOW = new Date("2026-11-20T12:00:18.500Z");
const ruleOf = (given: Parameters<typeof limitOf>[0]) => {
  const [rule] = limitRules(indexLimits([limitOf(given)]), subjectsOf({ endUser: "eve", endpoints: [endpointOf()] }));
  if (!rule) throw new Error("no rule");
  return rule;
};
const exhausted = (given: Parameters<typeof limitOf>[0], spentMicroUsd = 60n) => ({
  ...budgetOf(ruleOf(given), NOW),
  spentMicroUsd,
  reservedMicroUsd: 0n,
});
const perMinute = { metric: "requests", interval: "minutely", amount: 60n } as const;
const held = (given: Parameters<typeof limitOf>[0], remaining: bigint) => ({
  budgetId: "b",
  rule: ruleOf(given),
  isBeyond: false,
  remaining,
});

it.each([
  [1, "1ms"],
  [999, "999ms"],
  [1_000, "1s"],
  [41_500, "42s"],
  [60_000, "1m0s"],
  [3_600_000, "1h0m0s"],
  [93_784_000, "26h3m4s"],
])("formats %d ms as OpenAI does: %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it("headers tell what is left of the tightest limit of requests and of tokens", () => {
  const reserved = [
    held({ ...perMinute, id: "a" }, 40n),
    held({ ...perMinute, id: "b", amount: 1_000n, interval: "hourly" }, 7n),
    held({ id: "c", metric: "tokens", interval: "minutely", amount: 9_000n }, 100n),
    held({ id: "d" }, 1n),
  ];
  expect(rateHeaders(reserved, [], NOW)).toEqual([
    ["x-ratelimit-limit-requests", "1000"],
    ["x-ratelimit-remaining-requests", "7"],
    ["x-ratelimit-reset-requests", "59m42s"],
    ["x-ratelimit-limit-tokens", "9000"],
    ["x-ratelimit-remaining-tokens", "100"],
    ["x-ratelimit-reset-tokens", "42s"],
  ]);
  expect(rateHeaders([], [exhausted(perMinute)], NOW)[1]).toEqual(["x-ratelimit-remaining-requests", "0"]);
  expect(rateHeaders([held({}, 1n)], [], NOW)).toEqual([]);
});

it("a limit of requests answers 429 with the time to wait, and names limit and subject", () => {
  const budget = exhausted({ ...perMinute, name: "Default", subject: "end_user" });
  const { status, message, metadata, headers } = exhaustedDenial([budget], [[budget]], NOW);
  expect([status, headers]).toEqual([429, { "retry-after": "42" }]);
  expect(message).toBe(
    'Rate limit exceeded: the limit of 60 requests per minute of limit "Default" (end user eve) is reached; resets at 2026-11-20T12:01:00.000Z',
  );
  expect(metadata).toEqual({
    limits: [
      {
        limit_id: limitOf().id,
        limit_name: "Default",
        subject_id: "eve",
        counted_per: "end_user",
        metric: "requests",
        limit: 60,
        used: 60,
        reserved: 0,
        reset_interval: "minutely",
        window_start: "2026-11-20T12:00:00.000Z",
        resets_at: "2026-11-20T12:01:00.000Z",
      },
    ],
    retry_after: 42,
  });
  expect(exhaustedDecisions([budget], "block")).toEqual([
    {
      scope: "organization",
      guardrail_id: null,
      guardrail_name: null,
      revision: null,
      field: "limit_requests",
      spans: [],
      rule: 'limit of 60 requests per minute of limit "Default" (end user eve)',
      action: "block",
    },
  ]);
});

it("the limit that resets last comes first, and one of money that leaves no endpoint answers 403", () => {
  const spend = exhausted({ id: "s", name: "Money", amount: 60n });
  const both = exhaustedDenial([exhausted(perMinute), spend], undefined, NOW);
  expect([both.status, both.headers]).toEqual([403, undefined]);
  expect(both.message).toMatch(
    /^Budget exhausted: the daily limit of \$0\.00006 of limit "Money" \(the organization\)/,
  );
  const ofProvider = exhausted({ id: "p", subject: "provider", subjectIds: ["acme"] });
  const rate = exhausted(perMinute);
  expect(
    exhaustedDenial([ofProvider, rate], [[ofProvider, rate], [rate]], NOW).status,
    "another one serves after the reset",
  ).toBe(429);
  expect(exhaustedDenial([ofProvider, rate], [[ofProvider, rate]], NOW).status, "there is no other").toBe(403);
  const concurrent = exhausted({ metric: "concurrent_requests", interval: null, amount: 60n });
  expect(exhaustedDenial([concurrent], undefined, NOW)).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  expect(exhaustedDenial([exhausted({ ...perMinute, interval: "daily" })], undefined, NOW).headers).toEqual({
    "retry-after": "43182",
  });
});

it("a client waits for the endpoint that is free first, and there for the limit that resets last", () => {
  const ofModel = { ...perMinute, subject: "model", subjectIds: ["acme/one"] } as const;
  const [minute, hour, day] = [
    exhausted({ ...ofModel, id: "a" }),
    exhausted({ ...ofModel, id: "b", interval: "hourly" }),
    exhausted({ ...ofModel, id: "c", interval: "daily" }),
  ];
  const waiting = [
    [minute, day],
    [minute, hour],
  ];
  expect(exhaustedDenial([minute, hour, day], waiting, NOW).headers).toEqual({ "retry-after": "3582" });
  expect(rateHeaders([], awaited(waiting, NOW), NOW)[2]).toEqual(["x-ratelimit-reset-requests", "59m42s"]);
  const headers = rateHeaders([], [exhausted({ ...perMinute, interval: "daily", id: "d" }), exhausted(perMinute)], NOW);
  expect(headers[2]).toEqual(["x-ratelimit-reset-requests", "11h59m42s"]);
  expect(rateHeaders([], [exhausted(perMinute), exhausted({ ...perMinute, interval: "daily" })], NOW)).toEqual(headers);
});
