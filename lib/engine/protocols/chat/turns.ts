import type { ChatMessage } from "../contracts/chat-messages-contract";
import { dropOthers, type FieldPath, type Refuse } from "../field-rules";

/** Role of a message's turn; developer messages are instructions like system messages. */
type Speaker = "system" | "user" | "assistant" | "tool";

export type SaidBy<Of extends Speaker> = Extract<
  ChatMessage,
  { role: Of extends "system" | "user" ? "developer" | "system" | "user" : Of }
>;

/** Converts the messages of each speaker, without fields that no protocol accepts. */
export type TurnReaders<Item> = {
  [Of in Speaker]: (message: SaidBy<Of>, path: FieldPath) => Item[];
};

export interface Turn<Item> {
  speaker: Speaker;
  /** The path of its first message. */
  path: FieldPath;
  items: Item[];
}

const SAID: ReadonlySet<string> = new Set(["role", "content"]);
/** Earlier answers in place of text: spoken answers by id, and deprecated calls. */
const UNSAID = ["audio", "function_call"];

/** Fields of an assistant's message, without fields that only describe an earlier answer. */
const ANSWERED: ReadonlySet<string> = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "annotations",
  "images",
  ...UNSAID,
]);
/** `name` repeats the name of the called function. */
const RETURNED: ReadonlySet<string> = new Set(["role", "content", "tool_call_id", "name"]);

/** Converts each message to a separate turn. */
export function readTurns<Item>(
  messages: readonly ChatMessage[],
  readers: TurnReaders<Item>,
  refuse: Refuse,
): Turn<Item>[] {
  return messages.flatMap((message, index): Turn<Item>[] => {
    const path = ["messages", index];
    switch (message.role) {
      case "system":
      case "developer":
        dropOthers(message, SAID, path, refuse);
        return [{ speaker: "system", path, items: readers.system(message, path) }];
      case "user":
        dropOthers(message, SAID, path, refuse);
        return [{ speaker: "user", path, items: readers.user(message, path) }];
      case "assistant":
        for (const name of message.content ? [] : UNSAID)
          if ((message[name] ?? null) !== null) refuse([...path, name], "isn't supported");
        dropOthers(message, ANSWERED, path, refuse);
        return [{ speaker: "assistant", path, items: readers.assistant(message, path) }];
      case "tool":
        dropOthers(message, RETURNED, path, refuse);
        return [{ speaker: "tool", path, items: readers.tool(message, path) }];
      case "function":
        refuse(path, "messages of role `function` aren't supported: use role `tool`");
        return [];
    }
  });
}

/** Separates instructions from the conversation, and merges adjacent turns for which `isOne` is true. */
export function joinTurns<Item>(
  turns: readonly Turn<Item>[],
  isOne: (before: Speaker, next: Speaker) => boolean,
): { instructions: Item[]; conversation: Turn<Item>[] } {
  const conversation: Turn<Item>[] = [];
  for (const turn of turns) {
    const last = conversation.at(-1);
    if (turn.speaker === "system" || turn.items.length === 0) continue;
    if (last && isOne(last.speaker, turn.speaker)) last.items.push(...turn.items);
    else conversation.push({ ...turn, items: [...turn.items] });
  }
  return { instructions: turns.flatMap(({ speaker, items }) => (speaker === "system" ? items : [])), conversation };
}

/** True for turns of one role in protocols with alternating turns, in which users return the results of tools. */
export const isOneRole = (before: Speaker, next: Speaker): boolean =>
  (before === "assistant") === (next === "assistant");

/** Returns the role of a turn in such protocols. */
export const roleOf = ({ speaker }: Turn<unknown>): "user" | "assistant" =>
  speaker === "assistant" ? "assistant" : "user";
