import type { RequestSize } from "../budgets/budget-rule";
import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import { textOf } from "../protocols/message-text";
import { responsesToChat } from "../protocols/chat/from-responses";
import type { InferenceRequest } from "../protocols/inference-request";

/** Returns a request's messages in chat completions format; used for storage and size estimates. */
export const messagesOf = (request: InferenceRequest): readonly ChatMessage[] =>
  request.protocol === "responses" ? responsesToChat(request.body).messages : request.body.messages;

/** Returns the request's maximum output tokens. */
export const maxOutputTokens = (request: InferenceRequest): number | null =>
  (request.protocol === "responses"
    ? request.body.max_output_tokens
    : (request.body.max_completion_tokens ?? request.body.max_tokens)) ?? null;

/** Characters counted for each image, audio clip or file: about a thousand tokens. */
const PART_CHARACTERS = 4000;

const partsWithoutText = ({ content }: ChatMessage): number =>
  Array.isArray(content) ? content.filter((part) => typeof part["text"] !== "string").length : 0;

const callCharacters = (message: ChatMessage): number =>
  message.role === "assistant"
    ? (message.tool_calls ?? []).reduce(
        (sum, { function: { name, arguments: args } }) => sum + name.length + args.length,
        0,
      )
    : 0;

export function requestSize(messages: readonly ChatMessage[], maxOutputTokens: number | null): RequestSize {
  const promptCharacters = messages.reduce(
    (sum, message) =>
      sum + textOf(message.content).length + callCharacters(message) + partsWithoutText(message) * PART_CHARACTERS,
    0,
  );
  return { promptCharacters, maxOutputTokens };
}
