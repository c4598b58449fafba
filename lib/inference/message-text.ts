import type { ChatMessage } from "./chat-messages-contract";

/** The words of a message's content: its text parts, one a line. */
export function textOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}
