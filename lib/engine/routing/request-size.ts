import type { RequestSize } from "../budgets/budget-rule";
import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import { textOf } from "../protocols/message-text";
import { responsesToChat } from "../protocols/chat/from-responses";
import type { Asked } from "../protocols/asked";

/** Returns a request's messages in chat completions format; used for storage and size estimates. */
export const messagesOf = (asked: Asked): readonly ChatMessage[] =>
  asked.protocol === "responses" ? responsesToChat(asked.body).messages : asked.body.messages;

/** Returns the request's maximum output tokens. */
export const maxOutputTokens = (asked: Asked): number | null =>
  (asked.protocol === "responses"
    ? asked.body.max_output_tokens
    : (asked.body.max_completion_tokens ?? asked.body.max_tokens)) ?? null;

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
