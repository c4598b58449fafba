import { calledOf, choicesOf, type AccumulatedResponse } from "../protocols/accumulate";
import { asObject, asText, type JsonObject } from "../../platform/json-values";
import type { ChatUsage } from "../protocols/contracts/chat-result-contract";
import { MOST_COUNTED } from "../protocols/read-usage";

/** Output tokens per second assumed for an endpoint that hasn't been measured. */
export const TOKENS_PER_SECOND = 50;

/** Returns usage of estimated token counts. */
export function estimatedUsage(prompt: number, completion: number): ChatUsage {
  const [prompt_tokens, completion_tokens] = [Math.min(MOST_COUNTED, prompt), Math.min(MOST_COUNTED, completion)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** Returns usage of a complete answer; null if none was reported, or if the answer broke off. */
export const finalUsage = (answer: AccumulatedResponse, isComplete: boolean): ChatUsage | null =>
  isComplete || choicesOf(answer).every(([, { finishReason }]) => finishReason !== null) ? answer.usage : null;

/**
 * Returns usage of an answer that broke off: the reported prompt tokens, and the larger of estimated and reported
 * output. Some upstreams report 0 for a prompt that they haven't counted yet.
 */
export async function brokenOffUsage(
  { usage, usageSoFar }: Pick<AccumulatedResponse, "usage" | "usageSoFar">,
  promptTokens: () => Promise<number>,
  outputTokens: number,
): Promise<ChatUsage> {
  const reported = usage ?? usageSoFar;
  const reportedPrompt = reported?.prompt_tokens ?? 0;
  return {
    ...reported,
    ...estimatedUsage(
      reportedPrompt > 0 ? reportedPrompt : await promptTokens(),
      Math.max(outputTokens, reported?.completion_tokens ?? 0),
    ),
  };
}

/** Returns the texts of an answer that are billed as output. */
export const responseTexts = (answer: AccumulatedResponse): string[] =>
  choicesOf(answer)
    .flatMap(([, { content, reasoning, refusal, toolCalls, message }]) => [
      content,
      reasoning,
      refusal,
      ...toolCalls.map(calledOf).flatMap(({ name, words }) => [name, words]),
      ...otherTexts(message),
    ])
    .filter((text) => text !== "");

/** Returns the texts of a spoken answer and of a call in the deprecated form. */
function otherTexts({ audio, function_call }: JsonObject): string[] {
  const { name, arguments: args } = asObject(function_call) ?? {};
  return [asObject(audio)?.["transcript"], name, args].flatMap((text) => asText(text) ?? []);
}

/** Returns the ratio of an answer's length to its collected texts. A very long answer isn't collected completely. */
export function uncollectedFactor({ isCut, size }: AccumulatedResponse, texts: readonly string[]): number {
  const collected = texts.reduce((sum, text) => sum + text.length, 0);
  return isCut && collected > 0 ? Math.max(1, size / collected) : 1;
}

/** Estimates the output tokens that an upstream generated before the first one arrived. */
export const unansweredTokens = (
  { ms, maxOutputTokens }: { ms: number; maxOutputTokens: number },
  tokensPerSecond: number = TOKENS_PER_SECOND,
): number => Math.min(maxOutputTokens, Math.ceil((ms / 1000) * tokensPerSecond));
