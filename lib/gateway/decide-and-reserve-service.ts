import "server-only";
import { budgetRules } from "../engine/budgets/budget";
import { rateHeaders } from "../engine/budgets/rate-headers";
import type { RequestSize } from "../engine/budgets/budget-rule";
import { awaited, exhaustedAt, exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../engine/budgets/denial";
import type { Endpoint } from "../engine/endpoint";
import type { Layer } from "../engine/policy/layers";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { WARNINGS_HEADER, warningsOf } from "../engine/protocols/warnings";
import { requestSize } from "../engine/routing/request-size";
import { forbidden } from "../platform/api-error";
import type { Caller, Context } from "../platform/context";
import { following, type Signal } from "../platform/signal";
import type { ApiType } from "../engine/protocols/vocabulary";
import { loadLayers } from "../records/guardrails/layers-store";
import { billedRatios } from "../records/providers/billed-ratios";
import { responseGuards, type ResponseGuards } from "./response-guards-service";
import { decide, type Verdict } from "./decide-service";
import { callJudging, type CompleteJudgeRequest, type Judge } from "./judge-request-service";
import { GenerationRecorder } from "./record/generation-recorder-service";
import type { GenerationStart } from "./record/generation-start-service";
import type { GenerationTrace } from "./record/generation-trace-service";
import { refuseWhenSaturated } from "./record/record-store";
import { storedPrompt } from "./record/stored-prompt";
import { requestLimits } from "./request-limits-service";
import { NO_RESERVATION, reserveBudget } from "./reservation-service";
import { StreamReading } from "./stream-reading-service";

/** Settings of requests that don't come from an endpoint of their protocol. */
export interface Origin {
  apiType?: ApiType;
  /** For a judge's request, which runs under the layers of the judged request. */
  judge?: Judge;
  /** Adds guardrails to those of the key. */
  withLayers?: (own: readonly Layer[]) => readonly Layer[];
}

/** A request that may be sent, with its estimated cost reserved. */
export interface AcceptedRequest<A extends InferenceRequest = InferenceRequest> {
  verdict: Verdict<A>;
  size: RequestSize;
  /** The endpoints to try in order, all within every budget. */
  candidates: readonly Endpoint[];
  recorder: GenerationRecorder;
  guards: ResponseGuards;
  /** Aborted when the client has disconnected, and by `abandon`. */
  signal: Signal;
  /** Null for a response that isn't streamed. */
  reading: StreamReading | null;
  /** Stops a streamed response; no effect on others. */
  abandon: () => void;
}

/**
 * Decides about a request and reserves budget for it. Throws a denial that has been recorded.
 * @param complete Completes the requests of judges.
 */
export async function decideAndReserve<A extends InferenceRequest>(
  context: Context,
  generation: GenerationStart,
  request: A,
  origin: Origin,
  complete: CompleteJudgeRequest,
): Promise<AcceptedRequest<A>> {
  const { caller, db, headers } = context;
  const { trace } = generation;
  const { judge } = origin;
  if (caller.kind !== "key") throw forbidden("Only inference keys can perform this operation");
  refuseWhenSaturated(db);
  const layers = layersOf(context, caller, origin);
  const judging = callJudging(context, caller, generation, complete);
  const start = performance.now();
  const { workspaceId, keyId, userId, tags = [], limit } = caller;
  const limits = requestLimits(context, { workspaceId, keyId, userId, tags, isOfJudge: judge !== undefined });
  const verdict = await decide(context, request, { layers, limit, limits }, judging);
  noteDecision(trace, start, verdict.timings);
  headers.set("x-generation-id", generation.id);
  setWarnings(headers, verdict, null);
  const prompt = storedPrompt(verdict);
  if (verdict.denial) {
    const { decisions } = verdict;
    const recorder = new GenerationRecorder(context, generation, {
      verdict,
      prompt,
      size: null,
      reservation: NO_RESERVATION,
      decisions,
    });
    throw await recorder.recordDenial(verdict.denial);
  }

  const { candidates: planned } = verdict.plan;
  const rulesOf = await limits;
  const rules = [...budgetRules(verdict.counted, { keyId, userId, key: limit }), ...rulesOf(verdict.request, planned)];
  const size = requestSize(verdict.request, billedRatios.ratios, generation.apiType);
  const reserving = performance.now();
  const reservation = await reserveBudget(context, generation.id, rules, planned, size);
  trace.ran("budget", reserving, performance.now() - reserving);
  const { candidates, exhausted, reserved } = reservation;
  const isDenied = candidates.length === 0;
  const excluding = isDenied ? exhaustedAt(planned, exhausted, size) : [];
  for (const [name, value] of rateHeaders(reserved, awaited(excluding, context.now), context.now))
    headers.set(name, value);
  const decisions = [
    ...verdict.decisions,
    ...exhaustedDecisions(exhausted, isDenied ? "block" : "exclude"),
    ...raisedDecisions(reserved, candidates, size),
  ];
  const recorder = new GenerationRecorder(context, generation, { verdict, prompt, size, reservation, decisions });
  if (isDenied) {
    judge?.onExhausted(exhausted);
    throw await recorder.recordDenial({
      kind: "budget",
      status: "blocked",
      error: exhaustedDenial(exhausted, excluding, context.now),
    });
  }

  const { stream } = verdict.request.body;
  const abandoned = stream || judge ? following(context.signal) : null;
  const signal = abandoned ?? context.signal;
  return {
    verdict,
    size,
    candidates,
    recorder,
    guards: responseGuards(context, verdict, judging, signal),
    signal,
    reading: stream ? new StreamReading(signal) : null,
    abandon: () => abandoned?.abort(),
  };
}

function layersOf(
  { db, settings, now }: Context,
  caller: Caller & { kind: "key" },
  { judge, withLayers }: Origin,
): Promise<readonly Layer[]> {
  const own = judge ? Promise.resolve(judge.layers) : loadLayers(db, caller, settings.zdrVendors, now);
  return withLayers ? own.then(withLayers) : own;
}

/** Adds the stages of a decision to the trace: policy, then filters, then checks. */
function noteDecision(trace: GenerationTrace, start: number, { policy, filters, checks }: Verdict["timings"]): void {
  trace.ran("policy", start, policy);
  trace.ran("filters", start + policy, filters);
  if (checks > 0) trace.ran("checks", performance.now() - checks, checks);
}

/** Sets the header that lists fields without the expected effect; `endpoint` is null until one has responded. */
export function setWarnings(headers: Headers, { request, unknown }: Verdict, endpoint: Endpoint | null): void {
  const warnings = warningsOf(request, unknown, endpoint);
  if (warnings !== null) headers.set(WARNINGS_HEADER, warnings);
}
