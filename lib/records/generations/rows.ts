import "server-only";
import { fromMicroUsd } from "../../engine/money";
import type { Prisma } from "../../../prisma/generated/client";
import { attemptsOf } from "./attempts";
import { Timings, Workload, type Generation } from "./contract";
import type { Decision } from "../../engine/decision/contract";

/** Relations of a generation's record. */
export const withRelations = {
  key: { select: { hash: true, name: true, label: true } },
  decisions: { orderBy: { position: "asc" } },
  content: { select: { generationId: true } },
} as const satisfies Prisma.GenerationInclude;

export type GenerationRow = Prisma.GenerationGetPayload<{ include: typeof withRelations }>;

/** Fields of the public API's record that Signalbox doesn't have. */
const NOT_COUNTED = {
  app_id: null,
  cache_discount: null,
  moderation_latency: null,
  native_tokens_completion_images: null,
  num_fetches: null,
  num_input_audio_prompt: null,
  num_media_completion: null,
  num_media_prompt: null,
  num_search_results: null,
  response_cache_source_id: null,
  router: null,
  service_tier: null,
  upstream_inference_cost: null,
  web_search_engine: null,
} as const satisfies Partial<Generation>;

/** Returns details of the request from the facts of its decision. */
function factsOf(
  facts: Prisma.JsonValue,
): Pick<Generation, "unknown_fields" | "left_out_tools" | "draft_applied" | "replaced_characters" | "workload"> {
  const { unknown_fields, left_out_tools, draft, replaced_characters, workload } =
    typeof facts === "object" && facts !== null && !Array.isArray(facts) ? facts : {};
  const names = (value: unknown) =>
    Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : null;
  const [unknown, leftOut] = [names(unknown_fields), names(left_out_tools)];
  return {
    ...(unknown && { unknown_fields: unknown }),
    ...(leftOut && { left_out_tools: leftOut }),
    ...(draft === true && { draft_applied: true }),
    ...(replaced_characters === true && { replaced_characters: true }),
    ...(workload !== undefined && { workload: Workload.parse(workload) }),
  };
}

/** Returns the duration of each step. Older rows store an object. */
function timingsOf(row: GenerationRow): Timings | null {
  const { queueMs, policyMs, filtersMs, checksMs, latencyMs, generationTimeMs } = row;
  if (queueMs === null) return Timings.nullable().parse(row.timings);
  return {
    queue: queueMs,
    policy: policyMs,
    filters: filtersMs,
    ...(checksMs !== null && { checks: checksMs }),
    upstream_first_byte: latencyMs,
    total: generationTimeMs === null ? null : queueMs + generationTimeMs,
  };
}

/** Converts a row to an API object. JSON columns contain validated values. */
export function toGeneration(row: GenerationRow): Generation {
  const attempts = attemptsOf(row.attempts, row);
  const answered = attempts.findLast(({ provider }) => provider === row.providerSlug);
  const cost = fromMicroUsd(row.costMicroUsd);
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    status: row.status,
    model: row.model,
    requested_model: row.requestedModel,
    provider: row.providerSlug,
    provider_name: answered?.provider_name ?? row.providerSlug,
    protocol: row.apiType as Generation["protocol"],
    workspace_id: row.workspaceId,
    key_hash: row.key?.hash ?? null,
    key_name: row.key?.name ?? null,
    key_label: row.key?.label ?? null,
    user_id: row.userId,
    total_cost: cost,
    usage: cost,
    cost_known: row.costKnown,
    usage_estimated: row.usageEstimated,
    tokens_prompt: row.tokensPrompt,
    tokens_completion: row.tokensCompletion,
    native_tokens_prompt: row.tokensPrompt,
    native_tokens_completion: row.tokensCompletion,
    native_tokens_reasoning: row.tokensReasoning,
    native_tokens_cached: row.tokensCached,
    latency: row.latencyMs,
    generation_time: row.generationTimeMs,
    timings: timingsOf(row),
    streamed: row.streamed,
    cancelled: row.status === "cancelled",
    finish_reason: row.finishReason,
    native_finish_reason: row.nativeFinishReason,
    error: row.errorStatus === null ? null : { status: row.errorStatus, message: row.errorMessage ?? "" },
    attempts,
    ...factsOf(row.policyFacts),
    decisions: row.decisions.map((decision) => ({
      scope: decision.scope,
      guardrail_id: decision.guardrailId,
      guardrail_name: decision.guardrailName,
      revision: decision.revision,
      field: decision.field,
      rule: decision.rule,
      action: decision.action,
      spans: decision.spans as Decision["spans"],
      ...(decision.reason !== null && { reason: decision.reason }),
      ...(decision.exception !== null && { exception: decision.exception as Decision["exception"] }),
      ...(decision.direction === "response" && { direction: decision.direction }),
      ...(decision.withheld !== null && { withheld: decision.withheld }),
    })),
    content_stored: row.contentDeletedAt === null && row.content !== null,
    preset_id: row.presetId,
    preset_version: row.presetVersion,
    session_id: row.sessionId,
    trace_id: row.traceId,
    external_user: row.externalUser,
    metadata: row.metadata as Generation["metadata"],
    request_id: row.requestId,
    upstream_id: row.upstreamId,
    origin: row.httpReferer ?? "",
    http_referer: row.httpReferer,
    app_title: row.appTitle,
    app_categories: row.appCategories,
    user_agent: row.userAgent,
    sent_by_user_id: row.sentByUserId,
    is_byok: row.isByok,
    api_type: row.apiType === "embeddings" ? "embeddings" : "completions",
    data_region: answered?.data_region ?? "global",
    provider_responses: attempts.map(({ status, provider_name, model, latency_ms }) => ({
      status,
      provider_name,
      model_permaslug: model,
      latency: latency_ms,
      is_byok: row.isByok,
    })),
    ...NOT_COUNTED,
  };
}
