import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Prices } from "../endpoint";
import { maxCostMicroUsd, costDetails, costMicroUsd, promptAndCompletion, type BilledUsage } from "./price";

const price = fc.integer({ min: 0, max: 10_000_000 }).map((units) => (units / 1000).toFixed(3));
const count = fc.integer({ min: 0, max: 10_000_000 });
const usage = (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens });

describe("costMicroUsd", () => {
  it.each([
    ["0.5", "1.5", "0", 3, 5, 9n],
    ["0.5", "1.5", "0", 1, 0, 1n],
    ["0.4", "0", "0", 1, 0, 0n],
    ["0.1", "0.2", "0", 3, 1, 1n],
    ["0", "0", "0.005", 9, 9, 5000n],
    ["0.0000000001", "0", "0", 10_000_000, 0, 0n],
    ["0.0000000001", "0", "0", 5_000_000_000, 0, 1n],
    ["0", "0", "0", 9, 9, 0n],
  ])(
    "prompt %s, completion %s, request %s: %i and %i tokens cost %i",
    (prompt, completion, request, inTokens, outTokens, cost) => {
      expect(costMicroUsd({ prompt, completion, request }, usage(inTokens, outTokens))).toBe(cost);
    },
  );

  it("of an answer without usage is zero", () => {
    expect(costMicroUsd({ prompt: "1", completion: "1", request: "1" }, null)).toBe(0n);
  });

  it("is exact to a thousandth", () => {
    fc.assert(
      fc.property(price, price, count, count, (prompt, completion, inTokens, outTokens) => {
        const thousandths =
          BigInt(Math.round(Number(prompt) * 1000)) * BigInt(inTokens) +
          BigInt(Math.round(Number(completion) * 1000)) * BigInt(outTokens);
        expect(costMicroUsd({ prompt, completion, request: "0" }, usage(inTokens, outTokens))).toBe(
          (thousandths + 500n) / 1000n,
        );
      }),
    );
  });
});

const TEXT = { audio: false, images: false };

it.each([
  ["0.4", 1, 1n],
  ["1", 7, 7n],
  ["0.0000000001", 1, 1n],
  ["0", 1_000_000, 0n],
] as const)("at %s USD, %i tokens cost at most %s", (prompt, tokens, cost) => {
  expect(maxCostMicroUsd({ prompt, completion: "0", request: "0" }, usage(tokens, 0), TEXT, null)).toBe(cost);
});

describe("prices as vendors bill", () => {
  const PRICES: Prices = {
    prompt: "10",
    completion: "100",
    request: "0.000005",
    details: {
      cache_read: "1",
      cache_write: "20",
      audio_input: "50",
      audio_output: "500",
      image_output: "300",
      tiers: [
        { above: 1000, prompt: "11", completion: "110", cache_read: "2" },
        { above: 5000, prompt: "12", completion: "120" },
      ],
      service_tiers: { flex: "0.5", priority: "2" },
    },
  };
  const detailed = (prompt: object, completion: object = {}) => ({
    ...usage(100, 10),
    prompt_tokens_details: prompt,
    completion_tokens_details: completion,
  });

  it.each<[string, BilledUsage, string | null, bigint]>([
    ["text", usage(100, 10), null, 2005n],
    ["cached reads", detailed({ cached_tokens: 60 }), null, 1465n],
    ["cache writes", detailed({ cache_write_tokens: 10 }), null, 2105n],
    ["cache writes under another name", detailed({ cache_creation_input_tokens: 10 }), null, 2105n],
    ["audio in and out", detailed({ audio_tokens: 10 }, { audio_tokens: 5 }), null, 4405n],
    ["images without a price of their own", detailed({ image_tokens: 10 }), null, 2005n],
    ["images in the output", detailed({}, { image_tokens: 10 }), null, 4005n],
    ["reasoning without a price of its own", detailed({}, { reasoning_tokens: 9 }), null, 2005n],
    ["no more of a kind than the total", detailed({ cached_tokens: 500, audio_tokens: 500 }), null, 1105n],
    ["details that aren't numbers", detailed({ cached_tokens: "60", audio_tokens: -4 }), null, 2005n],
    ["the end of a step", usage(1000, 0), null, 10_005n],
    ["a step, for the whole prompt", usage(1001, 0), null, 11_016n],
    ["the last step", usage(6000, 1), null, 72_125n],
    ["a step's cached reads", { ...usage(2000, 0), prompt_tokens_details: { cached_tokens: 1000 } }, null, 13_005n],
    ["a cheaper service tier, but not its fee", usage(100, 10), "flex", 1005n],
    ["a dearer service tier", usage(100, 10), "priority", 4005n],
    ["a service tier without a factor", usage(100, 10), "default", 2005n],
  ])("of %s", (_name, billed, serviceTier, cost) => {
    expect(costMicroUsd(PRICES, billed, serviceTier)).toBe(cost);
    const parts = Object.values(costDetails(PRICES, billed, serviceTier));
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(cost);
  });

  it("count web searches, at the same price in every service tier", () => {
    const prices: Prices = { ...PRICES, details: { ...PRICES.details, web_search: "0.01" } };
    const billed = { ...usage(100, 10), server_tool_use: { web_search_requests: 3 } };
    expect(costMicroUsd(PRICES, billed)).toBe(2005n);
    expect(costMicroUsd(prices, billed)).toBe(32_005n);
    expect(costMicroUsd(prices, billed, "flex")).toBe(31_005n);
    expect(costDetails(prices, billed, null)).toMatchObject({ web_search: 30_000n });
  });

  const HOURLY: Prices = { ...PRICES, details: { ...PRICES.details, cache_write_1h: "40" } };

  it("count cache writes for an hour once, as part of all writes", () => {
    const billed = detailed({ cache_write_tokens: 10, cache_write_1h_tokens: 4 });
    expect(costMicroUsd(PRICES, billed)).toBe(2105n);
    expect(costMicroUsd(HOURLY, billed)).toBe(2185n);
    expect(costDetails(HOURLY, billed, null)).toMatchObject({ cache_write: 120n, cache_write_1h: 160n });
  });

  it("names the parts that cost something", () => {
    const billed = detailed({ cached_tokens: 60 }, { audio_tokens: 10 });
    expect(costDetails(PRICES, billed, null)).toEqual({
      prompt: 400n,
      cache_read: 60n,
      audio_output: 5000n,
      request: 5n,
    });
    expect(promptAndCompletion(costDetails(PRICES, billed, null))).toEqual({ prompt: 460n, completion: 5000n });
  });

  it("never exceed the highest possible cost of their size", () => {
    const kinds = fc.record({
      cached_tokens: count,
      cache_write_tokens: count,
      cache_write_1h_tokens: count,
      audio_tokens: count,
      image_tokens: count,
    });
    const size = fc.integer({ min: 0, max: 10_000 });
    const tier = fc.constantFrom("flex", "priority", "default");
    const list = fc.constantFrom(PRICES, HOURLY);
    fc.assert(
      fc.property(
        list,
        fc.tuple(size, size),
        kinds,
        kinds,
        tier,
        (prices, sizes, promptKinds, completionKinds, serviceTier) => {
          const billed = {
            ...usage(...sizes),
            prompt_tokens_details: promptKinds,
            completion_tokens_details: completionKinds,
          };
          const most = maxCostMicroUsd(prices, usage(10_000, 10_000), { audio: true, images: true }, serviceTier);
          expect(costMicroUsd(prices, billed, serviceTier) <= most).toBe(true);
        },
      ),
    );
  });

  it.each([
    [TEXT, null, usage(100, 10), 3005n],
    [{ audio: true, images: false }, null, usage(100, 10), 10_005n],
    [{ audio: false, images: true }, null, usage(100, 10), 5005n],
    [TEXT, "flex", usage(100, 10), 3005n],
    [TEXT, "priority", usage(100, 10), 6005n],
    [TEXT, "auto", usage(100, 10), 6005n],
    [TEXT, null, usage(1001, 0), 20_025n],
  ])("with %j in tier %s are at most", (modalities, serviceTier, tokens, most) => {
    expect(maxCostMicroUsd(PRICES, tokens, modalities, serviceTier)).toBe(most);
  });
});
