import "server-only";
import { setImmediate } from "node:timers";
import { settledAmount } from "../../engine/budgets/budget";
import type { RequestSize } from "../../engine/budgets/budget-rule";
import type { Denial } from "../../engine/decision/denial";
import type { Endpoint } from "../../engine/endpoint";
import { newAccumulated, type AccumulatedResponse } from "../../engine/protocols/accumulate";
import { endUserOf } from "../../engine/protocols/end-user";
import type { End, Receipt, Report } from "../../engine/protocols/observe";
import { storedItems, type StoredItem } from "../../engine/protocols/responses/stored-items";
import { CIRCUIT_OPEN, describeFailures, plainMessage, type Failure } from "../../engine/protocols/upstream-failure";
import { leftOutTools } from "../../engine/protocols/upstream-request";
import { estimatedUsage, finalUsage } from "../../engine/routing/estimated-usage";
import { withWebSearches } from "../../engine/routing/web-searches";
import type { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { hasNul } from "../../platform/json-values";
import type { Signal } from "../../platform/signal";
import { release } from "../../records/budgets/service";
import type { Attempt } from "../../records/generations/contract";
import type { Decision } from "../../engine/decision/contract";
import { billedRatios } from "../../records/providers/billed-ratios";
import type { ResponseGuards } from "../response-guards-service";
import type { ResponseFilter } from "../filters/response-filter-service";
import type { Verdict } from "../decide-service";
import type { Reservation } from "../reservation-service";
import type { StreamReading } from "../stream-reading-service";
import { usageEstimator, type UsageEstimator } from "../tokens/usage-estimate-service";
import type { Ending, FirstResponse, NoResponse } from "../upstream/upstream-client";
import { responseDecisionsOf } from "./response-decisions";
import { billedAttempts, billOf, type Bill, type BilledFailure } from "./bill";
import { snapshotsOf } from "./catalogue-snapshots-store";
import { countGeneration } from "./generation-metrics-service";
import type { GenerationStart } from "./generation-start-service";
import { closeGeneration, openGeneration } from "./open-generations-service";
import { storedError, type Outcome } from "./outcome";
import { policyFacts } from "./policy-facts";
import { receiptOf } from "./receipt";
import { record } from "./record-store";
import { serviceMetadata, type ServiceMetadata } from "./service-metadata";
import type { StoredPrompt } from "./stored-prompt";

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

/** The end of a generation. */
interface GenerationEnd extends Pick<Outcome, "status" | "endpoint" | "accumulated" | "items" | "latencyMs" | "error"> {
  bill: Bill;
  /** Endpoints that failed before. */
  failures: readonly Failure[];
}

/** The end of a response. */
interface ResponseEnd {
  end: End;
  /** True if the upstream wrote all of it, even if the client didn't receive it. */
  isComplete: boolean;
  latencyMs: number;
  reading: StreamReading | null;
}

/** Maximum length of a trace id; longer ones are truncated. */
const MAX_TRACE_ID = 256;

const NO_GUARDS: ResponseGuards = { filter: null, checks: null };
const NO_USAGE = estimatedUsage(0, 0);
const NO_BILL = billOf(null, [], []);
const CANCELLED = { status: "cancelled" } as const;

/** Returns an attempt without the upstream's text, which may quote the model. */
const withoutText = (attempt: Attempt): Attempt => ({
  ...attempt,
  error: attempt.error === null || attempt.error === CIRCUIT_OPEN ? attempt.error : plainMessage(attempt.status ?? 502),
});

/** Records the end of a generation, and settles or releases its reservations. */
export class GenerationRecorder {
  /** Set when the process ends, after which the upstream's response isn't awaited. */
  readonly ending: Ending = openGeneration();
  readonly #context: Context;
  readonly #generation: GenerationStart;
  readonly #input: GenerationInput;
  readonly #estimator: UsageEstimator | null;

  constructor(context: Context, generation: GenerationStart, input: GenerationInput) {
    this.#context = context;
    this.#generation = generation;
    this.#input = input;
    this.#estimator = input.size && usageEstimator(input.verdict.request, input.size);
  }

  /**
   * Returns the metadata of the response; null unless the client requested it. `guards` apply to the upstream texts in
   * it.
   */
  metadata(
    endpoint: Endpoint | null,
    attempts: Outcome["attempts"],
    guards: ResponseGuards,
    responseDecisions: readonly Decision[] = [],
  ): ServiceMetadata | null {
    if (!this.#context.client.wantsMetadata) return null;
    const { id, elapsed } = this.#generation;
    const { verdict, decisions } = this.#input;
    const shown = guards.filter || guards.checks ? attempts.map(withoutText) : attempts;
    const generationTime = elapsed();
    return serviceMetadata({ id, verdict, decisions, responseDecisions, attempts: shown, endpoint, generationTime });
  }

  /**
   * Returns the function that records the end of a response. Call it when the response begins, because that is its
   * latency.
   * @param disconnected Aborted when the client has disconnected.
   * @param reading Null for a response that isn't streamed.
   */
  reportOf(answer: FirstResponse, guards: ResponseGuards, disconnected: Signal, reading: StreamReading | null): Report {
    const latencyMs = this.#generation.elapsed();
    return (end, accumulated, items = []) => {
      const isComplete = end.status === "succeeded";
      const isUnread = isComplete && reading === null && disconnected.aborted;
      return this.#recordResponse(
        answer,
        guards,
        { end: isUnread ? CANCELLED : end, isComplete, latencyMs, reading },
        accumulated,
        storedItems(items),
      );
    };
  }

  /** Records that no endpoint responded, or that the client disconnected first. */
  async recordNoResponse({ attempts, failures, isAbandoned }: NoResponse, guards: ResponseGuards): Promise<void> {
    const end = {
      status: isAbandoned ? ("cancelled" as const) : ("failed" as const),
      endpoint: failures.at(-1)?.endpoint ?? null,
      bill: billOf(null, await this.#billed(failures), attempts),
      failures,
      accumulated: newAccumulated(),
      items: [],
      latencyMs: null,
      error: isAbandoned ? null : describeFailures(failures),
    };
    await this.#write(end, [], guards);
  }

  /** Records a denial and returns the error to throw. */
  async recordDenial({ status, error }: Denial): Promise<ApiError> {
    await this.#write({
      status,
      endpoint: null,
      bill: NO_BILL,
      failures: [],
      accumulated: newAccumulated(),
      items: [],
      latencyMs: null,
      error: status === "cancelled" ? null : storedError(error),
    });
    return error.with({ service_metadata: this.metadata(null, [], NO_GUARDS) });
  }

  /** Releases reservations after an internal failure that leaves no record. */
  async abandon(): Promise<void> {
    await release(this.#context, this.#generation.id, this.#input.reservation.reserved).finally(() =>
      closeGeneration(this.ending),
    );
  }

  async #recordResponse(
    { endpoint, attempts, failures, measure }: FirstResponse,
    guards: ResponseGuards,
    { end, isComplete, latencyMs, reading }: ResponseEnd,
    accumulated: AccumulatedResponse,
    items: readonly StoredItem[],
  ): Promise<Receipt> {
    const { size } = this.#input;
    const received = guards.filter?.received ?? accumulated;
    const responseDecisions = responseDecisionsOf(guards, received, accumulated);
    const reported = finalUsage(received, isComplete) ?? reading?.usage ?? null;
    const usage = reported ?? (await this.#estimator?.ofResponse(endpoint, received, reading)) ?? NO_USAGE;
    if (isComplete && reported && reading) this.#estimator?.learn(endpoint, received, reported, reading);
    if (end.status === "succeeded") measure(usage.completion_tokens);
    if (reported && size?.isTextOnly)
      billedRatios.record(endpoint.id, { billed: usage.prompt_tokens, estimated: size.prompt.expected });
    const bill = billOf(
      {
        prices: endpoint.prices,
        usage,
        billed: withWebSearches(usage, (received.response ?? reading?.late.response)?.["output"]),
        isEstimated: reported === null,
        serviceTier: received.serviceTier ?? size?.serviceTier ?? null,
      },
      failures.length > 0 ? await this.#billed(failures) : [],
      attempts,
    );
    const recorded = this.#write(
      {
        status: end.status === "blocked" ? end.recorded : end.status,
        endpoint,
        bill,
        failures,
        accumulated,
        items,
        latencyMs,
        error: errorOf(end, endpoint, failures),
      },
      responseDecisions,
      guards,
    );
    return receiptOf(bill, {
      completedAt: Math.floor((this.#context.now.getTime() + this.#generation.elapsed()) / 1000),
      serviceMetadata: this.metadata(endpoint, attempts, guards, responseDecisions),
      recorded,
    });
  }

  /** Estimates the usage of failed attempts. */
  async #billed(failures: readonly Failure[]): Promise<BilledFailure[]> {
    const billed: BilledFailure[] = [];
    for (const failure of failures) {
      const { endpoint, attempt } = failure;
      billed.push({ endpoint, attempt, usage: (await this.#estimator?.ofFailure(failure)) ?? null });
    }
    return billed;
  }

  async #write(
    given: GenerationEnd,
    responseDecisions: readonly Decision[] = [],
    guards: ResponseGuards = NO_GUARDS,
  ): Promise<void> {
    const { trace } = this.#generation;
    const { caller, settings } = this.#context;
    const end = guards.filter ? await withFilteredErrors(given, guards.filter) : given;
    const observed = await this.#observed(end);
    const outcome = this.#outcomeOf(end, [...responseDecisions, ...observed], guards);
    trace.ended(outcome);
    const start = performance.now();
    await record(this.#context, outcome).finally(() => closeGeneration(this.ending));
    trace.ran("record", start, performance.now() - start);
    // Runs after the response has been sent.
    if (caller.kind === "key") setImmediate(() => countGeneration(outcome, caller.keyId, settings.metricsLabels));
  }

  /** Returns what guardrails that only observe would have decided. */
  async #observed({ endpoint, accumulated }: GenerationEnd): Promise<Decision[]> {
    const { request, observation } = this.#input.verdict;
    if (!observation) return [];
    const ofResponse =
      endpoint && accumulated.size > 0
        ? observation.ofResponse(accumulated, { protocol: request.protocol, model: endpoint.model.slug })
        : [];
    return [...(await observation.ofRequest), ...(await ofResponse)];
  }

  #outcomeOf(
    { status, endpoint, bill, failures, accumulated, items, latencyMs, error }: GenerationEnd,
    responseDecisions: readonly Decision[],
    { filter, checks }: ResponseGuards,
  ): Outcome {
    const { caller, client, settings, trace } = this.#context;
    const { id, apiType, queue, elapsed } = this.#generation;
    const { verdict, prompt, reservation, decisions } = this.#input;
    const { request, preset, models, timings } = verdict;
    const { body } = request;
    const { usage, costMicroUsd, isCostKnown } = bill;
    const catalogue = snapshotsOf(verdict.endpoints);
    const attempts = billedAttempts(bill, failures, endpoint);
    return {
      status,
      endpoint,
      attempts: bill.attempts,
      accumulated: accumulated.usage === usage ? accumulated : { ...accumulated, usage },
      items,
      costMicroUsd,
      isCostKnown,
      usageEstimated: bill.isEstimated,
      latencyMs,
      error,
      id,
      apiType,
      requestedModel: models[0],
      streamed: body.stream,
      sessionId: body.session_id ?? client.sessionId,
      traceId: body.trace?.trace_id?.slice(0, MAX_TRACE_ID) || (trace.caller?.traceId ?? null),
      externalUser: endUserOf(request, client.endUser ?? null),
      metadata: body.metadata ?? null,
      prompt,
      decisions: [...decisions, ...responseDecisions],
      facts: {
        ...(caller.kind === "key" && caller.workload && { workload: caller.workload }),
        ...policyFacts(
          verdict,
          settings.zdrVendors,
          catalogue.map(({ hash }) => hash),
          {
            findings: filter?.findings ?? [],
            checks: checks?.results ?? [],
            leftOut: endpoint ? leftOutTools(request, endpoint) : [],
            hasNul: hasNul([accumulated, ...accumulated.others.values(), error]),
          },
        ),
      },
      catalogue,
      presetId: preset?.id ?? null,
      presetVersion: preset?.version ?? null,
      settlements: reservation.reserved.map(({ budgetId, rule }) => ({
        budgetId,
        generationId: id,
        costMicroUsd: settledAmount(rule, { costMicroUsd, endpoint, attempts }),
      })),
      generationTimeMs: elapsed(),
      timings: {
        queue,
        policy: Math.round(timings.policy),
        filters: Math.round(timings.filters),
        checks: Math.round(timings.checks + (checks?.ms ?? 0)),
        upstream_first_byte: latencyMs,
        total: queue + elapsed(),
      },
    };
  }
}

/** Returns the end of a generation after the response filters have been applied to its upstream texts. */
async function withFilteredErrors(end: GenerationEnd, filter: ResponseFilter): Promise<GenerationEnd> {
  const { bill } = end;
  const error = end.status === "failed" ? end.error : null;
  if (error === null && bill.attempts.every((attempt) => attempt.error === null)) return end;
  const plain = { message: plainMessage(502), raw: null };
  const failures = error ? [error, ...error.previous_errors] : [];
  const failed = bill.attempts.filter((attempt) => attempt.error !== null);
  // Scanned together, since a value may be split over several texts.
  const said = await filter.recorded([
    ...failures.map(({ message, raw }) => ({ message, raw })),
    ...failed.map((attempt) => ({ message: attempt.error ?? "", raw: null })),
  ]);
  const texts = said.map((text) => text ?? plain);
  const ofAttempts = new Map(
    failed.map((attempt, index) => [attempt, texts[failures.length + index]?.message ?? null]),
  );
  return {
    ...end,
    bill: {
      ...bill,
      attempts: bill.attempts.map((attempt) => ({ ...attempt, error: ofAttempts.get(attempt) ?? null })),
    },
    error: error
      ? {
          ...error,
          ...texts[0],
          previous_errors: error.previous_errors.map((one, index) => ({ ...one, ...texts[index + 1] })),
        }
      : end.error,
  };
}

/** Returns the error to store with a response that failed or was blocked. */
function errorOf(end: End, endpoint: Endpoint, failures: readonly Failure[]): Outcome["error"] {
  if (end.status === "failed") return describeFailures([...failures, { endpoint, failure: end.failure }]);
  return end.status === "blocked" ? storedError(end.error) : null;
}
