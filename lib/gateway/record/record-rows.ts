import type { Context } from "../../platform/context";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { textOf } from "../../engine/protocols/message-text";
import type { Outcome } from "./outcome";

const SEARCHABLE_CHARACTERS = 200_000;

/** A generation as rows of its tables; keys are column names. */
export interface RecordRows {
  generation: Record<string, unknown>;
  /** Null when nothing was sent upstream; stored only if the workspace logs content. */
  content: Record<string, unknown> | null;
  decisions: Record<string, unknown>[];
}

export function toRows({ caller, client, now, requestId }: Context, outcome: Outcome): RecordRows {
  const { id, status, endpoint, attempts, error, accumulated, messages } = outcome;
  const { usage, content: completion, reasoning, toolCalls } = accumulated;
  // A denied request was never sent; a cancelled one may have been in flight.
  const wasSent = attempts.length > 0 || status === "cancelled";
  const key = { created_at: now, generation_id: id };
  return {
    generation: {
      created_at: now,
      id,
      organization_id: caller.organizationId,
      workspace_id: caller.workspaceId,
      key_id: caller.kind === "key" ? caller.keyId : null,
      user_id: caller.userId,
      status,
      api_type: outcome.protocol,
      requested_model: outcome.requestedModel,
      model: endpoint?.model.slug ?? outcome.requestedModel,
      provider_slug: endpoint?.provider.slug ?? null,
      is_byok: endpoint?.provider.ownership === "byok",
      preset_id: outcome.presetId,
      preset_version: outcome.presetVersion,
      streamed: outcome.streamed,
      finish_reason: accumulated.finishReason,
      native_finish_reason: accumulated.nativeFinishReason,
      tokens_prompt: usage?.prompt_tokens,
      tokens_completion: usage?.completion_tokens,
      tokens_reasoning: usage?.completion_tokens_details?.reasoning_tokens,
      tokens_cached: usage?.prompt_tokens_details?.cached_tokens,
      cost_micro_usd: String(outcome.costMicroUsd),
      usage_estimated: outcome.usageEstimated,
      latency_ms: outcome.latencyMs,
      generation_time_ms: outcome.generationTimeMs,
      timings: outcome.timings,
      metadata: outcome.metadata,
      attempts,
      error_status: error?.status,
      error_message: error?.message,
      upstream_id: accumulated.upstreamId,
      request_id: requestId,
      session_id: outcome.sessionId,
      external_user: outcome.externalUser,
      http_referer: client.httpReferer,
      app_title: client.appTitle,
      app_categories: client.appCategories,
      user_agent: client.userAgent,
      content_stored: wasSent,
      policy_facts: outcome.facts,
    },
    content: wasSent
      ? {
          ...key,
          input: { messages },
          completion: (status === "failed" || status === "blocked") && completion === "" ? null : completion,
          reasoning: reasoning === "" ? null : reasoning,
          tool_calls: toolCalls.length > 0 ? toolCalls : null,
          error,
          search_text: searchText(messages, completion),
        }
      : null,
    decisions: outcome.decisions.map((decision, position) => ({ ...key, position, ...decision })),
  };
}

const searchText = (messages: readonly ChatMessage[], completion: string): string =>
  [...messages.map(({ content }) => textOf(content)), completion].join("\n").slice(0, SEARCHABLE_CHARACTERS);
