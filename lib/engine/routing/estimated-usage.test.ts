import { describe, expect, it } from "vitest";
import { newAccumulated, type AccumulatedResponse } from "../protocols/accumulate";
import { MOST_COUNTED } from "../protocols/read-usage";
import { brokenOffUsage, estimatedUsage, finalUsage } from "./estimated-usage";

const answerOf = (given: Partial<AccumulatedResponse>): AccumulatedResponse => Object.assign(newAccumulated(), given);
const usage = { ...estimatedUsage(10, 5), prompt_tokens_details: { cached_tokens: 3 } };

it("estimates no more tokens than a record has", () => {
  const most = MOST_COUNTED;
  expect(estimatedUsage(1e12, 3e9)).toEqual({ prompt_tokens: most, completion_tokens: most, total_tokens: 2 * most });
});

describe("reported usage", () => {
  it.each<[string, Partial<AccumulatedResponse>, boolean, boolean]>([
    ["a complete answer", {}, true, true],
    ["a finished answer that the client left", { finishReason: "stop" }, false, true],
    ["an answer that broke off", {}, false, false],
    [
      "an answer of which one choice broke off",
      { finishReason: "stop", others: new Map([[1, newAccumulated()]]) },
      false,
      false,
    ],
  ])("of %s", (_name, answer, isComplete, isFinal) => {
    expect(finalUsage(answerOf({ usage, ...answer }), isComplete)).toBe(isFinal ? usage : null);
  });
});

describe("usage of an answer that broke off", () => {
  const prompt = () => Promise.resolve(100);
  it.each<[string, Partial<AccumulatedResponse>, number, object]>([
    ["is estimated", {}, 7, estimatedUsage(100, 7)],
    ["has the reported prompt", { usageSoFar: usage }, 7, { ...usage, ...estimatedUsage(10, 7) }],
    ["has the output reported so far, if it is more", { usage }, 2, { ...usage, ...estimatedUsage(10, 5) }],
    ["has an estimated prompt if 0 is reported", { usageSoFar: estimatedUsage(0, 0) }, 7, estimatedUsage(100, 7)],
  ])("%s", async (_name, answer, output, expected) => {
    expect(await brokenOffUsage(answerOf(answer), prompt, output)).toEqual(expected);
  });
});
