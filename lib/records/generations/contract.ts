import { z } from "zod";
import { envelope, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { integerParam, PageQuery, sortParam } from "../../platform/http/pagination";
import { EXPORT_FORMATS } from "../../platform/http/vocabulary";
import { Decision } from "../../engine/decision/contract";
import { DATA_REGIONS } from "../../engine/vocabulary";
import { API_TYPES } from "../../engine/protocols/vocabulary";
import { DECISION_ACTIONS, GENERATION_SORTS, GENERATION_STATUSES } from "./vocabulary";

const text = z.string().nullable();
const count = z.number().int().min(0).nullable();
const milliseconds = z.number().min(0).nullable();
const usd = z.number().min(0);

/** As in the public API, the generation's id is a query parameter. */
export const GenerationIdQuery = z.object({ id: z.string().min(1).max(100) });

/** One upstream attempt, in order. */
export const Attempt = z.object({
  provider: z.string().meta({ description: "Provider slug" }),
  provider_name: z.string(),
  model: z.string(),
  status: z.number().int().nullable().meta({ description: "The upstream's HTTP status, if any" }),
  latency_ms: z.number().int().min(0).meta({ description: "Milliseconds until the first token, or the failure" }),
  error: text,
  data_region: z
    .enum(DATA_REGIONS)
    .optional()
    .meta({ description: "Data region of the endpoint; missing before endpoints had one" }),
  estimated_cost: z.number().optional().meta({
    description: "USD charged for a failed attempt that the provider may bill; part of the generation's cost",
  }),
});
export type Attempt = z.output<typeof Attempt>;

/** A workload by the issuer and the subject of its token. */
export const Workload = z.object({ issuer: z.string(), subject: z.string() });

/** Duration of each step, in milliseconds. */
export const Timings = z.object({
  queue: milliseconds.meta({ description: "Between the request's arrival and the start of inference" }),
  policy: milliseconds.meta({ description: "Loading preset and guardrails" }),
  filters: milliseconds.meta({ description: "Content filters" }),
  checks: milliseconds.optional().meta({ description: "External checks" }),
  upstream_first_byte: milliseconds.meta({ description: "Until the first token; null when there was none" }),
  total: milliseconds.meta({ description: "From the request's arrival to the end of the response" }),
});
export type Timings = z.output<typeof Timings>;

/**
 * A generation: OpenRouter's fields, plus Signalbox's status, decisions and attempts (docs/semantics.md#generations).
 */
export const Generation = z
  .object({
    id: z.string(),
    created_at: Timestamp,
    status: z.enum(GENERATION_STATUSES),
    model: z.string(),
    requested_model: z.string(),
    provider: text.meta({ description: "Provider slug" }),
    provider_name: text,
    protocol: z.enum(API_TYPES).meta({ description: "The API of the request" }),
    workspace_id: Uuid,
    key_hash: text,
    key_name: text,
    key_label: text,
    user_id: text.meta({ description: "The member who created the key" }),
    total_cost: usd.meta({ description: "USD; what is unknown counts as 0" }),
    usage: usd.meta({ description: "USD; what is unknown counts as 0" }),
    cost_known: z.boolean().meta({
      description: "False when the price of the model was unknown: `total_cost` and `usage` lack what it costs",
    }),
    usage_estimated: z
      .boolean()
      .meta({ description: "Whether tokens and cost are estimated because the upstream reported no usage" }),
    tokens_prompt: count,
    tokens_completion: count,
    native_tokens_prompt: count,
    native_tokens_completion: count,
    native_tokens_reasoning: count,
    native_tokens_cached: count,
    latency: milliseconds.meta({ description: "Milliseconds until the first token" }),
    generation_time: milliseconds.meta({ description: "Milliseconds until the end of the response" }),
    timings: Timings.nullable(),
    streamed: z.boolean(),
    cancelled: z.boolean(),
    finish_reason: text,
    native_finish_reason: text,
    error: z.object({ status: z.number().int(), message: z.string() }).nullable(),
    workload: Workload.optional().meta({
      description: "The workload whose token was exchanged for the key of the request",
    }),
    unknown_fields: z
      .array(z.string())
      .optional()
      .meta({ description: "Names of the request's fields that Signalbox doesn't know; absent when there are none" }),
    replaced_characters: z.boolean().optional().meta({
      description:
        "True when texts of the request or the answer contain NUL characters, which are stored as U+FFFD; absent otherwise",
    }),
    draft_applied: z
      .boolean()
      .optional()
      .meta({ description: "True when an unsaved guardrail applied in addition, see the playground" }),
    left_out_tools: z
      .array(z.string())
      .optional()
      .meta({ description: "Types of hosted tools that weren't sent to the upstream; absent when there are none" }),
    attempts: z.array(Attempt),
    decisions: z.array(Decision),
    content_stored: z.boolean().meta({ description: "Whether prompt and completion can be read" }),
    preset_id: Uuid.nullable(),
    preset_version: z.number().int().nullable(),
    session_id: text,
    trace_id: text.meta({ description: "`trace.trace_id`, or the trace ID of the traceparent header" }),
    external_user: text.meta({
      description:
        "The end user: `user` of the request, or else `safety_identifier`, or else the header `X-Signalbox-End-User`",
    }),
    metadata: z.record(z.string(), z.unknown()).nullable().meta({ description: "The `metadata` field of the request" }),
    request_id: z.string(),
    upstream_id: text,
    origin: z.string(),
    http_referer: text,
    app_title: text,
    app_categories: text,
    user_agent: text,
    sent_by_user_id: text.meta({ description: "The member who sent the request from the console's playground" }),
    is_byok: z.boolean(),
    api_type: z.enum(["completions", "embeddings"]),
    data_region: z
      .enum(DATA_REGIONS)
      .meta({ description: "Data region of the endpoint that answered; global also when none did" }),
    provider_responses: z.array(
      z.object({
        status: z.number().int().nullable(),
        provider_name: z.string(),
        model_permaslug: z.string(),
        latency: z.number(),
        is_byok: z.boolean(),
      }),
    ),
    app_id: z.null(),
    cache_discount: z.null(),
    moderation_latency: z.null(),
    native_tokens_completion_images: z.null(),
    num_fetches: z.null(),
    num_input_audio_prompt: z.null(),
    num_media_completion: z.null(),
    num_media_prompt: z.null(),
    num_search_results: z.null(),
    response_cache_source_id: z.null(),
    router: z.null(),
    service_tier: z.null(),
    upstream_inference_cost: z.null(),
    web_search_engine: z.null(),
  })
  .meta({ id: "Generation" });
export type Generation = z.output<typeof Generation>;

const anyOf = <T extends z.ZodType<string, string>>(value: T) => z.union([value, z.array(value).max(100)]).optional();
const word = z.string().min(1).max(256);
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, "must be an amount in USD with at most 6 decimals")
  .optional();

const cursor = z.string().max(500).optional();

/** Filters of the log; a repeated filter matches any of its values. */
export const GenerationFilters = z.object({
  workspace_id: anyOf(Uuid),
  status: anyOf(z.enum(GENERATION_STATUSES)),
  model: anyOf(word),
  provider: anyOf(word).meta({ description: "Provider slug" }),
  key_hash: anyOf(word),
  tag: anyOf(word).meta({ description: "Current tag of the key or its member" }),
  user_id: anyOf(word),
  protocol: anyOf(z.enum(API_TYPES)),
  guardrail_id: anyOf(Uuid).meta({
    description: "Guardrails that made a decision; combined with rule and action, in the same decision",
  }),
  rule: anyOf(word).meta({ description: "Rule or field of a decision: `email`, `[PROJECT]`, `allowed_models`" }),
  action: anyOf(z.enum(DECISION_ACTIONS)).meta({ description: "Action of a decision" }),
  blocked_by: anyOf(Uuid).meta({
    description:
      "Guardrails that blocked the request: with a decision to block, or by excluding endpoints if no rule decided to block; combined with guardrail_id, rule and action, in the same decision",
  }),
  preset: anyOf(word).meta({ description: "Preset slug" }),
  preset_version: integerParam(1, 1_000_000).optional(),
  session_id: anyOf(word),
  trace_id: anyOf(word),
  request_id: word.optional().meta({
    description:
      "`X-Request-Id` of the request. An ID from Signalbox is found at any time, one from the caller within the time range",
  }),
  end_user: anyOf(word).meta({ description: "End user that requests name in `user`, or else `safety_identifier`" }),
  app: anyOf(z.string().min(1).max(512)).meta({
    description: "Application: its title (`app_title`), or its `http_referer` if it has none",
  }),
  from: Instant.optional().meta({ description: "At or after this time" }),
  to: Instant.optional().meta({ description: "Before" }),
  min_cost: amount.meta({ description: "USD" }),
  max_cost: amount.meta({ description: "USD" }),
  q: z.string().trim().min(1).max(500).optional().meta({
    description:
      "Search text in prompt and completion, or a generation ID; without `contents:read`, only a generation ID",
  }),
});
export type GenerationFilters = z.output<typeof GenerationFilters>;

/** Filters of lists with a start, see `withRange`. */
const RangedFilters = GenerationFilters.extend({
  from: Instant.optional().meta({
    description:
      "At or after this time. Default: 30 days before `to`, or before now; none for a search by generation ID or by a request ID from Signalbox",
  }),
});

/** By default, newest first. */
const sort = sortParam(GENERATION_SORTS).meta({
  description:
    "`cost`, `tokens` (prompt and completion), `duration` or `created_at`, prefixed with `-` for descending order. Default: `-created_at`. Generations whose value is unknown come last",
});

export const ListGenerationsQuery = RangedFilters.extend({
  sort,
  limit: PageQuery.shape.limit,
  cursor: cursor.meta({ description: "`next_cursor` of the previous page, which had the same `sort`" }),
});
export type ListGenerationsQuery = z.output<typeof ListGenerationsQuery>;

const reading = { tag: "Generations", access: "member", method: "GET", status: 200 } as const;

export const getGeneration = operation({
  tag: "Generations",
  access: "any",
  method: "GET",
  status: 200,
  id: "getGeneration",
  path: "/generation",
  summary: "Get the record of a generation; inference keys get their own, and members those of their keys",
  query: GenerationIdQuery,
  result: envelope(Generation),
  errors: [404],
});

export const getGenerationNeighbours = operation({
  ...reading,
  id: "getGenerationNeighbours",
  permission: "generations:read",
  byWorkspace: true,
  path: "/generation/neighbours",
  summary: "Get the generations before and after a generation in the filtered log",
  query: GenerationFilters.extend({
    ...GenerationIdQuery.shape,
    sort,
    from: Instant.optional().meta({ description: "At or after this time. Default: 30 days before the generation" }),
  }),
  result: envelope(
    z.object({
      newer: z
        .string()
        .nullable()
        .meta({ description: "The one before in the log: newer, unless `sort` says otherwise" }),
      older: z.string().nullable().meta({ description: "The one after" }),
    }),
  ),
  errors: [404],
});

export const listGenerations = operation({
  ...reading,
  id: "listGenerations",
  permission: "generations:read",
  byWorkspace: true,
  readsReplica: true,
  path: "/generations",
  summary: "List generations, newest first or sorted",
  query: ListGenerationsQuery,
  result: z.object({ data: z.array(Generation), next_cursor: z.string().nullable() }),
});

export const tailGenerations = operation({
  ...reading,
  id: "tailGenerations",
  permission: "generations:read",
  byWorkspace: true,
  path: "/generations/tail",
  summary:
    "Follow the log: list generations recorded after a cursor, in order of recording; without a cursor, get the cursor of the log's end",
  query: GenerationFilters.extend({
    limit: PageQuery.shape.limit,
    since: cursor.meta({ description: "`next_cursor` of the previous response" }),
  }),
  result: z.object({ data: z.array(Generation), next_cursor: z.string() }),
});

export const EXPORT_COUNTED = 100_000;

export const exportGenerations = operation({
  ...reading,
  id: "exportGenerations",
  permission: "generations:read",
  byWorkspace: true,
  path: "/generations/export",
  summary: "Download all matching generations, newest first, one record per line",
  query: RangedFilters.extend({ format: z.enum(EXPORT_FORMATS).default("jsonl") }),
  result: z.string(),
  downloads: ["application/jsonl", "text/csv"],
});
