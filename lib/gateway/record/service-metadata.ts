import type { Attempt } from "../../records/generations/contract";
import type { Decision } from "../../engine/decision/contract";
import type { Verdict } from "../decide-service";
import type { Endpoint } from "../../engine/endpoint";

/** One step of a request. `type` and `name` are those of OpenRouter's router metadata. */
export interface Stage {
  type: "preset" | "guardrail" | "routing" | "upstream";
  name: string;
  summary: string;
  guardrail_id?: string | null;
  guardrail_scope?: string;
  data: Record<string, unknown>;
}

/**
 * The result of `X-Signalbox-Metadata: enabled`: every processing step in order, the available endpoints and the
 * attempts.
 */
export interface ServiceMetadata {
  requested: string;
  generation_id: string;
  attempt: number;
  is_byok: boolean;
  endpoints: { total: number; available: { provider: string; model: string; selected: boolean }[] };
  attempts: { provider: string; model: string; status: number | null }[];
  pipeline: Stage[];
  /** Duration in milliseconds. */
  generation_time: number;
}

interface Facts {
  id: string;
  verdict: Verdict;
  /** Including budget decisions. */
  decisions: readonly Decision[];
  /** Decisions about the response. */
  responseDecisions: readonly Decision[];
  attempts: readonly Attempt[];
  endpoint: Endpoint | null;
  generationTime: number;
}

export function serviceMetadata({
  id,
  verdict,
  decisions,
  responseDecisions,
  attempts,
  endpoint,
  generationTime,
}: Facts): ServiceMetadata {
  const { candidates, excluded } = verdict.plan;
  return {
    requested: verdict.models[0],
    generation_id: id,
    attempt: attempts.length,
    is_byok: endpoint?.provider.ownership === "byok",
    endpoints: {
      total: candidates.length + excluded.length,
      available: candidates.map((candidate) => ({
        provider: candidate.provider.slug,
        model: candidate.model.slug,
        selected: candidate === endpoint,
      })),
    },
    attempts: attempts.map(({ provider, model, status }) => ({ provider, model, status })),
    pipeline: [
      ...presetStage(verdict),
      ...decisions.map(decisionStage),
      routingStage(verdict),
      ...attempts.map(attemptStage),
      ...responseDecisions.map(decisionStage),
    ],
    generation_time: generationTime,
  };
}

const presetStage = ({ preset }: Verdict): Stage[] =>
  preset
    ? [
        {
          type: "preset",
          name: preset.slug,
          summary: `Preset ${preset.slug}, version ${preset.version}`,
          data: { id: preset.id, version: preset.version },
        },
      ]
    : [];

const PAST: Readonly<Record<string, string>> = {
  block: "blocked",
  redact: "redacted",
  flag: "flagged",
  exclude: "excluded",
  allow: "allowed",
  error: "not judged",
};
const KIND: Readonly<Record<string, string>> = {
  content_filters: "content-filter",
  content_filter_builtins: "content-filter",
  external_checks: "external-check",
  judges: "model-judge",
  limit_usd: "budget",
};

function decisionStage({
  scope,
  guardrail_id,
  guardrail_name,
  revision,
  field,
  rule,
  action,
  spans,
  exception,
  direction,
  withheld,
}: Decision): Stage {
  const done = PAST[action] ?? action;
  return {
    type: "guardrail",
    name: KIND[field] ?? "routing",
    summary: exception
      ? `${rule ?? field} of ${guardrail_name ?? "the key's own limit"}: allowed by an exception until ${exception.expires_at} (${exception.reason})`
      : `${rule ?? field}: ${done}${direction === "response" ? " in the answer" : ""} by ${guardrail_name ?? "the key's own limit"}`,
    guardrail_id,
    guardrail_scope: scope,
    data: {
      action: done,
      flagged: action === "flag",
      field,
      rule,
      revision,
      spans,
      ...(exception && { exception }),
      ...(direction && { direction }),
      ...(withheld !== undefined && { withheld }),
    },
  };
}

const routingStage = ({ plan: { candidates, excluded } }: Verdict): Stage => ({
  type: "routing",
  name: "candidates",
  summary: `${candidates.length} of ${candidates.length + excluded.length} endpoints available`,
  data: {
    candidates: candidates.map(({ model, provider }) => ({ model: model.slug, provider: provider.slug })),
    excluded,
  },
});

const attemptStage = ({ provider, model, status, latency_ms, error }: Attempt): Stage => ({
  type: "upstream",
  name: provider,
  summary: error ?? `${model} answered ${status}`,
  data: { model, status, latency_ms, error },
});
