import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import { drop, dropOthers, refuseOthers, type FieldPath, type Refuse } from "../field-rules";

const FUNCTION: ReadonlySet<string> = new Set(["name", "description", "parameters", "strict"]);
const TOOL: ReadonlySet<string> = new Set(["type", "function"]);
/** Settings of a search that are hints. */
const SEARCH_HINTS = ["search_context_size", "user_location", "max_results"];
const SEARCH: ReadonlySet<string> = new Set(["type", ...SEARCH_HINTS]);

/** Converts functions to declarations, and web search to Google Search. */
export function toTools(tools: readonly ChatTool[], refuse: Refuse): JsonObject[] {
  const functionDeclarations = tools.flatMap((tool, index) => toDeclaration(tool, ["tools", index], refuse));
  const searches = tools.some(({ type }) => isSearch(type));
  return [
    ...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
    ...(searches ? [{ googleSearch: {} }] : []),
  ];
}

const isSearch = (type: string): boolean => /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/.test(type);

function toDeclaration(tool: ChatTool, path: FieldPath, refuse: Refuse): JsonObject[] {
  if (isSearch(tool.type)) {
    for (const hint of SEARCH_HINTS) if ((tool[hint] ?? null) !== null) drop([...path, hint], refuse);
    refuseOthers(tool, SEARCH, path, refuse);
    return [];
  }
  const declared = asObject((tool as JsonObject)["function"]);
  if (tool.type !== "function" || !declared) {
    refuse(path, `tools of type \`${tool.type}\` aren't supported`);
    return [];
  }
  dropOthers(tool, TOOL, path, refuse);
  dropOthers(declared, FUNCTION, [...path, "function"], refuse);
  const { name, description, parameters } = declared;
  return [
    {
      name,
      ...(asText(description) && { description }),
      ...(asObject(parameters) && { parametersJsonSchema: parameters }),
    },
  ];
}

/** Converts the choice among tools; strict functions are called with arguments that follow their schema. */
export function toToolConfig(choice: ChatToolChoice | null, tools: unknown, refuse: Refuse): JsonObject | null {
  const config = callingConfig(choice, asObjects(tools), refuse);
  return config && { functionCallingConfig: config };
}

function callingConfig(
  choice: ChatToolChoice | null,
  tools: readonly JsonObject[],
  refuse: Refuse,
): { mode: string; allowedFunctionNames?: string[] } | null {
  const isStrict = tools.some((tool) => asObject(tool["function"])?.["strict"] === true);
  if (choice === null || choice === "auto") return isStrict ? { mode: "VALIDATED" } : null;
  if (choice === "none") return tools.length > 0 ? { mode: "NONE" } : null;
  if (choice === "required") return { mode: "ANY" };
  const { type, function: named, allowed_tools } = choice as JsonObject;
  if (type === "function") return { mode: "ANY", allowedFunctionNames: [String(asObject(named)?.["name"])] };
  if (type !== "allowed_tools") {
    refuse(["tool_choice"], `\`${String(type)}\` isn't supported`);
    return null;
  }
  const { mode, tools: allowed } = asObject(allowed_tools) ?? {};
  const names = asObjects(allowed).flatMap((tool, index) => {
    const name = asText(asObject(tool["function"])?.["name"]);
    if (name === null) refuse(["tool_choice", "allowed_tools", "tools", index], "must be a function");
    return name ?? [];
  });
  return { mode: mode === "required" ? "ANY" : "VALIDATED", allowedFunctionNames: names };
}
