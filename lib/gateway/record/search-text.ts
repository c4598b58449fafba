import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { textOf } from "../../engine/protocols/message-text";

const SEARCHABLE_CHARACTERS = 200_000;
/** Begins a tag, which PostgreSQL's parser reads across spaces. */
const TAG = "<";

/**
 * The words of a prompt and its completion, each once: most of the database's time for a record is parsing them. Searches for
 * phrases read the content itself.
 */
export function searchText(messages: readonly ChatMessage[], completion: string): string {
  const text = [...messages.map(({ content }) => textOf(content)), completion]
    .join("\n")
    .slice(0, SEARCHABLE_CHARACTERS);
  return text.includes(TAG) ? text : [...new Set(text.replace(/[\t\r\n]/g, " ").split(" "))].join(" ");
}
