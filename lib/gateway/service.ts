import "server-only";
import { budgetRules } from "../engine/budgets/budget-policy";
import { exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../engine/budgets/denial-policy";
import type { Context } from "../platform/context";
import { ApiError, forbidden, invalid } from "../platform/api-error";
import { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import type { StoredError } from "../features/content-access/contract";
import { loadLayers } from "../records/guardrails/layers-store";
import { askUpstream } from "./upstream/endpoint-client";
import { chatCompletion, chatDialect, type Heading } from "../engine/protocols/chat/dialect";
import type * as contract from "./contract";
import { decide } from "./decide-service";
import { clientGone, type Denial } from "../engine/decision/denial";
import { fund, NO_FUNDING } from "./funding-service";
import type { Gathered } from "../engine/protocols/gather";
import { begin, generationRun, type GenerationRun } from "./record/generation-run-service";
import { collect, relay, type Dialect, type Receipt } from "../engine/protocols/observe";
import { refuseWhenSaturated } from "./record/record-store";
import { maxOutputTokens, messagesOf, requestSize } from "../engine/routing/request-size";
import { responsesDialect, wholeResponse } from "../engine/protocols/responses/dialect";
import { sseBody } from "../engine/protocols/server-sent-events";
import { firstAnswer, NoAnswer, type Ask } from "./upstream/upstream-client";
import { describeFailures } from "../engine/protocols/upstream-failure";
import type { Asked } from "../engine/protocols/asked";
import { upstreamRequest, type UpstreamRequest } from "../engine/protocols/upstream-request";

/** Encodes a protocol's answers, complete or as events. */
interface Presentation<Whole> {
  whole: (heading: Heading, gathered: Gathered, receipt: Receipt) => Whole;
  dialect: (heading: Heading, echo: UpstreamRequest["body"] | null) => Dialect;
}

export async function createResponse(
  context: Context,
  { body }: Input<typeof contract.createResponse>,
): Promise<Result<typeof contract.createResponse> | EventStream> {
  if (body.input === undefined) throw invalid([{ path: ["input"], message: "is required", code: "invalid_type" }]);
  const given: Asked & { protocol: "responses" } = { protocol: "responses", body };
  return complete(context, given, (asked) => ({
    whole: (heading, gathered, receipt) => wholeResponse(heading, asked.body, gathered, receipt),
    dialect: (heading, echo) => responsesDialect(heading, asked.body, echo),
  }));
}

export async function createChatCompletion(
  context: Context,
  { body }: Input<typeof contract.createChatCompletion>,
): Promise<Result<typeof contract.createChatCompletion> | EventStream> {
  const given: Asked & { protocol: "chat_completions" } = { protocol: "chat_completions", body };
  return complete(context, given, () => ({
    whole: chatCompletion,
    dialect: (heading, echo) =>
      chatDialect(heading, { includesUsage: body.stream_options?.include_usage === true, echo }),
  }));
}

/**
 * One inference request (docs/gateway.md): preset → policy → content filters → candidates → budgets → the first upstream
 * that answers → the answer, observed → settled and recorded.
 */
async function complete<A extends Asked, Whole>(
  context: Context,
  given: A,
  present: (asked: A) => Presentation<Whole>,
): Promise<Whole | EventStream> {
  const { caller, db, headers, settings } = context;
  if (caller.kind !== "key") throw forbidden("Only inference keys can perform this operation");
  refuseWhenSaturated(db);
  const begun = begin(context);
  const verdict = await decide(context, given, loadLayers(db, caller, settings.zdrVendors, context.now));
  const { asked, plan, connections } = verdict;
  headers.set("x-generation-id", begun.id);
  const messages = verdict.denial?.kind === "unscanned" ? [] : messagesOf(asked);
  const rules = budgetRules(verdict.layers, { ...caller, key: caller.limit });
  const funding = verdict.denial
    ? NO_FUNDING
    : await fund(context, begun.id, rules, plan.candidates, requestSize(messages, maxOutputTokens(asked)));
  const denial = verdict.denial ?? unfunded(funding);
  const decisions = [
    ...verdict.decisions,
    ...exhaustedDecisions(funding.exhausted, denial ? "block" : "exclude"),
    ...raisedDecisions(funding.held),
  ];
  const generation = generationRun(context, begun, { verdict, messages, funding, decisions });
  if (denial) throw await generation.recordDenial(denial);

  const abandoned = new AbortController();
  const signal = AbortSignal.any([context.signal, abandoned.signal]);
  const ask = askUpstream(connections, settings);
  const askOne: Ask = (endpoint, until) => ask(endpoint, upstreamRequest(asked, endpoint), until);
  const answer = await firstAnswer(funding.candidates, askOne, signal, settings.upstreamTimeouts).catch(
    (error: unknown) => refuse(generation, error, signal),
  );

  const { endpoint, failures, attempts } = answer;
  const created = Math.floor(context.now.getTime() / 1000);
  const heading: Heading = {
    id: begun.id,
    created,
    model: endpoint.model.slug,
    isByok: endpoint.provider.ownership === "byok",
  };
  const report = generation.reportOf(answer);
  const presentation = present(asked);
  if (asked.body.stream) {
    const echo = asked.body.debug?.echo_upstream_body ? upstreamRequest(asked, endpoint).body : null;
    return new EventStream(
      sseBody(relay(answer.chunks, presentation.dialect(heading, echo), signal, report), () => abandoned.abort()),
    );
  }
  const { end, gathered, receipt } = await collect(answer.chunks, signal, report);
  if (end.status === "failed")
    throw providerError(
      describeFailures([...failures, { endpoint, failure: end.failure }]),
      generation.metadata(endpoint, attempts),
    );
  if (end.status === "cancelled") throw clientGone();
  return presentation.whole(heading, gathered, receipt);
}

/** Denies a request when its budgets leave no candidate. */
const unfunded = ({
  candidates,
  exhausted,
}: {
  candidates: readonly unknown[];
  exhausted: Parameters<typeof exhaustedDenial>[0];
}): Denial | null =>
  candidates.length > 0 ? null : { kind: "budget", status: "blocked", error: exhaustedDenial(exhausted) };

/** Records that no endpoint answered, or that the client disconnected, then throws. */
async function refuse(generation: GenerationRun, error: unknown, signal: AbortSignal): Promise<never> {
  if (error instanceof NoAnswer) {
    await generation.recordNoAnswer(error);
    throw providerError(
      describeFailures(error.failures),
      generation.metadata(error.failures.at(-1)?.endpoint ?? null, error.attempts),
    );
  }
  if (!signal.aborted) {
    await generation.abandon();
    throw error;
  }
  await generation.recordNoAnswer(null);
  throw clientGone();
}

const providerError = (
  { status, message, provider_name, raw, previous_errors }: StoredError & { status: number; message: string },
  metadata: object | null,
) => new ApiError(status, message, { provider_name, raw, previous_errors, service_metadata: metadata });
