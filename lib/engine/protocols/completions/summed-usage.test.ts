import { expect, it } from "vitest";
import { summedUsage } from "./summed-usage";

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

it("adds counts, parts of them and costs", () => {
  expect(
    summedUsage([
      { ...usage, cost: 0.1, is_byok: false, prompt_tokens_details: { cached_tokens: 1 } },
      { ...usage, cost: 0.2, is_byok: true, prompt_tokens_details: null, cost_details: { request: 0.3 } },
    ]),
  ).toEqual({
    prompt_tokens: 2,
    completion_tokens: 4,
    total_tokens: 6,
    cost: 0.3,
    is_byok: true,
    prompt_tokens_details: { cached_tokens: 1 },
    cost_details: { request: 0.3 },
  });
});

it("of answers without usage is unknown", () => {
  expect(summedUsage([usage, undefined])).toBeUndefined();
  expect(summedUsage([])).toBeUndefined();
});

it("has no cost if one of them is unknown", () => {
  const known = { ...usage, cost: 0.1, cost_details: { request: 0.1 } };
  expect(summedUsage([known, usage])).toEqual({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 });
});
