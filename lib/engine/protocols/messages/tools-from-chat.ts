import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { dropOthers, type FieldPath, type Refuse } from "../field-rules";
import { cacheControlOf } from "./blocks-from-chat";

/** Names of tools that the API accepts. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
export const TOOL_NAME_RULE = "must have 1 to 128 letters, digits, underscores and hyphens for a Messages upstream";

const TOOL: ReadonlySet<string> = new Set(["type", "function"]);
const FUNCTION: ReadonlySet<string> = new Set(["name", "description", "parameters", "strict"]);

/** Converts functions; a schema always describes an object. */
export function toTools(tools: readonly ChatTool[], refuse: Refuse): JsonObject[] {
  const names = new Set<string>();
  return tools.flatMap((tool, index) => {
    const path: FieldPath = ["tools", index];
    const called = asObject(tool["function"]);
    if (tool.type !== "function" || !called) {
      refuse(path, `tools of type \`${tool.type}\` aren't supported`);
      return [];
    }
    dropOthers(tool, TOOL, path, refuse);
    dropOthers(called, FUNCTION, [...path, "function"], refuse);
    const { description, parameters, strict } = called;
    const name = String(called["name"]);
    if (!TOOL_NAME.test(name)) refuse([...path, "function", "name"], TOOL_NAME_RULE);
    if (names.has(name)) refuse([...path, "function", "name"], "must be unique");
    names.add(name);
    const schema = asObject(parameters) ?? {};
    if ((schema["type"] ?? "object") !== "object")
      refuse([...path, "function", "parameters", "type"], "must be `object`");
    return [
      {
        name,
        ...(asText(description) && { description }),
        input_schema: { ...schema, type: "object", ...(!("properties" in schema) && { properties: {} }) },
        ...(strict === true && { strict }),
        ...cacheControlOf(tool),
        ...cacheControlOf(called),
      },
    ];
  });
}

const MODES: Readonly<Record<string, string>> = { auto: "auto", required: "any", none: "none" };

/** The choice of a tool, and the names of the tools that it allows; null for all. */
interface Choice {
  choice: JsonObject | null;
  allowed: ReadonlySet<string> | null;
}

export function toToolChoice(given: ChatToolChoice, refuse: Refuse): Choice {
  if (typeof given === "string") return { choice: { type: MODES[given] ?? "auto" }, allowed: null };
  const { type, function: called, allowed_tools } = given as JsonObject;
  if (type === "function") return { choice: { type: "tool", name: asObject(called)?.["name"] }, allowed: null };
  if (type === "allowed_tools") {
    const { mode, tools } = asObject(allowed_tools) ?? {};
    const names = asObjects(tools).flatMap((tool) => asText(asObject(tool["function"])?.["name"]) ?? []);
    if (names.length < asObjects(tools).length)
      refuse(["tool_choice", "allowed_tools", "tools"], "must be functions for a Messages upstream");
    return { choice: { type: MODES[String(mode)] ?? "auto" }, allowed: new Set(names) };
  }
  refuse(["tool_choice"], `\`${String(type)}\` isn't supported`);
  return { choice: null, allowed: null };
}
