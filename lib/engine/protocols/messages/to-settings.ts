import { asObject, type JsonObject } from "../../../platform/json-values";
import type { MessagesBody } from "../contracts/messages-request-contract";
import type { MessagesTool, MessagesToolChoice } from "../contracts/messages-tools-contract";
import type { FieldPath, Refuse } from "../field-rules";

const NOWHERE = "isn't supported in presets";

/**
 * Converts a Messages request to the settings of a preset, which have the names of Responses; reverses
 * `settingsToMessages`. Refuses parts of a setting that a preset can't store.
 */
export function settingsFromMessage(
  {
    system: _s,
    max_tokens,
    service_tier,
    cache_control,
    thinking,
    output_config,
    output_format,
    tools,
    tool_choice,
    ...same
  }: MessagesBody,
  refuse: Refuse,
): JsonObject {
  const reasoning = toReasoning({ thinking, output_config }, refuse);
  const format = output_config?.format
    ? toFormat(output_config.format, ["output_config", "format"], refuse)
    : output_format && toFormat(output_format, ["output_format"], refuse);
  return {
    ...same,
    max_output_tokens: max_tokens,
    service_tier: service_tier === "standard_only" ? "default" : service_tier,
    ...(cache_control && {
      cache_control: { type: cache_control.type, ...(cache_control.ttl && { ttl: cache_control.ttl }) },
    }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(format && { text: { format } }),
    ...(tools && { tools: tools.map((tool, index) => toTool(tool, ["tools", index], refuse)) }),
    ...(tool_choice && toToolChoice(tool_choice)),
  };
}

/** Returns the text of the instructions of a request. */
export function instructionsOf(system: MessagesBody["system"], refuse: Refuse): string {
  if (!Array.isArray(system)) return system ?? "";
  for (const [index, block] of system.entries()) refuseOthers(block, TEXT, ["system", index], refuse);
  return system.map(({ text }) => text).join("\n");
}

const TEXT: ReadonlySet<string> = new Set(["type", "text"]);
const THINKING: ReadonlySet<string> = new Set(["type", "budget_tokens"]);
const OUTPUT: ReadonlySet<string> = new Set(["effort", "format"]);
const FORMAT: ReadonlySet<string> = new Set(["type", "schema"]);
const FUNCTION: ReadonlySet<string> = new Set(["type", "name", "description", "input_schema", "strict"]);

/** Refuses every other field of an object, even caching hints, because a preset can't store them. */
function refuseOthers(object: JsonObject, known: ReadonlySet<string>, path: FieldPath, refuse: Refuse): void {
  for (const [name, value] of Object.entries(object))
    if (!known.has(name) && (value ?? null) !== null) refuse([...path, name], NOWHERE);
}

function toReasoning(
  { thinking, output_config }: Pick<MessagesBody, "thinking" | "output_config">,
  refuse: Refuse,
): JsonObject {
  const effort = output_config?.effort;
  refuseOthers(thinking ?? {}, THINKING, ["thinking"], refuse);
  refuseOthers(output_config ?? {}, OUTPUT, ["output_config"], refuse);
  if (thinking?.type === "between_tools") refuse(["thinking"], `\`${thinking.type}\` ${NOWHERE}`);
  if (thinking?.type === "disabled") {
    if (effort) refuse(["output_config", "effort"], "is overridden by thinking");
    return { effort: "none" };
  }
  const budget = thinking?.type === "enabled" ? thinking.budget_tokens : null;
  return {
    ...(effort && { effort }),
    ...(budget && { max_tokens: budget }),
    ...(!budget && (thinking?.type === "enabled" || thinking?.type === "adaptive") && { enabled: true }),
  };
}

function toFormat(format: JsonObject, path: FieldPath, refuse: Refuse): JsonObject | null {
  const { type, schema } = format;
  if (type !== "json_schema") {
    refuse(path, `\`${String(type)}\` ${NOWHERE}`);
    return null;
  }
  refuseOthers(format, FORMAT, path, refuse);
  return { type, name: "answer", schema: asObject(schema) ?? {}, strict: true };
}

/** Converts a function; tools that Anthropic defines keep their shape. */
function toTool(tool: MessagesTool, path: FieldPath, refuse: Refuse): JsonObject {
  const { type, name, description, input_schema, strict } = tool as JsonObject;
  if ((type ?? "custom") !== "custom") return tool;
  refuseOthers(tool, FUNCTION, path, refuse);
  return {
    type: "function",
    name,
    ...(description ? { description } : {}),
    parameters: input_schema,
    ...(typeof strict === "boolean" && { strict }),
  };
}

function toToolChoice(choice: MessagesToolChoice): JsonObject {
  const { type, name, disable_parallel_tool_use } = choice as JsonObject;
  const modes: JsonObject = { auto: "auto", none: "none", any: "required" };
  return {
    tool_choice: type === "tool" ? { type: "function", name } : modes[String(type)],
    ...(disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  };
}
