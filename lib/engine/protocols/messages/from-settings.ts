import type { ResponsesBody } from "../contracts/responses-request-contract";
import type { MessagesBody } from "../contracts/messages-request-contract";
import type { Tool, ToolChoice } from "../contracts/tools-contract";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";

/** Service tiers by their name in Messages. */
const TIERS: Readonly<Record<string, string>> = { default: "standard_only", fast: "auto", priority: "auto" };

/** Converts the settings of a preset to Messages; settings without a counterpart keep their names. */
export function settingsToMessages({
  input: _i,
  instructions: _s,
  background: _b,
  conversation: _c,
  include: _in,
  max_tool_calls: _m,
  prompt: _p,
  store: _st,
  stream: _str,
  previous_response_id: _pr,
  truncation,
  modalities,
  max_output_tokens,
  text,
  tools,
  tool_choice,
  parallel_tool_calls,
  reasoning,
  service_tier,
  ...same
}: ResponsesBody): JsonObject {
  const { effort, max_tokens: budget, enabled } = reasoning ?? {};
  const isOff = enabled === false || effort === "none";
  const config = {
    ...(effort && !isOff && { effort: effort === "minimal" ? "low" : effort }),
    ...(text?.format?.type === "json_schema" && { format: { type: "json_schema", schema: text.format.schema } }),
  };
  const choice = tool_choice === undefined ? null : toMessagesToolChoice(tool_choice);
  return {
    ...same,
    ...(truncation === "auto" && { truncation }),
    ...(modalities?.some((modality) => modality !== "text") && { modalities }),
    ...(max_output_tokens && { max_tokens: max_output_tokens }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(isOff && { thinking: { type: "disabled" } }),
    ...(enabled === true && !isOff && { thinking: { type: "adaptive" } }),
    ...(budget && { thinking: { type: "enabled", budget_tokens: budget } }),
    ...(service_tier && { service_tier: TIERS[service_tier] ?? service_tier }),
    ...(tools && { tools: tools.map(toMessagesTool) }),
    ...((choice !== null || parallel_tool_calls === false) && {
      tool_choice: {
        ...(choice ?? { type: "auto" }),
        ...(parallel_tool_calls === false && { disable_parallel_tool_use: true }),
      },
    }),
  };
}

function toMessagesTool(tool: Tool): JsonObject {
  if (tool.type !== "function") return { ...tool };
  const { name, description, parameters, strict } = tool as JsonObject;
  return {
    name,
    ...(asText(description) && { description }),
    input_schema: asObject(parameters) ?? { type: "object" },
    ...(typeof strict === "boolean" && { strict }),
  };
}

function toMessagesToolChoice(choice: ToolChoice): MessagesBody["tool_choice"] {
  if (choice === "required") return { type: "any" };
  if (choice === "auto" || choice === "none") return { type: choice };
  return choice.type === "function" ? { type: "tool", name: choice.name } : choice;
}
