import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxCostMicroUsd, costMicroUsd } from "./price";

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

it.each([
  ["0.4", 1, 1n],
  ["1", 7, 7n],
  ["0.0000000001", 1, 1n],
  ["0", 1_000_000, 0n],
] as const)("at %s USD, %i tokens cost at most %s", (prompt, tokens, cost) => {
  expect(maxCostMicroUsd({ prompt, completion: "0", request: "0" }, usage(tokens, 0))).toBe(cost);
});
