import type { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import type { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import type { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { settingsToMessages } from "../../engine/protocols/messages/from-settings";
import { settingsToChat } from "../../engine/protocols/chat/from-responses";

type Fields = Readonly<Record<string, unknown>>;

/** Chat completions fields whose preset field has another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  reasoning_effort: "reasoning",
  max_completion_tokens: "max_tokens",
};

/** Merges a Responses request with a preset; the preset's instructions come first. */
export function mergeResponses(preset: ResponsesBody, request: Fields): Fields {
  const instructions = [preset.instructions, request["instructions"]].filter(Boolean).join("\n\n");
  return { ...merge(preset, request), ...(preset.instructions && { instructions }) };
}

/** Merges a Chat Completions request with a preset, which has Responses names; its system message comes first. */
export function mergeChatCompletions(preset: ResponsesBody, request: Fields): Fields {
  const { instructions } = preset;
  const messages = request["messages"] as ChatCompletionsBody["messages"];
  return {
    ...merge(settingsToChat(preset), request),
    messages: instructions ? [{ role: "system", content: instructions }, ...messages] : messages,
  };
}

/** Merges a Messages request with a preset, which has Responses names; its instructions come first. */
export function mergeMessages(preset: ResponsesBody, request: Fields): Fields {
  const { instructions } = preset;
  const system = request["system"] as MessagesBody["system"];
  const merged = merge(settingsToMessages(preset), request);
  if (!instructions) return merged;
  return {
    ...merged,
    system: Array.isArray(system)
      ? [{ type: "text", text: instructions }, ...system]
      : [instructions, system].filter(Boolean).join("\n\n"),
  };
}

/**
 * Replaces the preset's fields with the request's, including null. Only tools are combined
 * (docs/semantics.md#preset-merging).
 */
function merge(preset: Fields, request: Fields): Fields {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  const decided = new Set(given.flatMap(([field, value]) => [field, ...(value === null ? [] : [OTHER_NAMES[field]])]));
  const kept = Object.entries(preset).filter(([field]) => !decided.has(field));
  const tools = [preset["tools"], request["tools"]].map((list) => (Array.isArray(list) ? (list as Fields[]) : []));
  return {
    ...Object.fromEntries([...kept, ...given]),
    ...(tools.some(({ length }) => length > 0) && { tools: uniteTools(tools[0] ?? [], tools[1] ?? []) }),
  };
}

/**
 * Merges tools: a tool of the request replaces the preset's tool with the same identity, then additional ones follow.
 */
function uniteTools(preset: readonly Fields[], request: readonly Fields[]): Fields[] {
  const own = new Map(request.toReversed().map((tool) => [identityOf(tool), tool]));
  return [...new Set([...preset.map((tool) => own.get(identityOf(tool)) ?? tool), ...request])];
}

/**
 * Returns a tool's identity: its type, plus its name for types with several tools (functions, MCP servers, advisors,
 * subagents).
 */
function identityOf(tool: Fields): string {
  const name = [tool, tool["function"], tool["parameters"]].map(nameIn).find((found) => found !== undefined);
  return JSON.stringify([tool["type"], name]);
}

function nameIn(place: unknown): string | undefined {
  if (typeof place !== "object" || place === null) return undefined;
  const { name, server_label } = place as Fields;
  return [name, server_label].find((found) => typeof found === "string");
}
