import "server-only";
import type { ExhaustedBudget } from "../engine/budgets/budget-rule";
import { budgetRules } from "../engine/budgets/budget-policy";
import { exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../engine/budgets/denial-policy";
import type { Context } from "../platform/context";
import { following } from "../platform/signal";
import { ApiError, forbidden, invalid } from "../platform/api-error";
import { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import type { ApiType } from "../records/generations/vocabulary";
import { billedRatios } from "../records/providers/billed-ratios";
import { loadLayers } from "../records/guardrails/layers-store";
import { answerFilter } from "./filters/answer-filter-service";
import type { AnswerFilter } from "./filters/answer-service";
import { callUpstream } from "./upstream/endpoint-client";
import { chatCompletion, chatStreamEncoder, type AnswerHeader } from "../engine/protocols/chat/stream-encoder";
import { ChatCompletionsBody } from "./contract";
import type * as contract from "./contract";
import { AnswerChecks } from "./checks/answer-checks-service";
import type { AskModel, Judging } from "./checks/check-service";
import { checkRules } from "../engine/policy/check-rules-policy";
import type { Layer } from "../engine/policy/layers";
import { decide, type Verdict } from "./decide-service";
import { clientDisconnected, type Denial } from "../engine/decision/denial";
import { reserveBudget, NO_RESERVATION } from "./reservation-service";
import type { AccumulatedAnswer } from "../engine/protocols/accumulate";
import {
  startGeneration,
  generationRun,
  type GenerationRun,
  type GenerationStart,
} from "./record/generation-run-service";
import type { GenerationTrace } from "./record/generation-trace-service";
import { filteredBatches } from "../engine/protocols/chunk-batches";
import { textOf } from "../engine/protocols/message-text";
import { collect, relay, type StreamEncoder, type Receipt } from "../engine/protocols/observe";
import { refuseWhenSaturated } from "./record/record-store";
import { storedPrompt } from "./record/stored-prompt";
import { streamedReport } from "./record/streamed-report-service";
import { correctedBy } from "../engine/tokens/billed-ratio";
import { requestSize } from "../engine/routing/request-size";
import { responsesStreamEncoder, completeResponse } from "../engine/protocols/responses/stream-encoder";
import { firstAnswer, NoAnswer, type CallEndpoint } from "./upstream/upstream-client";
import {
  clientHints,
  describeFailures,
  plainMessage,
  type Failure,
  type UpstreamError,
} from "../engine/protocols/upstream-failure";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { forwardedHeaders } from "./upstream/forwarded-headers";
import { upstreamRequest, type UpstreamRequest } from "../engine/protocols/upstream-request";
import { WARNINGS_HEADER, warningsOf } from "../engine/protocols/warnings";
import type { Endpoint } from "../engine/endpoint";

/** Sends a request to an endpoint; the answer is one of the provider's protocol. */
export type Send = (ask: ReturnType<typeof callUpstream>, ...call: Parameters<CallEndpoint>) => Promise<Response>;

/** Encodes a protocol's answers, complete or as events. */
export interface Presentation<Whole> {
  /** Exchanges a request with an upstream otherwise than by `upstreamRequest`. */
  send?: Send;
  whole: (heading: AnswerHeader, accumulated: AccumulatedAnswer, receipt: Receipt) => Whole;
  dialect: (heading: AnswerHeader, echo: UpstreamRequest["body"] | null) => StreamEncoder;
}

export async function createResponse(
  context: Context,
  { body }: Input<typeof contract.createResponse>,
): Promise<Result<typeof contract.createResponse> | EventStream> {
  if (body.input === undefined) throw invalid([{ path: ["input"], message: "is required", code: "invalid_type" }]);
  const given: InferenceRequest & { protocol: "responses" } = { protocol: "responses", body };
  return complete(context, given, (request) => ({
    whole: (heading, accumulated, receipt) => completeResponse(heading, request.body, accumulated, receipt),
    dialect: (heading, echo) => responsesStreamEncoder(heading, request.body, echo),
  }));
}

export async function createChatCompletion(
  context: Context,
  { body }: Input<typeof contract.createChatCompletion>,
  origin: Origin = {},
): Promise<Result<typeof contract.createChatCompletion> | EventStream> {
  const given: InferenceRequest & { protocol: "chat_completions" } = { protocol: "chat_completions", body };
  const presentation: Presentation<Result<typeof contract.createChatCompletion>> = {
    whole: chatCompletion,
    dialect: (heading, echo) =>
      chatStreamEncoder(heading, { includesUsage: body.stream_options?.include_usage === true, echo }),
  };
  return complete(context, given, () => presentation, origin);
}

/**
 * One inference request (docs/gateway.md): preset → policy → content filters → candidates → budgets → the first upstream
 * that answers → the answer, observed → settled and recorded.
 */
export async function complete<A extends InferenceRequest, Whole>(
  context: Context,
  given: A,
  present: (request: A) => Presentation<Whole>,
  { apiType = given.protocol, ...origin }: Origin = {},
): Promise<Whole | EventStream> {
  const begun = startGeneration(context, apiType);
  try {
    return await completeBegun(context, begun, given, present, origin);
  } finally {
    context.headers.set("server-timing", begun.trace.serverTiming());
  }
}

async function completeBegun<A extends InferenceRequest, Whole>(
  context: Context,
  begun: GenerationStart,
  given: A,
  present: (request: A) => Presentation<Whole>,
  { judge, withLayers }: Origin,
): Promise<Whole | EventStream> {
  const { caller, db, headers, settings } = context;
  const { trace } = begun;
  if (caller.kind !== "key") throw forbidden("Only inference keys can perform this operation");
  refuseWhenSaturated(db);
  const ownLayers = judge ? Promise.resolve(judge.layers) : loadLayers(db, caller, settings.zdrVendors, context.now);
  const layers = withLayers ? ownLayers.then(withLayers) : ownLayers;
  const judging: Judging = {
    kind: "call",
    generationId: begun.id,
    keyId: caller.keyId,
    userId: caller.userId,
    ask: askModel(context),
    onCalled: (...called) => trace.checked(...called),
  };
  const start = performance.now();
  const verdict = await decide(context, given, layers, judging);
  noteDecision(trace, start, verdict.timings);
  const { request, plan, connections } = verdict;
  headers.set("x-generation-id", begun.id);
  const warn = (endpoint: Endpoint | null) => {
    const warnings = warningsOf(request, verdict.unknown, endpoint);
    if (warnings !== null) headers.set(WARNINGS_HEADER, warnings);
  };
  warn(null);
  const prompt = storedPrompt(verdict);
  const rules = budgetRules(verdict.layers, { ...caller, key: caller.limit });
  const size = verdict.denial ? null : requestSize(request, billedRatios.ratios);
  const reserving = performance.now();
  const reservation = size ? await reserveBudget(context, begun.id, rules, plan.candidates, size) : NO_RESERVATION;
  if (size) trace.ran("budget", reserving, performance.now() - reserving);
  const denial = verdict.denial ?? denyUnaffordable(reservation);
  const decisions = [
    ...verdict.decisions,
    ...exhaustedDecisions(reservation.exhausted, denial ? "block" : "exclude"),
    ...raisedDecisions(reservation.reserved),
  ];
  const generation = generationRun(context, begun, { verdict, prompt, size, reservation, decisions });
  if (denial?.kind === "budget") judge?.onExhausted(reservation.exhausted);
  if (denial) throw await generation.recordDenial(denial);

  const abandoned = request.body.stream || judge ? following(context.signal) : null;
  const signal = abandoned ?? context.signal;
  const ask = callUpstream(connections, settings, context.now, trace);
  const presentation = present(request);
  const { send } = presentation;
  const askOne: CallEndpoint = send
    ? (...call) => send(ask, ...call)
    : (endpoint, until, onSent) => {
        const forwarded = forwardedHeaders(request.protocol, endpoint, context.client);
        return ask(endpoint, { ...upstreamRequest(request, endpoint), headers: forwarded }, until, onSent);
      };
  // Closing a stream stops the upstream; a complete answer is billed anyway, so its usage is worth waiting for.
  const timeouts = request.body.stream ? { ...settings.upstreamTimeouts, abandoned: 0 } : settings.upstreamTimeouts;
  const rulesOfAnswer = checkRules(verdict.layers, "response");
  const filter = answerFilter({ settings, signal, caller }, request, verdict.layers, rulesOfAnswer.length > 0);
  const answer = await firstAnswer(
    reservation.candidates,
    askOne,
    { left: signal, ended: generation.ended },
    timeouts,
  ).catch((error: unknown) => failWithoutAnswer(generation, error, filter));

  trace.answered();
  const { endpoint, failures, attempts } = answer;
  warn(endpoint);
  const created = Math.floor(context.now.getTime() / 1000);
  const heading: AnswerHeader = {
    id: begun.id,
    created,
    model: endpoint.model.slug,
    isByok: endpoint.provider.ownership === "byok",
    ...(size && { promptTokens: Math.round(correctedBy(size.ratios.get(endpoint.id), size.prompt).expected) }),
  };
  const checks =
    rulesOfAnswer.length === 0
      ? null
      : new AnswerChecks(
          { ...context, signal },
          {
            rules: rulesOfAnswer,
            layers: verdict.layers,
            protocol: request.protocol,
            model: endpoint.model.slug,
            judging,
          },
        );
  const filtered = filter ? filteredBatches(answer.chunks, (chunks) => filter.apply(chunks)) : answer.chunks;
  const chunks = checks ? filteredBatches(filtered, (each) => checks.apply(each)) : filtered;
  const report = generation.reportOf(answer, { filter, checks }, signal);
  if (request.body.stream) {
    const echo = request.body.debug?.echo_upstream_body ? upstreamRequest(request, endpoint).body : null;
    const holdsStart = checks !== null || (filter?.canBlock ?? false);
    const reportEnd = streamedReport(report, context);
    const events = relay(chunks, presentation.dialect(heading, echo), signal, reportEnd, holdsStart);
    return new EventStream(holdsStart ? await started(events) : events, () => abandoned?.abort());
  }
  const { end, accumulated, receipt } = await collect(chunks, signal, report);
  if (end.status === "succeeded" && !signal.aborted)
    try {
      return presentation.whole(heading, accumulated, receipt);
    } finally {
      await receipt.recorded;
    }
  await receipt.recorded;
  if (end.status === "failed")
    throw await providerError(
      [...failures, { endpoint, failure: end.failure }],
      generation.metadata(endpoint, attempts),
      filter,
    );
  if (end.status === "blocked") throw end.error.with({ service_metadata: receipt.serviceMetadata });
  throw clientDisconnected();
}

/** Notes the stages of a decision: filters run after the policy is loaded, and checks last. */
function noteDecision(trace: GenerationTrace, start: number, { policy, filters, checks }: Verdict["timings"]): void {
  trace.ran("policy", start, policy);
  trace.ran("filters", start + policy, filters);
  if (checks > 0) trace.ran("checks", performance.now() - checks, checks);
}

/** Where a request comes from, if not from an endpoint of its own protocol. */
interface Origin {
  apiType?: ApiType;
  /** For a judge's request, which has the layers of the one it judges. */
  judge?: Judge;
  /** Adds guardrails to those of the key. */
  withLayers?: (own: readonly Layer[]) => readonly Layer[];
}

/** What a judge's request has from the one it judges. */
interface Judge {
  layers: readonly Layer[];
  /** Called with the budgets that deny it. */
  onExhausted: (budgets: readonly ExhaustedBudget[]) => void;
}

/** Sends the requests of judges: generations of their own, under layers without judges. */
export const askModel =
  (context: Context): AskModel =>
  async (body, layers, signal) => {
    const client = { ...context.client, wantsMetadata: false };
    const own: Context = { ...context, client, signal, headers: new Headers() };
    const given: InferenceRequest & { protocol: "chat_completions" } = {
      protocol: "chat_completions",
      body: ChatCompletionsBody.parse(body),
    };
    const dialect = (heading: AnswerHeader) => chatStreamEncoder(heading, { includesUsage: false, echo: null });
    let exhausted: readonly ExhaustedBudget[] = [];
    const onExhausted: Judge["onExhausted"] = (budgets) => {
      exhausted = budgets;
    };
    const presentation = { whole: chatCompletion, dialect };
    const answer = await complete(own, given, () => presentation, { judge: { layers, onExhausted } }).catch(
      (error: unknown) => {
        if (exhausted.length === 0) throw error;
        return null;
      },
    );
    if (!answer) return exhausted;
    const content = answer instanceof EventStream ? null : answer.choices[0]?.message.content;
    return textOf(content);
  };

/** Waits for the first event, so that an answer blocked before it has the status of its error. */
async function started(events: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await events.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* events;
    } finally {
      await events.return();
    }
  })();
}

/** Denies a request when its budgets leave no candidate. */
const denyUnaffordable = ({
  candidates,
  exhausted,
}: {
  candidates: readonly unknown[];
  exhausted: Parameters<typeof exhaustedDenial>[0];
}): Denial | null =>
  candidates.length > 0 ? null : { kind: "budget", status: "blocked", error: exhaustedDenial(exhausted) };

/** Records that no endpoint answered, or that the client disconnected, then throws. */
async function failWithoutAnswer(
  generation: GenerationRun,
  error: unknown,
  filter: AnswerFilter | null,
): Promise<never> {
  if (!(error instanceof NoAnswer)) {
    await generation.abandon();
    throw error;
  }
  await generation.recordNoAnswer(error);
  if (error.isAbandoned) throw clientDisconnected();
  throw await providerError(
    error.failures,
    generation.metadata(error.failures.at(-1)?.endpoint ?? null, error.attempts),
    filter,
  );
}

type UpstreamText = Partial<UpstreamError> & { raw: string | null; message: string };

/** Returns the error for a caller; filters of answers apply to the texts of upstreams in it. */
async function providerError(
  failures: readonly Failure[],
  metadata: object | null,
  filter: AnswerFilter | null,
): Promise<ApiError> {
  const { status, message, provider_name, raw, previous_errors } = describeFailures(failures);
  const { retryAfter, upstream } = clientHints(failures);
  const said: UpstreamText[] = [
    { raw, message, ...upstream },
    ...previous_errors.map((error) => ({ raw: error.raw, message: error.message })),
  ];
  const [own, ...others] = filter ? await filter.quoted(said) : said;
  return new ApiError(
    status,
    own?.message ?? plainMessage(status),
    {
      ...(own?.type && { type: own.type }),
      ...(own?.param && { param: own.param }),
      provider_name,
      ...(own?.code && { provider_code: own.code }),
      raw: own?.raw ?? null,
      previous_errors: previous_errors.map((error, index) => ({
        ...error,
        ...(others[index] ?? { raw: null, message: plainMessage(502) }),
      })),
      service_metadata: metadata,
    },
    retryAfter === null ? undefined : { "retry-after": retryAfter },
  );
}
