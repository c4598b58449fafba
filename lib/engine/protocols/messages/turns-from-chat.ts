import type { ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { asObject, asText, objectIn, type JsonObject } from "../../../platform/json-values";
import { dropOthers, type Draft, type FieldPath, type Refuse } from "../field-rules";
import { isOneRole, joinTurns, readTurns, roleOf, type SaidBy } from "../chat/turns";
import { textBlock, toBlock, toBlocks } from "./blocks-from-chat";
import { CallIds } from "./call-ids";
import { toThinkingBlocks } from "./thinking-details";
import { TOOL_NAME, TOOL_NAME_RULE } from "./tools-from-chat";

/**
 * Converts messages to alternating turns of user and assistant. Instructions of system and developer messages, wherever
 * they are, become `system`.
 */
export function toMessages(messages: readonly ChatMessage[], report: Refuse): Draft {
  let isRefused = false as boolean;
  const refuse: Refuse = (path, message, unless, leftOut) => {
    isRefused ||= leftOut === undefined;
    report(path, message, unless, leftOut);
  };
  const ids = new CallIds();
  const turns = readTurns<JsonObject>(
    messages,
    {
      system: ({ content }, path) => toTexts(content, path, refuse),
      user: ({ content }, path) => toBlocks(content, path, refuse),
      assistant: (message, path) => {
        ids.close(refuse);
        return toAnswer(message, path, ids, refuse);
      },
      tool: (message, path) => [toResult(message, path, ids, refuse)],
    },
    refuse,
  );
  ids.close(refuse);
  const { instructions: system, conversation } = joinTurns(turns, isOneRole);
  const [first] = conversation;
  if (first?.speaker === "assistant") refuse(first.path, "must follow a user message");
  if (!first && !isRefused) report(["messages"], "must include a user message with content");
  const sent = conversation.map((turn, index) => {
    const isLast = index === conversation.length - 1;
    const role = roleOf(turn);
    return { role, content: role === "user" ? resultsFirst(turn.items) : isLast ? trimmed(turn.items) : turn.items };
  });
  return { messages: sent, ...(system.length > 0 && { system }) };
}

const isResult = ({ type }: JsonObject): boolean => type === "tool_result";

/** Moves results of tools to the beginning of their turn. */
const resultsFirst = (blocks: readonly JsonObject[]): JsonObject[] => [
  ...blocks.filter(isResult),
  ...blocks.filter((block) => !isResult(block)),
];

/** Trims the end of an answer for the model to continue, which must not be white space. */
function trimmed(blocks: readonly JsonObject[]): JsonObject[] {
  const last = blocks.at(-1);
  return last?.["type"] === "text"
    ? blocks.toSpliced(-1, 1, { ...last, text: String(last["text"]).trimEnd() })
    : [...blocks];
}

/** Converts content that must be text; refusals count as text. */
function toTexts(content: ChatMessage["content"], path: FieldPath, refuse: Refuse): JsonObject[] {
  if (!Array.isArray(content)) return toBlocks(content, path, refuse);
  return content.flatMap((part, index) => {
    const at = [...path, "content", index];
    if (part.type === "refusal") return textBlock(String(part["refusal"]));
    if (part.type === "text") return toBlock(part, at, refuse);
    refuse(at, `parts of type \`${part.type}\` aren't supported here`);
    return [];
  });
}

function toAnswer(message: SaidBy<"assistant">, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject[] {
  const { content, refusal, tool_calls } = message;
  return [
    ...toThinkingBlocks(message["reasoning_details"]),
    ...toTexts(content, path, refuse),
    ...textBlock(refusal ?? ""),
    ...(tool_calls ?? []).flatMap((call, index) => toToolUse(call, [...path, "tool_calls", index], ids, refuse)),
  ];
}

function toResult(message: SaidBy<"tool">, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject {
  const tool_use_id = ids.result(message.tool_call_id, path, refuse);
  const content = toBlocks(message.content, path, refuse);
  return { type: "tool_result", tool_use_id, ...(content.length > 0 && { content }) };
}

const CALL: ReadonlySet<string> = new Set(["id", "type", "index", "function", "extra_content"]);

function toToolUse(call: ToolCall, path: FieldPath, ids: CallIds, refuse: Refuse): JsonObject[] {
  const { type = "function" } = call;
  if (type !== "function") {
    refuse(path, `calls of type \`${type}\` aren't supported`);
    return [];
  }
  dropOthers(call, CALL, path, refuse);
  const { id, function: called } = call as JsonObject;
  const { name, arguments: args } = asObject(called) ?? {};
  if (!TOOL_NAME.test(String(name))) refuse([...path, "function", "name"], TOOL_NAME_RULE);
  const input = objectIn(asText(args)?.trim() || "{}");
  if (!input) refuse([...path, "function", "arguments"], "must be a JSON object");
  return [{ type: "tool_use", id: ids.call(String(id), path, refuse), name, input: input ?? {} }];
}
