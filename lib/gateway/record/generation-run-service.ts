import "server-only";
import { countsToward } from "../../engine/budgets/budget-policy";
import { release } from "../../records/budgets/service";
import type { Context } from "../../platform/context";
import type { Decision } from "../../records/generations/contract";
import { newGenerationId } from "../../platform/ids";
import { countGeneration } from "./generation-metrics-service";
import { fromMicroUsd } from "../../engine/money";
import type { ApiError } from "../../platform/api-error";
import { snapshotsOf } from "./catalogue-snapshots-store";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import type { Denial } from "../../engine/decision/denial";
import type { Verdict } from "../decide-service";
import type { Endpoint } from "../../engine/endpoint";
import type { Reservation } from "../reservation-service";
import { emptyAnswer } from "../../engine/protocols/accumulate";
import type { Report } from "../../engine/protocols/observe";
import { costMicroUsd, estimateUsage } from "../../engine/routing/price";
import type { Outcome } from "./outcome";
import { policyFacts } from "./policy-facts";
import { record } from "./record-store";
import { serviceMetadata, type ServiceMetadata } from "./service-metadata";
import type { FirstAnswer, NoAnswer } from "../upstream/upstream-client";
import { describeFailures } from "../../engine/protocols/upstream-failure";

/** A generation's id, and a clock started at its request. */
export interface GenerationStart {
  id: string;
  /** Milliseconds between the request's arrival and the start of inference. */
  queue: number;
  /** Returns milliseconds since inference started. */
  elapsed: () => number;
}

export function startGeneration({ now, arrivedAt }: Context): GenerationStart {
  const start = performance.now();
  return {
    id: newGenerationId(now),
    queue: Math.round(start - arrivedAt),
    elapsed: () => Math.round(performance.now() - start),
  };
}

/** Everything known about a generation before an upstream is called. */
export interface GenerationInput {
  verdict: Verdict;
  /** The prompt as sent upstream; stored. */
  messages: readonly ChatMessage[];
  reservation: Reservation;
  /** Including budget decisions. */
  decisions: Decision[];
}

/** Records the result of a generation. */
export interface GenerationRun {
  /** Records the end of an answer, with priced usage and settled reservations. */
  reportOf: (answer: FirstAnswer) => Report;
  /** Records that no endpoint answered; null means that the client disconnected first. */
  recordNoAnswer: (reason: NoAnswer | null) => Promise<void>;
  /** Records a denial and returns the error to throw. */
  recordDenial: (denial: Denial) => Promise<ApiError>;
  /** Releases reservations after an internal failure that leaves no record. */
  abandon: () => Promise<void>;
  /** Null unless the client requested it. */
  metadata: (endpoint: Endpoint | null, attempts: Outcome["attempts"]) => ServiceMetadata | null;
}

export function generationRun(
  context: Context,
  { id, queue, elapsed }: GenerationStart,
  { verdict, messages, reservation, decisions }: GenerationInput,
): GenerationRun {
  const { request, preset, models, timings } = verdict;
  const { body } = request;
  const metadata: GenerationRun["metadata"] = (endpoint, attempts) =>
    context.client.wantsMetadata
      ? serviceMetadata({ id, verdict, decisions, attempts, endpoint, generationTime: elapsed() })
      : null;
  const write = async (
    end: Pick<
      Outcome,
      "status" | "endpoint" | "attempts" | "accumulated" | "costMicroUsd" | "usageEstimated" | "latencyMs" | "error"
    >,
  ) => {
    const catalogue = snapshotsOf(verdict.endpoints);
    const outcome: Outcome = {
      ...end,
      id,
      protocol: request.protocol,
      requestedModel: models[0],
      streamed: body.stream,
      sessionId: body.session_id ?? context.client.sessionId,
      externalUser: body.user ?? null,
      metadata: body.metadata ?? null,
      messages,
      decisions,
      facts: policyFacts(
        verdict,
        context.settings.zdrVendors,
        catalogue.map(({ hash }) => hash),
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
        upstream_first_byte: end.latencyMs,
        total: queue + elapsed(),
      },
    };
    await record(context, outcome);
    countGeneration(outcome);
  };
  const nothing = { accumulated: emptyAnswer(), costMicroUsd: 0n, usageEstimated: false, latencyMs: null };
  return {
    metadata,
    abandon: () => release(context, id, reservation.reserved),
    reportOf: ({ endpoint, attempts, failures, measure }) => {
      const latencyMs = elapsed();
      return async (end, accumulated) => {
        const usage = accumulated.usage ?? estimateUsage(messages, accumulated);
        if (end.status === "succeeded") measure(usage.completion_tokens);
        const cost = costMicroUsd(endpoint.prices, usage);
        const error =
          end.status === "failed" ? describeFailures([...failures, { endpoint, failure: end.failure }]) : null;
        const usageEstimated = accumulated.usage === null;
        await write({
          status: end.status,
          endpoint,
          attempts,
          accumulated: { ...accumulated, usage },
          costMicroUsd: cost,
          usageEstimated,
          latencyMs,
          error,
        });
        return {
          costUsd: fromMicroUsd(cost),
          completedAt: Math.floor((context.now.getTime() + elapsed()) / 1000),
          serviceMetadata: metadata(endpoint, attempts),
        };
      };
    },
    recordNoAnswer: (reason) =>
      write({
        ...nothing,
        status: reason ? "failed" : "cancelled",
        endpoint: reason?.failures.at(-1)?.endpoint ?? null,
        attempts: reason?.attempts ?? [],
        error: reason && describeFailures(reason.failures),
      }),
    recordDenial: async ({ status: outcome, error }) => {
      const { status, message } = error;
      const storedError = { status, message, provider_name: null, raw: null, previous_errors: [] };
      await write({
        ...nothing,
        status: outcome,
        endpoint: null,
        attempts: [],
        error: outcome === "cancelled" ? null : storedError,
      });
      return error.with({ service_metadata: metadata(null, []) });
    },
  };
}
