import { asObject, asObjects, asText, objectIn, type JsonObject } from "../../../platform/json-values";
import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import type { ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";

const isCustom = ({ type, custom }: JsonObject): boolean => type === "custom" && asObject(custom) !== null;

/** Returns the names of a request's custom tools. */
const customNames = ({ tools }: ChatCompletionsBody): ReadonlySet<string> =>
  new Set(asObjects(tools).flatMap((tool) => (isCustom(tool) ? String(asObject(tool["custom"])?.["name"]) : [])));

/**
 * Returns a request whose custom tools and their calls are functions with one string, `input`, and the names of those
 * tools; null without any.
 */
export function withoutCustomTools(
  body: ChatCompletionsBody,
): { body: ChatCompletionsBody; customTools: ReadonlySet<string> } | null {
  const { messages, tools, tool_choice } = body;
  const customTools = customNames(body);
  if (customTools.size === 0 && !messages.some(hasCustomCall)) return null;
  return {
    body: {
      ...body,
      messages: messages.map((message) =>
        hasCustomCall(message) ? { ...message, tool_calls: callsOf(message).map(toFunctionCall) } : message,
      ),
      ...(tools && { tools: tools.map(toFunction) }),
      ...(tool_choice && { tool_choice: toFunctionChoice(tool_choice) }),
    },
    customTools,
  };
}

/** Returns the input of a custom tool from the arguments of its function. */
export const customInput = (args: string): string => asText(objectIn(args)?.["input"]) ?? args;

const callsOf = (message: ChatMessage): readonly ToolCall[] =>
  message.role === "assistant" ? (message.tool_calls ?? []) : [];
const hasCustomCall = (message: ChatMessage): boolean => callsOf(message).some(isCustom);

function toFunctionCall(call: ToolCall): ToolCall {
  if (!isCustom(call)) return call;
  const { custom, ...rest } = call as JsonObject;
  const { name, input } = asObject(custom) ?? {};
  const called = { name: String(name), arguments: JSON.stringify({ input: String(input) }) };
  return { ...rest, id: String(rest["id"]), type: "function", function: called };
}

function toFunction(tool: ChatTool): ChatTool {
  if (!isCustom(tool)) return tool;
  const { name, description, format } = asObject((tool as JsonObject)["custom"]) ?? {};
  const { syntax, definition } = asObject(asObject(format)?.["grammar"]) ?? {};
  const rule = asText(definition) && `The input must match this ${String(syntax)} grammar:\n${String(definition)}`;
  const text = [asText(description), rule].filter(Boolean).join("\n\n");
  return {
    type: "function",
    function: {
      name: String(name),
      ...(text !== "" && { description: text }),
      parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
    },
  };
}

function toFunctionChoice(choice: ChatToolChoice): ChatToolChoice {
  const { type, custom, allowed_tools } = asObject(choice) ?? {};
  if (type === "custom") return { type: "function", function: { name: String(asObject(custom)?.["name"]) } };
  if (type !== "allowed_tools") return choice;
  const { mode, tools } = asObject(allowed_tools) ?? {};
  const allowed = asObjects(tools).map((tool) =>
    tool["type"] === "custom" ? { type: "function", function: asObject(tool["custom"]) ?? {} } : tool,
  );
  return { type: "allowed_tools", allowed_tools: { mode: String(mode), tools: allowed } };
}
