import type { Context } from "../../platform/context";
import { toParameters, type Row } from "../../platform/database/columns";
import type { Spend } from "../../records/keys/spend-days-store";
import type { Outcome } from "./outcome";
import { allContents } from "../../engine/protocols/accumulate";
import { furtherChoices } from "../../engine/protocols/further-choices";
import { storedAttempts } from "../../records/generations/attempts";
import { searchText } from "./search-text";

/** Columns of `generations` that a record sets; a test compares them with the table. */
export const GENERATION_COLUMNS = {
  created_at: "timestamptz",
  id: "text",
  organization_id: "uuid",
  workspace_id: "uuid",
  key_id: "uuid",
  user_id: "text",
  status: "generation_status",
  api_type: "protocol",
  requested_model: "text",
  model: "text",
  provider_slug: "text",
  is_byok: "bool",
  preset_id: "uuid",
  preset_version: "int4",
  streamed: "bool",
  finish_reason: "text",
  native_finish_reason: "text",
  tokens_prompt: "int4",
  tokens_completion: "int4",
  tokens_reasoning: "int4",
  tokens_cached: "int4",
  cost_micro_usd: "int8",
  usage_estimated: "bool",
  cost_known: "bool",
  latency_ms: "int4",
  generation_time_ms: "int4",
  metadata: "jsonb",
  attempts: "jsonb",
  error_status: "int4",
  error_message: "text",
  upstream_id: "text",
  request_id: "text",
  session_id: "text",
  trace_id: "text",
  external_user: "text",
  http_referer: "text",
  app_title: "text",
  app_categories: "text",
  user_agent: "text",
  sent_by_user_id: "text",
  content_stored: "bool",
  policy_facts: "jsonb",
  queue_ms: "int4",
  policy_ms: "int4",
  filters_ms: "int4",
  checks_ms: "int4",
} as const;

export const CONTENT_COLUMNS = {
  created_at: "timestamptz",
  generation_id: "text",
  input: "jsonb",
  blocked_input: "jsonb",
  completion: "text",
  reasoning: "text",
  tool_calls: "jsonb",
  choices: "jsonb",
  error: "jsonb",
  items: "jsonb",
  search_text: "text",
  storage_key: "text",
  stored_bytes: "int4",
  awaits_upload: "bool",
} as const;

export const DECISION_COLUMNS = {
  created_at: "timestamptz",
  generation_id: "text",
  position: "int4",
  scope: "decision_scope",
  guardrail_id: "uuid",
  guardrail_name: "text",
  revision: "int4",
  field: "text",
  rule: "text",
  action: "text",
  spans: "jsonb",
  reason: "text",
  exception: "jsonb",
  direction: "text",
  withheld: "int4",
} as const;

/** Columns of `response_items`. */
export const ITEM_COLUMNS = {
  key_id: "uuid",
  item_id: "text",
  created_at: "timestamptz",
  generation_id: "text",
} as const;

/** A generation as rows of its tables. */
export interface RecordRows {
  generation: Row;
  /** Null when the prompt must not be stored. Stored only if the workspace logs content. */
  content: Row | null;
  decisions: readonly Row[];
  /** Stored only with the content. */
  items: readonly Row[];
  /** Null for a caller without a key. */
  spend: Spend | null;
}

export function toRows({ caller, client, now, requestId }: Context, outcome: Outcome): RecordRows {
  const { id, status, endpoint, attempts, error, accumulated, prompt, timings } = outcome;
  const { usage, content: completion, reasoning, toolCalls } = accumulated;
  const key = { created_at: now, generation_id: id };
  const isByok = endpoint?.provider.ownership === "byok";
  const keyId = caller.kind === "key" ? caller.keyId : null;
  const items = prompt && keyId !== null ? outcome.items : [];
  const model = endpoint?.model.slug ?? outcome.requestedModel;
  const providerSlug = endpoint?.provider.slug ?? null;
  return {
    generation: toParameters(GENERATION_COLUMNS, {
      created_at: now,
      id,
      organization_id: caller.organizationId,
      workspace_id: caller.workspaceId,
      key_id: keyId,
      user_id: caller.userId,
      status,
      api_type: outcome.apiType,
      requested_model: outcome.requestedModel,
      model,
      provider_slug: providerSlug,
      is_byok: isByok,
      preset_id: outcome.presetId,
      preset_version: outcome.presetVersion,
      streamed: outcome.streamed,
      finish_reason: accumulated.finishReason,
      native_finish_reason: accumulated.nativeFinishReason,
      tokens_prompt: usage?.prompt_tokens,
      tokens_completion: usage?.completion_tokens,
      tokens_reasoning: usage?.completion_tokens_details?.reasoning_tokens,
      tokens_cached: usage?.prompt_tokens_details?.cached_tokens,
      cost_micro_usd: outcome.costMicroUsd,
      usage_estimated: outcome.usageEstimated,
      cost_known: outcome.isCostKnown,
      latency_ms: outcome.latencyMs,
      generation_time_ms: outcome.generationTimeMs,
      metadata: outcome.metadata,
      attempts: storedAttempts(attempts, { model, providerSlug }),
      error_status: error?.status,
      error_message: error?.message,
      upstream_id: accumulated.upstreamId,
      request_id: requestId,
      session_id: outcome.sessionId,
      trace_id: outcome.traceId,
      external_user: outcome.externalUser,
      http_referer: client.httpReferer,
      app_title: client.appTitle,
      app_categories: client.appCategories,
      user_agent: client.userAgent,
      sent_by_user_id: caller.kind === "key" ? caller.sentByUserId : null,
      content_stored: prompt !== null,
      policy_facts: outcome.facts,
      queue_ms: timings.queue,
      policy_ms: timings.policy,
      filters_ms: timings.filters,
      checks_ms: timings.checks,
    }),
    content: prompt
      ? toParameters(CONTENT_COLUMNS, {
          ...key,
          input: { messages: prompt.messages },
          blocked_input: prompt.blocked && { messages: prompt.blocked },
          completion: (status === "failed" || status === "blocked") && completion === "" ? null : completion,
          reasoning: reasoning === "" ? null : reasoning,
          tool_calls: toolCalls.length > 0 ? toolCalls : null,
          choices: furtherChoices(accumulated),
          error,
          items: items.length > 0 ? items : null,
          search_text: searchText(prompt.messages, allContents(accumulated)),
          storage_key: null,
          stored_bytes: null,
          awaits_upload: null,
        })
      : null,
    decisions: outcome.decisions.map((decision, position) =>
      toParameters(DECISION_COLUMNS, {
        reason: null,
        exception: null,
        direction: null,
        withheld: null,
        ...key,
        position,
        ...decision,
      }),
    ),
    items: items.map(({ id: item_id }) => toParameters(ITEM_COLUMNS, { key_id: keyId, item_id, ...key })),
    spend: keyId === null ? null : { keyId, at: now, isByok, costMicroUsd: outcome.costMicroUsd },
  };
}
