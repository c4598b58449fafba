import { z } from "zod";
import { openUnion } from "./open-union-contract";
import { openValue } from "./open-value-contract";
import { Plugin } from "./plugins-contract";
import { ProviderPreferences } from "./provider-preferences-contract";
import { isNameOrWildcard, NAME_RULE } from "../../policy/vocabulary";

export const MAX_TOOL_CALLS = 30;
export const REASONING_EFFORTS = ["max", "xhigh", "high", "medium", "low", "minimal", "none"] as const;
export const REASONING_SUMMARIES = ["auto", "concise", "detailed"] as const;
export const VERBOSITIES = ["low", "medium", "high", "xhigh", "max"] as const;
export const MODALITIES = ["text", "image", "audio"] as const;
export const CACHE_TTLS = ["5m", "1h"] as const;
export const SERVICE_TIERS = ["auto", "default", "fast", "flex", "priority", "scale"] as const;

const record = z.record(z.string(), z.unknown());
const double = z.number().nullish();
const integer = z.number().int();

export const cacheControl = z.looseObject({ type: z.literal("ephemeral"), ttl: openValue(CACHE_TTLS).optional() });

const Metadata = z
  .record(
    z
      .string()
      .max(64)
      .regex(/^[^[\]]*$/, "must not contain brackets"),
    z.string().max(512),
  )
  .refine((metadata) => Object.keys(metadata).length <= 16, "must have at most 16 pairs");

export const Reasoning = z.looseObject({
  enabled: z.boolean().nullish(),
  max_tokens: integer.nullish(),
  effort: openValue(REASONING_EFFORTS).nullish(),
  summary: openValue(REASONING_SUMMARIES).nullish(),
  mode: openValue(["standard", "pro"]).nullish(),
  context: openValue(["auto", "all_turns", "current_turn"]).nullish(),
});

export const StopCondition = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("step_count_is"), step_count: integer }),
  z.looseObject({ type: z.literal("has_tool_call"), tool_name: z.string().min(1) }),
  z.looseObject({ type: z.literal("max_tokens_used"), max_tokens: integer }),
  z.looseObject({ type: z.literal("max_cost"), max_cost_in_dollars: z.number() }),
  z.looseObject({ type: z.literal("finish_reason_is"), reason: z.string().min(1) }),
]);

/** A switch that is off unless it is set; null means the default, as in OpenAI's API. */
const off = z
  .boolean()
  .nullish()
  .meta({ default: false })
  .transform((value) => value ?? false);

export const maxTokens = integer.min(1).nullish();

const modelName = z.string().max(500).regex(/\S/, "must not be blank");

/** The fields that Chat Completions and Responses share, some also with Messages: docs/semantics.md#shared-fields. */
export const requestFields = {
  model: modelName
    .optional()
    .meta({ description: "A model, a preset as `@preset/<slug>`, or both as `<model>@preset/<slug>`" }),
  models: z.array(modelName.refine(isNameOrWildcard, NAME_RULE)).optional().meta({
    description: "Fallback models, tried in order; vendor/* and provider/* stand for all their models, by slug",
  }),
  preset: z.string().max(138).nullish().meta({
    description:
      "Slug of a preset that supplies settings missing in the request; use `<slug>@<version>` to pin a version",
  }),
  temperature: double,
  top_p: double,
  top_k: integer.optional(),
  frequency_penalty: double,
  presence_penalty: double,
  top_logprobs: integer.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stop_server_tools_when: z
    .array(StopCondition)
    .min(1)
    .optional()
    .meta({ description: "The loop stops when any condition is met; overrides max_tool_calls" }),
  modalities: z.array(openValue(MODALITIES)).nullish(),
  image_config: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.unknown())])).optional(),
  metadata: Metadata.nullish(),
  cache_control: cacheControl.optional(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.string().nullish(),
  prompt_cache_options: z
    .looseObject({ mode: openValue(["implicit", "explicit"]).optional(), ttl: z.string().nullish() })
    .nullish(),
  debug: z.looseObject({ echo_upstream_body: z.boolean().optional() }).optional(),
  provider: ProviderPreferences.nullish(),
  plugins: z.array(Plugin).optional(),
  reasoning: Reasoning.nullish(),
  route: z.enum(["fallback", "sort"]).nullish().meta({ deprecated: true }),
  service_tier: openValue(SERVICE_TIERS)
    .nullish()
    .meta({ default: "auto", description: "fast is an alias for priority" }),
  safety_identifier: z.string().nullish().meta({ description: "End-user identifier; sent upstream as a hash" }),
  session_id: z.string().max(256).optional().meta({ description: "Takes precedence over the x-session-id header" }),
  user: z.string().max(256).optional().meta({ description: "End-user identifier" }),
  stream: off,
  trace: z
    .looseObject({
      trace_id: z.string().optional(),
      trace_name: z.string().optional(),
      span_name: z.string().optional(),
      generation_name: z.string().optional(),
      parent_span_id: z.string().optional(),
    })
    .optional(),
};

/** The response format: `text.format` of Responses. */
export const TextFormat = openUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    name: z.string(),
    schema: record,
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);
