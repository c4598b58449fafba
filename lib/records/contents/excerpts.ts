import { textOf } from "../../engine/protocols/message-text";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";

/** As many characters as a preview reads. */
const EXCERPT_CHARACTERS = 2_000;

/** Parts of a content in an object that stay in the database: the beginnings that previews show. */
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
