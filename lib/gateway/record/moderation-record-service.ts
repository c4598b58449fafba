import "server-only";
import { newAccumulated } from "../../engine/protocols/accumulate";
import type { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Decision } from "../../engine/decision/contract";
import { countGeneration } from "./generation-metrics-service";
import type { GenerationStart } from "./generation-start-service";
import { storedError, type Outcome } from "./outcome";
import { record } from "./record-store";

/** The model named by a moderation: Signalbox itself. */
export const MODERATOR = "signalbox";

interface Moderated {
  decisions: Decision[];
  timings: { filters: number; checks: number };
  /** Null for a moderation with a result. */
  error: ApiError | null;
}

/** Records a moderation as a generation without endpoint, cost or content, because nothing is sent upstream. */
export async function recordModeration(
  context: Context,
  { id, apiType, queue, elapsed, trace }: GenerationStart,
  { decisions, timings: { filters, checks }, error }: Moderated,
): Promise<void> {
  const ms = elapsed();
  const outcome: Outcome = {
    id,
    apiType,
    requestedModel: MODERATOR,
    streamed: false,
    sessionId: context.client.sessionId,
    traceId: context.trace.caller?.traceId ?? null,
    externalUser: null,
    metadata: null,
    prompt: null,
    status: error === null ? "succeeded" : error.status === 403 ? "blocked" : "failed",
    endpoint: null,
    attempts: [],
    decisions,
    facts: null,
    catalogue: [],
    presetId: null,
    presetVersion: null,
    accumulated: newAccumulated(),
    items: [],
    costMicroUsd: 0n,
    isCostKnown: true,
    usageEstimated: false,
    settlements: [],
    latencyMs: null,
    generationTimeMs: ms,
    timings: {
      queue,
      policy: Math.max(0, ms - Math.round(filters + checks)),
      filters: Math.round(filters),
      checks: Math.round(checks),
      upstream_first_byte: null,
      total: queue + ms,
    },
    error: error && storedError(error),
  };
  trace.ended(outcome);
  const start = performance.now();
  await record(context, outcome);
  trace.ran("record", start, performance.now() - start);
  if (context.caller.kind === "key") countGeneration(outcome, context.caller.keyId, context.settings.metricsLabels);
}
