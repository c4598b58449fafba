import { z } from "zod";
import { fusionFields } from "./fusion-contract";
import { openUnion } from "./open-union-contract";
import { openValue } from "./open-value-contract";
import { cacheControl, REASONING_EFFORTS } from "./request-fields-contract";
import { WEB_SEARCH_ENGINES, approximateLocation, webFetchFields, WebSearchMode } from "./web-search-contract";

const count = z.number().int().optional();
const texts = z.array(z.string()).optional();
const record = z.record(z.string(), z.unknown());
const reasoning = z.looseObject({ effort: z.enum(REASONING_EFFORTS).optional(), max_tokens: count }).optional();
const instanceName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9 _-]+$/)
  .optional();
const agentFields = {
  instructions: z.string().optional(),
  max_completion_tokens: count,
  model: z.string().optional(),
  name: instanceName,
  reasoning,
  temperature: z.number().optional(),
};
const searchEngine = z.enum([...WEB_SEARCH_ENGINES, "auto"]).optional();
const contextSize = openValue(["low", "medium", "high"]).optional();
const engine = z.enum(["auto", "native", "openrouter", "service"]).optional();
const environment = z
  .discriminatedUnion("type", [
    z.looseObject({ type: z.literal("container_auto") }),
    z.looseObject({
      type: z.literal("container_reference"),
      container_id: z
        .string()
        .min(1)
        .max(20)
        .regex(/^[\w-]+$/),
    }),
  ])
  .optional();

/** Defines a server tool whose type is prefixed with `service:` or the public API's prefix. */
const service = <const Name extends string, Shape extends z.ZodRawShape>(name: Name, parameters: Shape) =>
  z.looseObject({
    type: z.enum([`service:${name}`, `openrouter:${name}`]),
    parameters: z.looseObject(parameters).optional(),
  });

const webSearch = <const Type extends string>(type: Type) =>
  z.looseObject({
    type: z.literal(type),
    engine: searchEngine,
    filters: z
      .looseObject({
        allowed_domains: texts.nullable(),
        blocked_domains: texts.nullable(),
        excluded_domains: texts.nullable(),
      })
      .nullish(),
    max_results: count,
    max_uses: count,
    mode: WebSearchMode.optional(),
    search_context_size: contextSize,
    user_location: z.looseObject({ type: openValue(["approximate"]).optional(), ...approximateLocation }).nullish(),
  });

export const functionFields = {
  name: z.string(),
  description: z.string().nullish(),
  parameters: record.nullish().meta({ description: "JSON Schema of the arguments" }),
  strict: z.boolean().nullish(),
};

/** A custom tool as Responses defines it. */
export const customTool = z.looseObject({
  type: z.literal("custom"),
  name: z.string(),
  description: z.string().optional(),
  format: openUnion("type", [
    z.looseObject({ type: z.literal("text") }),
    z.looseObject({ type: z.literal("grammar"), definition: z.string(), syntax: openValue(["lark", "regex"]) }),
  ]).optional(),
});

/** Every server tool whose definition is documented; the same in Chat Completions and Responses. */
export const serverTools = [
  webSearch("web_search"),
  webSearch("web_search_2025_08_26"),
  webSearch("web_search_preview"),
  webSearch("web_search_preview_2025_03_11"),
  z.looseObject({
    type: z.literal("file_search"),
    vector_store_ids: z.array(z.string()),
    max_num_results: count,
    filters: record.nullish(),
  }),
  z.looseObject({
    type: z.literal("computer_use_preview"),
    display_height: z.number().int(),
    display_width: z.number().int(),
    environment: openValue(["windows", "mac", "linux", "ubuntu", "browser"]),
  }),
  z.looseObject({
    type: z.literal("code_interpreter"),
    container: z.union([
      z.string(),
      z.looseObject({
        type: z.literal("auto"),
        file_ids: texts,
        memory_limit: openValue(["1g", "4g", "16g", "64g"]).nullish(),
      }),
    ]),
  }),
  z.looseObject({
    type: z.literal("mcp"),
    server_label: z.string(),
    server_url: z.string().optional(),
    connector_id: z.string().optional(),
    authorization: z.string().optional(),
    headers: z.record(z.string(), z.string()).nullish(),
    allowed_tools: z.union([z.array(z.string()), record]).nullish(),
    require_approval: z.union([openValue(["always", "never"]), record]).nullish(),
  }),
  z.looseObject({
    type: z.literal("image_generation"),
    background: openValue(["transparent", "opaque", "auto"]).optional(),
    input_fidelity: openValue(["high", "low"]).nullish(),
    moderation: openValue(["auto", "low"]).optional(),
    output_compression: count,
    output_format: openValue(["png", "webp", "jpeg"]).optional(),
    partial_images: count,
    quality: openValue(["low", "medium", "high", "auto"]).optional(),
  }),
  z.looseObject({ type: z.literal("local_shell") }),
  z.looseObject({ type: z.literal("shell") }),
  z.looseObject({ type: z.literal("apply_patch") }),
  z.looseObject({
    type: z.literal("namespace"),
    name: z.string(),
    description: z.string(),
    tools: z.array(openUnion("type", [z.looseObject({ type: z.literal("function"), ...functionFields }), customTool])),
  }),
  service("advisor", { ...agentFields, forward_transcript: z.boolean().optional(), stream: z.boolean().optional() }),
  service("subagent", {
    ...agentFields,
    inherit_functions: z.boolean().optional(),
    inherited_function_names: texts,
    max_tool_calls: z.number().int().min(1).max(25).optional(),
    tools: z.array(z.looseObject({ type: z.string(), parameters: record.optional() })).optional(),
  }),
  service("datetime", { timezone: z.string().optional() }),
  service("files", {}),
  service("fusion", {
    ...fusionFields,
    cache_control: cacheControl.optional(),
    max_completion_tokens: count,
    reasoning,
    temperature: z.number().optional(),
  }),
  service("image_generation", { model: z.string().optional() }),
  service("experimental__search_models", { max_results: count }),
  service("web_fetch", {
    ...webFetchFields,
    engine: z
      .enum([...WEB_SEARCH_ENGINES, "auto", "openrouter", "service"])
      .exclude(["perplexity"])
      .optional(),
  }),
  service("web_search", {
    allowed_domains: texts,
    excluded_domains: texts,
    engine: searchEngine,
    max_characters: count,
    max_results: count,
    max_total_results: count,
    max_uses: count,
    mode: WebSearchMode.optional(),
    search_context_size: contextSize,
    user_location: z.looseObject({ type: z.literal("approximate").optional(), ...approximateLocation }).optional(),
  }),
  service("apply_patch", { engine }),
  service("bash", { engine, environment, sleep_after_seconds: count }),
  service("shell", { engine: engine.unwrap().exclude(["native"]).optional(), environment, sleep_after_seconds: count }),
  service("tool_search", { max_results: count }),
] as const;
