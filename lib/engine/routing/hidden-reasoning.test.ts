import { describe, expect, it } from "vitest";
import { newAccumulated, type AccumulatedResponse } from "../protocols/accumulate";
import type { Delta } from "../protocols/response-chunk";
import { estimatedUsage } from "./estimated-usage";
import { hiddenTokens, hiddenTokensPerSecond, isResponsePart, mayReason } from "./hidden-reasoning";

const answerOf = (given: Partial<AccumulatedResponse>): AccumulatedResponse => Object.assign(newAccumulated(), given);
const usageOf = (output: number, reasoning_tokens = 0) => ({
  ...estimatedUsage(10, output),
  completion_tokens_details: { reasoning_tokens },
});
const TEXT = "The answer to everything is forty-two. ".repeat(20);

describe("the hidden tokens of an answer", () => {
  it.each<[string, Partial<AccumulatedResponse>, ReturnType<typeof usageOf>, number | null]>([
    ["that shows all of it say nothing", { content: TEXT, size: TEXT.length }, usageOf(180), null],
    ["are its reasoning", { content: "x", size: 1 }, usageOf(20_001, 20_000), 20_000],
    ["are none if its reasoning is shown", { reasoning: TEXT, size: TEXT.length }, usageOf(181, 180), 0],
    ["are more than a summary", { reasoning: "I add.", content: "4", size: 7 }, usageOf(5001, 5000), 4997],
    ["that isn't broken down are the rest of its output", { content: "4", size: 1 }, usageOf(5001), 5000],
    ["that is short say nothing", { content: "4", size: 1 }, usageOf(20), null],
  ])("%s", (_name, answer, usage, expected) => {
    expect(hiddenTokens(answerOf(answer), usage)).toBe(expected);
  });
});

describe("a model", () => {
  const model = (upstreamModel: string, supportedParameters: string[] | null = null) => ({
    upstreamModel,
    supportedParameters,
  });
  it.each([
    ["of which nothing is known", model("acme"), true, 0],
    ["that doesn't take reasoning", model("acme", ["max_tokens"]), false, 0],
    ["that takes reasoning", model("acme", ["reasoning_effort"]), true, 50],
    ["that reasons by its name", model("openai/gpt-5-mini"), true, 50],
    ["that doesn't reason by its name", model("gpt-5.1-chat-latest"), true, 0],
  ])("%s", (_name, given, may, rate) => {
    expect(mayReason(given)).toBe(may);
    expect(hiddenTokensPerSecond(given, undefined, false)).toBe(rate);
    expect(hiddenTokensPerSecond(given, 7, true)).toBe(7);
  });

  it("that shows its reasoning hides none, until it has been measured", () => {
    expect(hiddenTokensPerSecond(model("o3"), undefined, true)).toBe(0);
  });
});

describe("a chunk", () => {
  it.each<[Delta, boolean]>([
    [{ role: "assistant", content: "" }, false],
    [{ role: "assistant", content: null, tool_calls: [] }, false],
    [{ reasoning: "I add." }, false],
    [{ content: "4" }, true],
    [{ tool_calls: [{ index: 0, function: { arguments: "{" } }] }, true],
  ])("of %j is part of the answer: %s", (delta, expected) => {
    expect(isResponsePart({ choices: [{ index: 0, delta, finish_reason: null }] })).toBe(expected);
  });
});
