import type { PresetVersion } from "@/lib/records/presets/contract";

type Fields = Readonly<Record<string, unknown>>;
type Config = Pick<PresetVersion, "config" | "system_prompt">;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A tool of Chat Completions as one of Responses. */
const toTool = (tool: unknown): unknown =>
  isObject(tool) && tool["type"] === "function" && isObject(tool["function"])
    ? { type: "function", ...tool["function"] }
    : tool;

/** Settings of the playground as a Responses body, from which a preset is created, over those of the chosen version. */
export function presetBody(base: Config | { model: string }, systemPrompt: string, fields: Fields): Fields {
  const { tools, response_format, max_completion_tokens, ...rest } = fields;
  const prompt = systemPrompt.trim() || ("config" in base ? base.system_prompt : "");
  return {
    ...("config" in base ? base.config : base),
    ...rest,
    ...(max_completion_tokens !== undefined && { max_output_tokens: max_completion_tokens }),
    ...(Array.isArray(tools) && { tools: tools.map(toTool) }),
    ...(isObject(response_format) &&
      isObject(response_format["json_schema"]) && {
        text: { format: { type: "json_schema", ...response_format["json_schema"] } },
      }),
    ...(prompt !== "" && { instructions: prompt }),
  };
}
