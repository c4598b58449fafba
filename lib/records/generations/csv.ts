import { csvTable } from "../../platform/csv";
import type { Generation } from "./contract";

/** Columns of a generation in a spreadsheet. */
export const GENERATION_TABLE = csvTable<Generation>({
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  model: ({ model }) => model,
  requested_model: ({ requested_model }) => requested_model,
  provider: ({ provider }) => provider,
  protocol: ({ protocol }) => protocol,
  workspace_id: ({ workspace_id }) => workspace_id,
  key_hash: ({ key_hash }) => key_hash,
  key_name: ({ key_name }) => key_name,
  user_id: ({ user_id }) => user_id,
  total_cost: ({ total_cost, cost_known }) => (cost_known ? total_cost : null),
  tokens_prompt: ({ tokens_prompt }) => tokens_prompt,
  tokens_completion: ({ tokens_completion }) => tokens_completion,
  tokens_reasoning: ({ native_tokens_reasoning }) => native_tokens_reasoning,
  tokens_cached: ({ native_tokens_cached }) => native_tokens_cached,
  usage_estimated: ({ usage_estimated }) => usage_estimated,
  latency_ms: ({ latency }) => latency,
  generation_time_ms: ({ generation_time }) => generation_time,
  attempts: ({ attempts }) => attempts.length,
  streamed: ({ streamed }) => streamed,
  finish_reason: ({ finish_reason }) => finish_reason,
  error_status: ({ error }) => error?.status ?? null,
  error_message: ({ error }) => error?.message ?? null,
  decisions: ({ decisions }) => decisions.map(({ action, rule, field }) => `${action} ${rule ?? field}`).join("; "),
  guardrails: ({ decisions }) =>
    [
      ...new Set(
        decisions.flatMap(({ guardrail_id, revision }) =>
          guardrail_id === null ? [] : [`${guardrail_id}@${revision ?? ""}`],
        ),
      ),
    ].join("; "),
  preset_id: ({ preset_id }) => preset_id,
  preset_version: ({ preset_version }) => preset_version,
  session_id: ({ session_id }) => session_id,
  trace_id: ({ trace_id }) => trace_id,
  external_user: ({ external_user }) => external_user,
  app_title: ({ app_title }) => app_title,
  http_referer: ({ http_referer }) => http_referer,
  user_agent: ({ user_agent }) => user_agent,
  sent_by_user_id: ({ sent_by_user_id }) => sent_by_user_id,
  request_id: ({ request_id }) => request_id,
  content_stored: ({ content_stored }) => content_stored,
});
