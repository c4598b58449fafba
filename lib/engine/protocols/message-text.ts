import type { ChatMessage } from "./contracts/chat-messages-contract";

/** Returns the text parts of a message's content, joined with newlines. */
export function textOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}
