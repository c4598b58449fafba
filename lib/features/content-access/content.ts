import { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { textOf } from "../../engine/protocols/message-text";
import type { ContentRow } from "../../records/contents/objects-store";
import { StoredError } from "../../engine/protocols/contracts/stored-error-contract";
import type { GenerationContent } from "./contract";

/** Converts a stored content to an API object. A blocked prompt is revealed only on request. */
export function toContent(
  { input, blockedInput, completion, reasoning, toolCalls, choices, error }: ContentRow,
  { isRevealed }: { isRevealed: boolean },
): GenerationContent {
  const { messages } = ((isRevealed && blockedInput) || input) as { messages: unknown[] };
  return {
    error: error === null ? null : StoredError.parse(error),
    input: { messages: messages.map(toMessage) },
    output: {
      completion: completion ?? "",
      reasoning,
      ...(toolCalls !== null && { tool_calls: toolCalls as { id: string }[] }),
      ...(choices !== null && { choices: choices as { index: number; message: Record<string, unknown> }[] }),
    },
  };
}

/** Converts a stored message to text. Other parts are shown as their type. */
function toMessage(stored: unknown): GenerationContent["input"]["messages"][number] {
  const message = ChatMessage.parse(stored);
  const { content } = message;
  if (typeof content === "string" || !content) return { ...message, content: content ?? "" };
  return {
    ...message,
    content: content.map((part) => (part.type === "text" ? textOf([part]) : `[${part.type}]`)).join("\n"),
  };
}
