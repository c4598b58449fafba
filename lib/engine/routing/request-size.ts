import type { RequestSize } from "../budgets/budget-rule";
import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import { chatMessagesOfMessages } from "../protocols/chat/from-messages";
import { chatMessagesOf } from "../protocols/chat/from-responses";
import type { InferenceRequest } from "../protocols/inference-request";
import { hasOnlyNewerName } from "../protocols/output-limit";
import { serviceTierOf } from "../protocols/upstream-fields";
import type { ApiType } from "../protocols/vocabulary";
import type { BilledRatios } from "../tokens/billed-ratio";
import { partsOfMessages, promptParts, type PromptParts } from "../tokens/prompt-parts";
import { scriptTokens, type TokenCount } from "../tokens/script-tokens";
import { maxWebSearches } from "./web-searches";

/** Returns a request's messages in chat completions format; used for storage. */
export function messagesOf({ protocol, body }: InferenceRequest): readonly ChatMessage[] {
  if (protocol === "messages") return chatMessagesOfMessages(body);
  return protocol === "responses" ? chatMessagesOf(body) : body.messages;
}

/** Returns the request's maximum output tokens. */
export function maxOutputTokens({ protocol, body }: InferenceRequest): number | null {
  if (protocol === "messages") return body.max_tokens ?? null;
  return (protocol === "responses" ? body.max_output_tokens : (body.max_completion_tokens ?? body.max_tokens)) ?? null;
}

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

/** Measures a prompt whose answer may contain `modalities`. */
function promptSize(
  { texts, others, images, hasAudio, isTextOnly }: PromptParts,
  modalities: readonly string[],
): Pick<RequestSize, "prompt" | "images" | "isTextOnly" | "modalities"> {
  const ofTexts = tokensOf(texts);
  return {
    prompt: { expected: ofTexts.expected + others.expected, most: ofTexts.most + others.most },
    images,
    isTextOnly,
    modalities: { audio: hasAudio || modalities.includes("audio"), images: images > 0 || modalities.includes("image") },
  };
}

/** Returns the size of a request, from which its cost is estimated; the messages of embeddings are their inputs. */
export function requestSize(
  request: InferenceRequest,
  ratios: BilledRatios = NO_RATIOS,
  apiType: ApiType = request.protocol,
): RequestSize {
  const isEmbedding = apiType === "embeddings";
  const { prediction, n, modalities } =
    request.protocol === "chat_completions"
      ? request.body
      : { prediction: null, n: 1, modalities: request.protocol === "responses" ? request.body.modalities : [] };
  return {
    ...promptSize(promptParts(request), modalities ?? []),
    choices: n ?? 1,
    serviceTier: serviceTierOf(request) ?? null,
    maxOutputTokens: isEmbedding ? 0 : maxOutputTokens(request),
    isLimitIgnorable: !isEmbedding && hasOnlyNewerName(request),
    webSearches: maxWebSearches(request),
    inputs: isEmbedding ? Math.max(1, messagesOf(request).length) : 1,
    // Predicted tokens that the model rejects are billed as output.
    predictedTokens: prediction ? scriptTokens(JSON.stringify(prediction)).most : 0,
    ratios,
  };
}

/** Returns the size of a recorded request, of which only the messages are known. */
export const recordedSize = (messages: readonly ChatMessage[]): RequestSize => ({
  ...promptSize(partsOfMessages(messages), []),
  choices: 1,
  serviceTier: null,
  maxOutputTokens: null,
  isLimitIgnorable: false,
  webSearches: 0,
  inputs: 1,
  predictedTokens: 0,
  ratios: NO_RATIOS,
});
