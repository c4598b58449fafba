import "server-only";
import { setImmediate } from "node:timers";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import { countsToward } from "../../engine/budgets/budget-policy";
import { release } from "../../records/budgets/service";
import type { Context } from "../../platform/context";
import type { Decision } from "../../records/generations/contract";
import type { ApiType } from "../../records/generations/vocabulary";
import { newGenerationId } from "../../platform/ids";
import { countGeneration } from "./generation-metrics-service";
import { GenerationTrace } from "./generation-trace-service";
import { fromMicroUsd } from "../../engine/money";
import type { ApiError } from "../../platform/api-error";
import type { Signal } from "../../platform/signal";
import { snapshotsOf } from "./catalogue-snapshots-store";
import type { Denial } from "../../engine/decision/denial";
import type { Verdict } from "../decide-service";
import type { Endpoint } from "../../engine/endpoint";
import type { Reservation } from "../reservation-service";
import { checkDecisions } from "../../engine/checks/check-result";
import { findingsToDecisions } from "../../engine/filters/findings";
import { emptyAnswer, type AccumulatedAnswer } from "../../engine/protocols/accumulate";
import type { AnswerChecks } from "../checks/answer-checks-service";
import type { AnswerFilter } from "../filters/answer-service";
import type { Report } from "../../engine/protocols/observe";
import type { RequestSize } from "../../engine/budgets/budget-rule";
import { estimatedUsage } from "../../engine/routing/estimated-usage";
import { costDetails, promptAndCompletion, costMicroUsd } from "../../engine/routing/price";
import { billedRatios } from "../../records/providers/billed-ratios";
import type { Outcome } from "./outcome";
import { usageEstimator } from "../tokens/usage-estimate-service";
import { closeGeneration, openGeneration } from "./open-generations-service";
import { policyFacts } from "./policy-facts";
import { record } from "./record-store";
import type { StoredPrompt } from "./stored-prompt";
import { serviceMetadata, type ServiceMetadata } from "./service-metadata";
import type { Ending, FirstAnswer, NoAnswer } from "../upstream/upstream-client";
import { describeFailures, type Failure } from "../../engine/protocols/upstream-failure";
import { leftOutTools } from "../../engine/protocols/upstream-request";

/** A generation's id, and a clock started at its request. */
export interface GenerationStart {
  id: string;
  apiType: ApiType;
  /** Milliseconds between the request's arrival and the start of inference. */
  queue: number;
  /** Returns milliseconds since inference started. */
  elapsed: () => number;
  trace: GenerationTrace;
}

export function startGeneration({ now, arrivedAt, trace }: Context, apiType: ApiType): GenerationStart {
  const start = performance.now();
  return {
    id: newGenerationId(now),
    apiType,
    queue: Math.round(start - arrivedAt),
    elapsed: () => Math.round(performance.now() - start),
    trace: new GenerationTrace(trace, arrivedAt),
  };
}

/** Everything known about a generation before an upstream is called. */
export interface GenerationInput {
  verdict: Verdict;
  prompt: StoredPrompt | null;
  /** Null when the request is denied. */
  size: RequestSize | null;
  reservation: Reservation;
  /** Including budget decisions. */
  decisions: Decision[];
}

/** What judges an answer. */
interface AnswerGuards {
  filter: AnswerFilter | null;
  checks: AnswerChecks | null;
}

/** Records the result of a generation. */
export interface GenerationRun {
  /** Set when the process ends: the upstream's answer isn't awaited any longer. */
  ended: Ending;
  /**
   * Records the end of an answer, with priced usage and settled reservations.
   * @param guards The filter and the checks of the answer; null when none applies to answers.
   * @param left Aborted when the client has disconnected.
   */
  reportOf: (answer: FirstAnswer, guards: AnswerGuards, left: Signal) => Report;
  /** Records that no endpoint answered, or that the client disconnected first. */
  recordNoAnswer: (reason: NoAnswer) => Promise<void>;
  /** Records a denial and returns the error to throw. */
  recordDenial: (denial: Denial) => Promise<ApiError>;
  /** Releases reservations after an internal failure that leaves no record. */
  abandon: () => Promise<void>;
  /** Null unless the client requested it. */
  metadata: (
    endpoint: Endpoint | null,
    attempts: Outcome["attempts"],
    answerDecisions?: readonly Decision[],
  ) => ServiceMetadata | null;
}

const toUsd = (parts: Readonly<Record<string, bigint>>): Record<string, number> =>
  Object.fromEntries(Object.entries(parts).map(([part, microUsd]) => [part, fromMicroUsd(microUsd)]));

const NO_GUARDS: AnswerGuards = { filter: null, checks: null };
const NO_USAGE = estimatedUsage(0, 0);
const CANCELLED = { status: "cancelled" } as const;

const storedDenial = ({ status, message }: ApiError) => ({
  status,
  message,
  provider_name: null,
  raw: null,
  previous_errors: [],
});

/** The decisions about an answer; one that withholds it says how much of it wasn't sent. */
const answerDecisionsOf = (
  { filter, checks }: AnswerGuards,
  received: AccumulatedAnswer,
  sent: AccumulatedAnswer,
): Decision[] =>
  [
    ...findingsToDecisions(filter?.findings ?? [], "response"),
    ...checkDecisions(checks?.results ?? [], "response"),
  ].map((decision) => ({
    ...decision,
    ...(["block", "error"].includes(decision.action) && { withheld: Math.max(0, received.size - sent.size) }),
  }));

/** Longer ids of requests are cut off. */
const MAX_TRACE_ID = 256;

export function generationRun(
  context: Context,
  { id, apiType, queue, elapsed, trace }: GenerationStart,
  { verdict, prompt, size, reservation, decisions }: GenerationInput,
): GenerationRun {
  const { request, preset, models, timings } = verdict;
  const { body } = request;
  const ended = openGeneration();
  const metadata: GenerationRun["metadata"] = (endpoint, attempts, answerDecisions = []) =>
    context.client.wantsMetadata
      ? serviceMetadata({ id, verdict, decisions, answerDecisions, attempts, endpoint, generationTime: elapsed() })
      : null;
  const write = async (
    end: Pick<
      Outcome,
      "status" | "endpoint" | "attempts" | "accumulated" | "costMicroUsd" | "usageEstimated" | "latencyMs" | "error"
    >,
    answerDecisions: readonly Decision[] = [],
    { filter, checks }: AnswerGuards = NO_GUARDS,
  ) => {
    const catalogue = snapshotsOf(verdict.endpoints);
    const outcome: Outcome = {
      status: end.status,
      endpoint: end.endpoint,
      attempts: end.attempts,
      accumulated: end.accumulated,
      costMicroUsd: end.costMicroUsd,
      usageEstimated: end.usageEstimated,
      latencyMs: end.latencyMs,
      error: end.error,
      id,
      apiType,
      requestedModel: models[0],
      streamed: body.stream,
      sessionId: body.session_id ?? context.client.sessionId,
      traceId: body.trace?.trace_id?.slice(0, MAX_TRACE_ID) || (context.trace.caller?.traceId ?? null),
      externalUser: endUserOf(request),
      metadata: body.metadata ?? null,
      prompt,
      decisions: [...decisions, ...answerDecisions],
      facts: policyFacts(
        verdict,
        context.settings.zdrVendors,
        catalogue.map(({ hash }) => hash),
        {
          findings: filter?.findings ?? [],
          checks: checks?.results ?? [],
          leftOut: end.endpoint ? leftOutTools(request, end.endpoint) : [],
        },
      ),
      catalogue,
      presetId: preset?.id ?? null,
      presetVersion: preset?.version ?? null,
      settlements: reservation.reserved.map(({ budgetId, rule }) => ({
        budgetId,
        generationId: id,
        costMicroUsd: end.endpoint && countsToward(rule, end.endpoint) ? end.costMicroUsd : 0n,
      })),
      generationTimeMs: elapsed(),
      timings: {
        queue,
        policy: Math.round(timings.policy),
        filters: Math.round(timings.filters),
        checks: Math.round(timings.checks + (checks?.ms ?? 0)),
        upstream_first_byte: end.latencyMs,
        total: queue + elapsed(),
      },
    };
    trace.ended(outcome);
    const start = performance.now();
    await record(context, outcome).finally(() => closeGeneration(ended));
    trace.ran("record", start, performance.now() - start);
    const { caller, settings } = context;
    // When the answer has been sent.
    if (caller.kind === "key") setImmediate(() => countGeneration(outcome, caller.keyId, settings.metricsLabels));
  };
  const estimator = size && usageEstimator(request, size);
  /** Returns the cost of failed attempts that upstreams may bill, and notes it on each of them. */
  const chargeFailures = async (attempts: Outcome["attempts"], failures: readonly Failure[]): Promise<bigint> => {
    let sum = 0n;
    for (const failure of failures) {
      const cost = costMicroUsd(failure.endpoint.prices, (await estimator?.ofFailure(failure)) ?? null);
      const attempt = failure.attempt === undefined ? undefined : attempts[failure.attempt];
      if (attempt && cost > 0n) attempt.estimated_cost = fromMicroUsd(cost);
      sum += cost;
    }
    return sum;
  };
  const nothing = () => ({ accumulated: emptyAnswer(), costMicroUsd: 0n, usageEstimated: false, latencyMs: null });
  return {
    ended,
    metadata,
    abandon: () => release(context, id, reservation.reserved).finally(() => closeGeneration(ended)),
    reportOf: ({ endpoint, attempts, failures, measure }, guards, left) => {
      const latencyMs = elapsed();
      return async (ended, accumulated) => {
        const end = !body.stream && ended.status === "succeeded" && left.aborted ? CANCELLED : ended;
        const received = guards.filter?.received ?? accumulated;
        const answerDecisions = answerDecisionsOf(guards, received, accumulated);
        const usage = received.usage ?? (await estimator?.ofAnswer(endpoint, received)) ?? NO_USAGE;
        if (end.status === "succeeded") measure(usage.completion_tokens);
        // The size of an image is unknown until it is billed, and says nothing about other prompts.
        if (received.usage && size?.images === 0)
          billedRatios.record(endpoint.id, { billed: usage.prompt_tokens, estimated: size.prompt.expected });
        const serviceTier = received.serviceTier ?? size?.serviceTier ?? null;
        const failed = await chargeFailures(attempts, failures);
        const cost = costMicroUsd(endpoint.prices, usage, serviceTier) + failed;
        const error =
          end.status === "failed"
            ? describeFailures([...failures, { endpoint, failure: end.failure }])
            : end.status === "blocked"
              ? storedDenial(end.error)
              : null;
        const usageEstimated = received.usage === null;
        const recorded = write(
          {
            status: end.status === "blocked" ? end.recorded : end.status,
            endpoint,
            attempts,
            accumulated: accumulated.usage === usage ? accumulated : { ...accumulated, usage },
            costMicroUsd: cost,
            usageEstimated,
            latencyMs,
            error,
          },
          answerDecisions,
          guards,
        );
        const parts = costDetails(endpoint.prices, usage, serviceTier);
        const sums = promptAndCompletion(parts);
        return {
          costUsd: fromMicroUsd(cost),
          costDetails: {
            prompt: fromMicroUsd(sums.prompt),
            completion: fromMicroUsd(sums.completion),
            parts: toUsd({ ...parts, ...(failed > 0n && { failed_attempts: failed }) }),
          },
          completedAt: Math.floor((context.now.getTime() + elapsed()) / 1000),
          serviceMetadata: metadata(endpoint, attempts, answerDecisions),
          recorded,
        };
      };
    },
    recordNoAnswer: async ({ attempts, failures, isAbandoned }) => {
      const last = failures.at(-1);
      const usage = (last && (await estimator?.ofFailure(last))) ?? null;
      await write({
        ...nothing(),
        accumulated: Object.assign(emptyAnswer(), { usage }),
        costMicroUsd: await chargeFailures(attempts, failures),
        usageEstimated: failures.some(({ billableMs }) => billableMs !== undefined),
        status: isAbandoned ? "cancelled" : "failed",
        endpoint: last?.endpoint ?? null,
        attempts,
        error: isAbandoned ? null : describeFailures(failures),
      });
    },
    recordDenial: async ({ status: outcome, error }) => {
      await write({
        ...nothing(),
        status: outcome,
        endpoint: null,
        attempts: [],
        error: outcome === "cancelled" ? null : storedDenial(error),
      });
      return error.with({ service_metadata: metadata(null, []) });
    },
  };
}

/** Returns the end user that the request names. */
const endUserOf = ({ protocol, body }: InferenceRequest): string | null =>
  (protocol === "messages" ? body.metadata?.user_id : body.user) ?? null;
