import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import type { MessagesTool, MessagesToolChoice } from "../contracts/messages-tools-contract";
import { asObject, asText, type JsonObject } from "../broken-answer";
import { refuseOthers, type FieldPath, type Refuse } from "../field-rules";
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
const SEARCH: ReadonlySet<string> = new Set(["type", "name", "user_location"]);

/** Converts a tool of Messages to that of chat completions. */
export function toChatTools(tool: MessagesTool, path: FieldPath, refuse: Refuse): ChatTool[] {
  const { type, name, description, input_schema, strict, allowed_callers } = tool as JsonObject;
  if ((type ?? "custom") !== "custom") {
    const isSearch = String(type).startsWith("web_search_");
    const write = (draft: JsonObject) => {
      draft["web_search_options"] = searchOptions(tool);
    };
    refuse(
      path,
      `tools of type \`${String(type)}\` need a Messages upstream`,
      isSearch ? { parameter: "web_search_options", write } : undefined,
    );
    if (isSearch) refuseOthers(tool, SEARCH, path, refuse);
    return [];
  }
  refuseOthers(tool, FUNCTION, path, refuse);
  if (Array.isArray(allowed_callers) && allowed_callers.some((caller) => caller !== "direct"))
    refuse([...path, "allowed_callers"], "only `direct` has a counterpart");
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
