import type { ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { asObject, asText, type JsonObject } from "../broken-answer";
import { refuseOthers, type Draft, type FieldPath, type Refuse } from "../field-rules";
import { textBlock, toBlock, toBlocks } from "./blocks-from-chat";
import { CallIds } from "./call-ids";
import { toThinkingBlocks } from "./thinking-details";
import { TOOL_NAME, TOOL_NAME_RULE } from "./tools-from-chat";

interface Turn {
  role: "user" | "assistant";
  content: JsonObject[];
}

type Said<Role extends ChatMessage["role"]> = Extract<ChatMessage, { role: Role }>;

const SAID: ReadonlySet<string> = new Set(["role", "content"]);
/** Fields of an assistant's message; those that only describe an earlier answer aren't part of the prompt. */
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
]);
/** `name` repeats the name of the called function. */
const RETURNED: ReadonlySet<string> = new Set(["role", "content", "tool_call_id", "name"]);

/**
 * Converts messages to alternating turns of user and assistant. What the system and developers say, wherever they say it,
 * becomes `system`.
 */
export function toTurns(messages: readonly ChatMessage[], report: Refuse): Draft {
  let isRefused = false as boolean;
  const refuse: Refuse = (path, message) => {
    isRefused = true;
    report(path, message);
  };
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  const ids = new CallIds();
  const add = (role: Turn["role"], blocks: readonly JsonObject[]): void => {
    if (blocks.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  };
  for (const [index, message] of messages.entries()) {
    const path = ["messages", index];
    switch (message.role) {
      case "system":
      case "developer":
        refuseOthers(message, SAID, path, refuse);
        system.push(...toTexts(message.content, path, refuse));
        break;
      case "user":
        refuseOthers(message, SAID, path, refuse);
        add("user", toBlocks(message.content, path, refuse));
        break;
      case "assistant":
        ids.close(refuse);
        if (turns.length === 0) refuse(path, "must follow a message of a user");
        add("assistant", toAnswer(message, path, ids, refuse));
        break;
      case "tool":
        refuseOthers(message, RETURNED, path, refuse);
        add("user", [toResult(message, path, ids, refuse)]);
        break;
      case "function":
        refuse(path, "messages of role `function` have no counterpart: use role `tool`");
    }
  }
  ids.close(refuse);
  if (turns.length === 0 && !isRefused) report(["messages"], "must have a message of a user with content");
  const sent = turns.map(({ role, content }, index) => ({
    role,
    content: role === "user" ? resultsFirst(content) : index === turns.length - 1 ? trimmed(content) : content,
  }));
  return { messages: sent, ...(system.length > 0 && { system }) };
}

const isResult = ({ type }: JsonObject): boolean => type === "tool_result";

/** Results of tools come before everything else in their turn. */
const resultsFirst = (blocks: readonly JsonObject[]): JsonObject[] => [
  ...blocks.filter(isResult),
  ...blocks.filter((block) => !isResult(block)),
];

/** An answer for the model to continue must not end with white space. */
function trimmed(blocks: readonly JsonObject[]): JsonObject[] {
  const last = blocks.at(-1);
  return last?.["type"] === "text"
    ? blocks.toSpliced(-1, 1, { ...last, text: String(last["text"]).trimEnd() })
    : [...blocks];
}

/** Converts content that can only be text; an answer's refusals are text, too. */
function toTexts(content: ChatMessage["content"], path: FieldPath, refuse: Refuse): JsonObject[] {
  if (!Array.isArray(content)) return toBlocks(content, path, refuse);
  return content.flatMap((part, index) => {
    const at = [...path, "content", index];
    if (part.type === "refusal") return textBlock(String(part["refusal"]));
    if (part.type === "text") return toBlock(part, at, refuse);
    refuse(at, `parts of type \`${part.type}\` have no counterpart here`);
    return [];
  });
}

function toAnswer(message: Said<"assistant">, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject[] {
  const { content, refusal, tool_calls } = message;
  refuseOthers(message, ANSWERED, path, refuse);
  return [
    ...toThinkingBlocks(message["reasoning_details"]),
    ...toTexts(content, path, refuse),
    ...textBlock(refusal ?? ""),
    ...(tool_calls ?? []).flatMap((call, index) => toToolUse(call, [...path, "tool_calls", index], ids, refuse)),
  ];
}

function toResult(message: Said<"tool">, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject {
  const tool_use_id = ids.result(message.tool_call_id, path, refuse);
  const content = toBlocks(message.content, path, refuse);
  return { type: "tool_result", tool_use_id, ...(content.length > 0 && { content }) };
}

const CALL: ReadonlySet<string> = new Set(["id", "type", "index", "function", "extra_content"]);

function toToolUse(call: ToolCall, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject[] {
  if (call.type !== "function") {
    refuse(path, `calls of type \`${call.type}\` have no counterpart`);
    return [];
  }
  refuseOthers(call, CALL, path, refuse);
  const { id, function: called } = call as JsonObject;
  const { name, arguments: args } = asObject(called) ?? {};
  if (!TOOL_NAME.test(String(name))) refuse([...path, "function", "name"], TOOL_NAME_RULE);
  const input = inputOf(asText(args) ?? "");
  if (!input) refuse([...path, "function", "arguments"], "must be a JSON object");
  return [{ type: "tool_use", id: ids.call(String(id), path, refuse), name, input: input ?? {} }];
}

function inputOf(args: string): JsonObject | null {
  if (args.trim() === "") return {};
  try {
    return asObject(JSON.parse(args));
  } catch {
    return null;
  }
}
