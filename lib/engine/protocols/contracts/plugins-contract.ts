import { z } from "zod";
import { fusionFields } from "./fusion-contract";
import { openUnion } from "./open-union-contract";
import { approximateLocation, WEB_SEARCH_ENGINES, webFetchFields, WebSearchMode } from "./web-search-contract";

export const MAX_ROUTER_PATTERNS = 1024;
export const MAX_ROUTER_PATTERN_LENGTH = 1024;
export const MAX_ROUTER_PATTERN_CHARACTERS = 65_536;

const enabled = z
  .boolean()
  .optional()
  .meta({ default: true, description: "Set to false to disable the plugin for this request" });

const totalLength = (patterns: readonly string[]) => patterns.reduce((sum, pattern) => sum + pattern.length, 0);
const patterns = z
  .array(z.string().max(MAX_ROUTER_PATTERN_LENGTH))
  .max(MAX_ROUTER_PATTERNS)
  .refine(
    (list) => totalLength(list) <= MAX_ROUTER_PATTERN_CHARACTERS,
    `must have at most ${MAX_ROUTER_PATTERN_CHARACTERS} characters in total`,
  )
  .optional();

const autoRouterFields = {
  enabled,
  allowed_models: patterns.meta({ description: "Wildcard patterns; defaults to every model ranked for the task" }),
  excluded_models: patterns.meta({ description: "Wildcard patterns; takes precedence over allowed_models" }),
  cost_tier: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  cost_quality_tradeoff: z.number().int().min(0).max(10).optional().meta({ deprecated: true, default: 9 }),
};

const PLUGINS = [
  z.looseObject({
    id: z.literal("auto-router"),
    ...autoRouterFields,
    pin_model: z.boolean().optional().meta({ default: false }),
  }),
  z.looseObject({ id: z.literal("auto-beta-router"), ...autoRouterFields }),
  z.looseObject({ id: z.literal("context-compression"), enabled, engine: z.enum(["middle-out"]).optional() }),
  z.looseObject({
    id: z.literal("file-parser"),
    enabled,
    pdf: z
      .looseObject({ engine: z.enum(["mistral-ocr", "native", "cloudflare-ai", "pdf-text"]).optional() })
      .optional(),
  }),
  z.looseObject({
    id: z.literal("fusion"),
    enabled,
    ...fusionFields,
    preset: z.enum(["general-high", "general-budget", "general-fast"]).optional(),
  }),
  z.looseObject({ id: z.literal("moderation") }),
  z.looseObject({
    id: z.literal("pareto-router"),
    enabled,
    max_price: z.number().min(0).optional().meta({ description: "USD per million input tokens" }),
    min_coding_score: z.number().min(0).max(1).optional(),
    price_source: z.enum(["prompt", "weighted_avg"]).optional().meta({ default: "prompt" }),
  }),
  z.looseObject({ id: z.literal("response-healing"), enabled }),
  z.looseObject({
    id: z.literal("web"),
    enabled,
    engine: z.enum(WEB_SEARCH_ENGINES).optional(),
    mode: WebSearchMode.optional(),
    max_results: z.number().int().optional(),
    max_uses: z.number().int().optional(),
    search_prompt: z.string().optional(),
    include_domains: z.array(z.string()).optional(),
    exclude_domains: z.array(z.string()).optional(),
    user_location: z.looseObject({ type: z.literal("approximate"), ...approximateLocation }).nullish(),
  }),
  z.looseObject({ id: z.literal("web-fetch"), ...webFetchFields }),
] as const;

/** Fields of each plugin by its id. */
const FIELDS = new Map<unknown, ReadonlySet<string>>(
  PLUGINS.map(({ shape }) => [shape.id.value, new Set(Object.keys(shape))]),
);
const ALL_FIELDS = new Set([...FIELDS.values()].flatMap((fields) => [...fields]));

/** Plugins of a request: docs/semantics.md#plugins. A field that only other plugins have is an error; new fields pass. */
export const Plugin = openUnion("id", PLUGINS)
  .superRefine((plugin, refinement) => {
    const own = FIELDS.get(plugin.id);
    if (!own) return;
    for (const field of Object.keys(plugin))
      if (!own.has(field) && ALL_FIELDS.has(field))
        refinement.addIssue({ code: "custom", path: [field], message: `is not a field of the plugin ${plugin.id}` });
  })
  .meta({ id: "Plugin" });
export type Plugin = z.output<typeof Plugin>;
