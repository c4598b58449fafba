import type { RequestSize } from "../budgets/budget-rule";
import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import { chatMessagesOf } from "../protocols/chat/from-responses";
import type { InferenceRequest } from "../protocols/inference-request";
import { serviceTierOf } from "../protocols/upstream-fields";
import type { BilledRatios } from "../tokens/billed-ratio";
import { partsOfMessages, promptParts, type PromptParts } from "../tokens/prompt-parts";
import { scriptTokens, type TokenCount } from "../tokens/script-tokens";

/** Returns a request's messages in chat completions format; used for storage. */
export const messagesOf = (request: InferenceRequest): readonly ChatMessage[] =>
  request.protocol === "responses" ? chatMessagesOf(request.body) : request.body.messages;

/** Returns the request's maximum output tokens. */
export const maxOutputTokens = (request: InferenceRequest): number | null =>
  (request.protocol === "responses"
    ? request.body.max_output_tokens
    : (request.body.max_completion_tokens ?? request.body.max_tokens)) ?? null;

/** Returns the tokens of several texts together. */
export function tokensOf(texts: readonly string[]): TokenCount {
  const sum = { expected: 0, most: 0 };
  for (const text of texts) {
    const { expected, most } = scriptTokens(text);
    sum.expected += expected;
    sum.most += most;
  }
  return sum;
}

const NO_RATIOS: BilledRatios = new Map();

function sizeOf(
  { texts, others, images, hasAudio }: PromptParts,
  { draws, ...limits }: Omit<RequestSize, "prompt" | "images" | "modalities"> & { draws: readonly string[] },
): RequestSize {
  const ofTexts = tokensOf(texts);
  return {
    prompt: { expected: ofTexts.expected + others.expected, most: ofTexts.most + others.most },
    images,
    modalities: { audio: hasAudio || draws.includes("audio"), images: images > 0 || draws.includes("image") },
    ...limits,
  };
}

/** Returns the size of a request, from which its cost is estimated. */
export function requestSize(request: InferenceRequest, ratios: BilledRatios = NO_RATIOS): RequestSize {
  const prediction = request.protocol === "responses" ? null : request.body.prediction;
  return sizeOf(promptParts(request), {
    draws: request.body.modalities ?? [],
    choices: request.protocol === "responses" ? 1 : (request.body.n ?? 1),
    serviceTier: serviceTierOf(request.body) ?? null,
    maxOutputTokens: maxOutputTokens(request),
    // Predicted tokens that the model rejects are billed as output.
    predictedTokens: prediction ? scriptTokens(JSON.stringify(prediction)).most : 0,
    ratios,
  });
}

/** Returns the size of a recorded request, of which only the messages are known. */
export const recordedSize = (messages: readonly ChatMessage[]): RequestSize =>
  sizeOf(partsOfMessages(messages), {
    draws: [],
    choices: 1,
    serviceTier: null,
    maxOutputTokens: null,
    predictedTokens: 0,
    ratios: NO_RATIOS,
  });
