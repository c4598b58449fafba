import { textOf } from "../../engine/protocols/message-text";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";

/** Number of characters that a preview reads. */
const EXCERPT_CHARACTERS = 2_000;

/**
 * Returns the beginnings of a content that previews show. They stay in the database when the content moves to an
 * object.
 */
export function excerptsOf(messages: readonly ChatMessage[], completion: string | null) {
  const first = messages.find(({ role }) => role === "user");
  const content = first && textOf(first.content).slice(0, EXCERPT_CHARACTERS);
  return {
    input: { messages: content === undefined ? [] : [{ role: "user", content }] },
    blocked_input: null,
    completion: completion === null ? null : completion.slice(0, EXCERPT_CHARACTERS),
    reasoning: null,
    tool_calls: null,
    choices: null,
    error: null,
    items: null,
  };
}
