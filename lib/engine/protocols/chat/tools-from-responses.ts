import type { ChatTool, ChatToolChoice, FunctionTool, Tool, ToolChoice } from "../contracts/tools-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { dropOthers, type FieldPath, type Refuse } from "../field-rules";
import { isServiceTool, MAX_NAME, namespacedName } from "../tool-names";

const FUNCTION: ReadonlySet<string> = new Set(["type", "name", "description", "parameters", "strict"]);
const CUSTOM: ReadonlySet<string> = new Set(["type", "name", "description", "format"]);
const SEARCH = /^web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?$/;

/** True for the types of Responses' hosted web search. */
export const isWebSearch = (type: string): boolean => SEARCH.test(type);

/** Converts a tool to chat completions. Each function of a namespace becomes a separate function. */
export function toChatTools(tool: Tool, path: FieldPath, refuse: Refuse): ChatTool[] {
  if (tool.type === "namespace") {
    const { name, description } = tool as JsonObject;
    return asObjects(tool["tools"]).flatMap((inner, index) =>
      toChatTools(
        {
          ...inner,
          name: namespacedName(asText(name), String(inner["name"])),
          description: [description, inner["description"]].filter(Boolean).join("\n\n"),
        } as unknown as Tool,
        [...path, "tools", index],
        refuse,
      ),
    );
  }
  const given = asText((tool as JsonObject)["name"]);
  if ((tool.type === "function" || tool.type === "custom") && given !== null && given.length > MAX_NAME)
    refuse([...path, "name"], `must have at most ${MAX_NAME} characters for a Chat Completions upstream`);
  switch (tool.type) {
    case "function": {
      const { name, description, parameters, strict } = tool as FunctionTool;
      dropOthers(tool, FUNCTION, path, refuse);
      return [
        {
          type: "function",
          function: {
            name,
            ...(description && { description }),
            ...(parameters && { parameters }),
            ...(typeof strict === "boolean" && { strict }),
          },
        },
      ];
    }
    case "custom": {
      const { name, description, format } = tool as JsonObject;
      dropOthers(tool, CUSTOM, path, refuse);
      const { type, ...grammar } = asObject(format) ?? {};
      return [
        {
          type: "custom",
          custom: {
            name: String(name),
            ...(asText(description) && { description: String(description) }),
            ...(type === "grammar" && {
              format: { type, grammar: grammar as { definition: string; syntax: string } },
            }),
            ...(type === "text" && { format: { type } }),
          },
        },
      ];
    }
    default: {
      if (isServiceTool(tool.type)) return [tool];
      const write = (draft: JsonObject) => {
        draft["web_search_options"] = searchOptions(tool);
      };
      const unless = isWebSearch(tool.type) ? { parameter: "web_search_options", write } : undefined;
      refuse(path, `tools of type \`${tool.type}\` need a Responses upstream`, unless);
      return [];
    }
  }
}

/** Returns the settings of a search tool for a search model of chat completions. */
function searchOptions({ search_context_size, user_location }: JsonObject): JsonObject {
  const { type: _, ...approximate } = asObject(user_location) ?? {};
  return {
    ...(asText(search_context_size) && { search_context_size }),
    ...(user_location ? { user_location: { type: "approximate", approximate } } : {}),
  };
}

/** Converts the choice of a tool; hosted ones are refused. */
export function toChatToolChoice(choice: ToolChoice, refuse: Refuse): ChatToolChoice | undefined {
  if (typeof choice === "string") return choice;
  const { type, name, namespace, mode, tools } = choice as JsonObject;
  const chosen = (one: JsonObject, path: FieldPath) => {
    const named = { name: namespacedName(asText(one["namespace"]), String(one["name"])) };
    if (one["type"] === "function") return { type: "function", function: named };
    if (one["type"] === "custom") return { type: "custom", custom: named };
    refuse(path, `tools of type \`${String(one["type"])}\` need a Responses upstream`);
    return one;
  };
  if (type === "allowed_tools") {
    const allowed = asObjects(tools).map((one, index) => chosen(one, ["tool_choice", "tools", index]));
    return { type, allowed_tools: { mode: String(mode), tools: allowed } };
  }
  return chosen({ type, name, namespace }, ["tool_choice"]) as ChatToolChoice;
}
