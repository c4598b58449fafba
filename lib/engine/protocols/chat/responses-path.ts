import type { ResponsesBody } from "../contracts/responses-request-contract";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { InputItem } from "../contracts/input-items-contract";
import type { FieldPath } from "../field-rules";
import { mergeTurns } from "./merge-turns";
import { toMessages } from "./from-responses";
import { toChatTools } from "./tools-from-responses";

const ignore = () => undefined;

/** Fields of a Responses request by those of the chat completions request that they become. */
const FIELDS: Readonly<Record<string, FieldPath>> = {
  max_tokens: ["max_output_tokens"],
  reasoning_effort: ["reasoning", "effort"],
  response_format: ["text", "format"],
  verbosity: ["text", "verbosity"],
  logprobs: ["include"],
  web_search_options: ["tools"],
  tool_choice: ["tool_choice"],
};

/** Returns the place in a Responses request of a field of the chat completions request that it was converted to. */
export function responsesPath(path: FieldPath, body: ResponsesBody): FieldPath {
  const [field, index, ...rest] = path;
  if (field === "messages" && typeof index === "number") return messagePath(index, rest, body);
  if (field === "messages") return ["input"];
  if (field === "tools" && typeof index === "number") return toolPath(index, rest, body);
  return FIELDS[String(field)] ?? path;
}

function toolPath(index: number, rest: FieldPath, { tools = [] }: ResponsesBody): FieldPath {
  const own = tools.flatMap((tool, place) => toChatTools(tool, [], ignore).map(() => place));
  return ["tools", own[index] ?? 0, ...rest.filter((name) => name !== "function" && name !== "custom")];
}

function messagePath(index: number, rest: FieldPath, { input, instructions }: ResponsesBody): FieldPath {
  const place = index - (instructions ? 1 : 0);
  if (place < 0) return ["instructions"];
  const items = Array.isArray(input) ? input : [];
  const sources = sourcesOf(items)[place];
  if (!sources) return ["input"];
  const [part, number, ...more] = rest;
  const ofType = (...types: (string | undefined)[]) => sources.filter((source) => types.includes(items[source]?.type));
  const first = ["input", sources[0] ?? 0];
  switch (String(part)) {
    case "tool_calls": {
      const call = ofType("function_call", "custom_tool_call")[Number(number)];
      return call === undefined ? first : ["input", call, ...more.slice(1)];
    }
    case "tool_call_id":
      return [...first, "call_id"];
    case "content": {
      const said = ofType("message", undefined)[0];
      return said === undefined
        ? [...first, "output", ...rest.slice(1, 2)]
        : ["input", said, "content", ...rest.slice(1, 2)];
    }
    default:
      return first;
  }
}

/** Returns the items of each message; items of an assistant's turn become one message. */
function sourcesOf(items: readonly InputItem[]): number[][] {
  const sources: number[][] = [];
  let last: ChatMessage | undefined;
  for (const [place, item] of items.entries())
    for (const message of toMessages(item, [], ignore)) {
      const merged = mergeTurns(last ? [last, message] : [message]);
      if (last && merged.length === 1) sources.at(-1)?.push(place);
      else sources.push([place]);
      last = merged.at(-1);
    }
  return sources;
}
