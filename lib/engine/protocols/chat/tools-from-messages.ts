import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import type { MessagesTool, MessagesToolChoice } from "../contracts/messages-tools-contract";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { dropOthers, leavingOut, type FieldPath, type Refuse } from "../field-rules";
import { MAX_NAME } from "../tool-names";

/** Fields of a function; streaming its input eagerly is a hint. */
const FUNCTION: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "input_schema",
  "strict",
  "eager_input_streaming",
  "allowed_callers",
]);

/** True for the types of Anthropic's web search. */
const isWebSearch = ({ type }: MessagesTool): boolean => String(type).startsWith("web_search_");

/** Converts tools of Messages to those of chat completions. A web search that is offered beside other tools is left out. */
export function toChatTools(
  tools: readonly MessagesTool[],
  choice: MessagesToolChoice | null,
  refuse: Refuse,
): ChatTool[] {
  const isOffer = ["auto", "none"].includes(choice?.type ?? "auto") && !tools.every(isWebSearch);
  return tools.flatMap((tool, index) => {
    const path = ["tools", index];
    if (isWebSearch(tool)) return toSearch(tool, path, isOffer ? leavingOut(String(tool.type), refuse) : refuse);
    return toChatTool(tool, path, refuse);
  });
}

/** Refuses a web search, except for upstreams that search and support its settings. */
function toSearch(tool: MessagesTool, path: FieldPath, refuse: Refuse): [] {
  const { type, name: _, user_location, ...settings } = tool as JsonObject;
  const further = Object.entries(settings).flatMap(([name, value]) => ((value ?? null) === null ? [] : [name]));
  const write = (draft: JsonObject) => {
    draft["web_search_options"] = searchOptions({ user_location });
  };
  const [first] = further.filter((name) => name !== "cache_control");
  if (first === undefined)
    refuse(path, `tools of type \`${String(type)}\` need a Messages upstream`, {
      parameter: "web_search_options",
      write,
    });
  else refuse([...path, first], `needs a Messages upstream, like tools of type \`${String(type)}\``);
  return [];
}

function toChatTool(tool: MessagesTool, path: FieldPath, refuse: Refuse): ChatTool[] {
  const { type, name, description, input_schema, strict, allowed_callers } = tool as JsonObject;
  if ((type ?? "custom") !== "custom") {
    refuse(path, `tools of type \`${String(type)}\` need a Messages upstream`);
    return [];
  }
  dropOthers(tool, FUNCTION, path, refuse);
  if (Array.isArray(allowed_callers) && allowed_callers.some((caller) => caller !== "direct"))
    refuse([...path, "allowed_callers"], "only `direct` is supported");
  if (String(name).length > MAX_NAME)
    refuse([...path, "name"], `must have at most ${MAX_NAME} characters for a Chat Completions upstream`);
  return [
    {
      type: "function",
      function: {
        name: String(name),
        ...(asText(description) && { description: String(description) }),
        parameters: asObject(input_schema) ?? {},
        ...(typeof strict === "boolean" && { strict }),
      },
    },
  ];
}

function searchOptions({ user_location }: JsonObject): JsonObject {
  const { type: _, ...approximate } = asObject(user_location) ?? {};
  return user_location ? { user_location: { type: "approximate", approximate } } : {};
}

export function toChatToolChoice(choice: MessagesToolChoice): ChatToolChoice {
  if (choice.type === "tool") return { type: "function", function: { name: choice.name } };
  return choice.type === "any" ? "required" : choice.type;
}
