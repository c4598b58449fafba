import { expect, it } from "vitest";
import type { Prices } from "../../engine/endpoint";
import { estimatedUsage } from "../../engine/routing/estimated-usage";
import type { Attempt } from "../../records/generations/contract";
import { billOf, type Bill, type BilledResponse, type BilledFailure } from "./bill";

const PRICES: Prices = { prompt: "1", completion: "2", request: "0.00001" };
const CHEAP: Prices = { prompt: "0.1", completion: "0.2", request: "0" };
const FREE: Prices = { prompt: "0", completion: "0", request: "0" };
const TIERED: Prices = { ...PRICES, details: { cache_read: "0.5", service_tiers: { flex: "0.5" } } };

const USAGE = estimatedUsage(100, 10);
const CACHED = { ...USAGE, prompt_tokens_details: { cached_tokens: 40 } };

const answer = (given: Partial<BilledResponse> = {}): BilledResponse => ({
  prices: PRICES,
  usage: USAGE,
  billed: given.usage ?? USAGE,
  isEstimated: false,
  serviceTier: null,
  ...given,
});
const failure = (prices: Prices | null, attempt?: number, usage: BilledFailure["usage"] = USAGE): BilledFailure => ({
  endpoint: { prices },
  attempt,
  usage,
});
const attempts = (...estimated: (number | undefined)[]): Attempt[] =>
  estimated.map((estimated_cost, index) => ({
    provider: `p${index}`,
    provider_name: `P${index}`,
    model: "acme/one",
    status: 200,
    latency_ms: index,
    error: null,
    ...(estimated_cost !== undefined && { estimated_cost }),
  }));

type Case = [
  name: string,
  answer: BilledResponse | null,
  failures: BilledFailure[],
  bill: Omit<Bill, "attempts" | "isCostKnown" | "response" | "failures"> & { estimated: (number | undefined)[] },
];
const CASES: Case[] = [
  [
    "an answer",
    answer(),
    [],
    {
      usage: USAGE,
      isEstimated: false,
      costMicroUsd: 130n,
      parts: { prompt: 100n, completion: 20n, request: 10n },
      estimated: [undefined],
    },
  ],
  [
    "an answer whose usage is estimated",
    answer({ isEstimated: true }),
    [],
    {
      usage: USAGE,
      isEstimated: true,
      costMicroUsd: 130n,
      parts: { prompt: 100n, completion: 20n, request: 10n },
      estimated: [undefined],
    },
  ],
  [
    "an answer of a service tier, with cached tokens",
    answer({ prices: TIERED, usage: CACHED, serviceTier: "flex" }),
    [],
    {
      usage: CACHED,
      isEstimated: false,
      costMicroUsd: 60n,
      parts: { prompt: 30n, completion: 10n, cache_read: 10n, request: 10n },
      estimated: [undefined],
    },
  ],
  [
    "an answer after two web searches",
    answer({
      prices: { ...PRICES, details: { web_search: "0.01" } },
      billed: { ...USAGE, server_tool_use: { web_search_requests: 2 } },
    }),
    [],
    {
      usage: USAGE,
      isEstimated: false,
      costMicroUsd: 20_130n,
      parts: { prompt: 100n, completion: 20n, request: 10n, web_search: 20_000n },
      estimated: [undefined],
    },
  ],
  [
    "a free answer",
    answer({ prices: FREE }),
    [],
    { usage: USAGE, isEstimated: false, costMicroUsd: 0n, parts: {}, estimated: [undefined] },
  ],
  [
    "an answer after failures, of which one is billed",
    answer(),
    [failure(PRICES, undefined, null), failure(CHEAP, 1)],
    {
      usage: USAGE,
      isEstimated: false,
      costMicroUsd: 142n,
      parts: { prompt: 100n, completion: 20n, request: 10n, failed_attempts: 12n },
      estimated: [undefined, 0.000_012, undefined],
    },
  ],
  [
    "an answer after failures that are all billed",
    answer(),
    [failure(PRICES, 0), failure(CHEAP, 1)],
    {
      usage: USAGE,
      isEstimated: false,
      costMicroUsd: 272n,
      parts: { prompt: 100n, completion: 20n, request: 10n, failed_attempts: 142n },
      estimated: [0.000_13, 0.000_012, undefined],
    },
  ],
  [
    "an answer after a failure that is billed and free",
    answer(),
    [failure(FREE, 0)],
    {
      usage: USAGE,
      isEstimated: false,
      costMicroUsd: 130n,
      parts: { prompt: 100n, completion: 20n, request: 10n },
      estimated: [undefined, undefined],
    },
  ],
  ["no attempt", null, [], { usage: null, isEstimated: false, costMicroUsd: 0n, parts: {}, estimated: [] }],
  [
    "failures that aren't billed",
    null,
    [failure(PRICES, undefined, null)],
    { usage: null, isEstimated: false, costMicroUsd: 0n, parts: {}, estimated: [undefined] },
  ],
  [
    "failures of which the last is billed",
    null,
    [failure(PRICES, undefined, null), failure(CHEAP, 1)],
    {
      usage: USAGE,
      isEstimated: true,
      costMicroUsd: 12n,
      parts: { failed_attempts: 12n },
      estimated: [undefined, 0.000_012],
    },
  ],
  [
    "failures of which the first is billed",
    null,
    [failure(CHEAP, 0), failure(PRICES, undefined, null)],
    {
      usage: null,
      isEstimated: true,
      costMicroUsd: 12n,
      parts: { failed_attempts: 12n },
      estimated: [0.000_012, undefined],
    },
  ],
];

it.each(CASES)("bills %s", (_, answered, failures, { estimated, ...bill }) => {
  const given = attempts(...estimated.map(() => undefined));
  const { response, failures: failed, ...billed } = billOf(answered, failures, given);
  const each = [...failed, ...(response ? [response] : [])].map(({ costMicroUsd }) => costMicroUsd);
  expect(each.reduce((sum, cost) => sum + cost, 0n)).toBe(bill.costMicroUsd);
  expect(failed).toHaveLength(failures.length);
  expect(billed).toEqual({
    ...bill,
    isCostKnown: true,
    attempts: attempts(...estimated),
  });
  expect(given).toEqual(attempts(...estimated.map(() => undefined)));
});

const UNPRICED: [
  name: string,
  answer: BilledResponse | null,
  failures: BilledFailure[],
  isCostKnown: boolean,
  cost: bigint,
][] = [
  ["an answer without a price", answer({ prices: null }), [], false, 0n],
  ["an answer without a price after a billed failure", answer({ prices: null }), [failure(CHEAP, 0)], false, 12n],
  ["a billed failure without a price", null, [failure(null, 0)], false, 0n],
  ["an answer after a billed failure without a price", answer(), [failure(null, 0)], false, 130n],
  ["an answer after a failure without a price that isn't billed", answer(), [failure(null, 0, null)], true, 130n],
  ["a free answer", answer({ prices: FREE }), [], true, 0n],
];

it.each(UNPRICED)("tells unknown costs from free ones: %s", (_, answered, failures, isCostKnown, costMicroUsd) => {
  expect(billOf(answered, failures, attempts(undefined))).toMatchObject({ isCostKnown, costMicroUsd });
});
