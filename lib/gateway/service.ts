import "server-only";
import { clientDisconnected } from "../engine/decision/denial";
import type { Endpoint } from "../engine/endpoint";
import { chatCompletion, chatStreamEncoder, type ResponseHeader } from "../engine/protocols/chat/stream-encoder";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { collect, relay } from "../engine/protocols/observe";
import { completeOutput, completeResponse, responsesStreamEncoder } from "../engine/protocols/responses/stream-encoder";
import { upstreamRequest } from "../engine/protocols/upstream-request";
import { correctedBy } from "../engine/tokens/billed-ratio";
import { invalid } from "../platform/api-error";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import { providerError, withFailure } from "./response-errors-service";
import { guardedChunks, mayBlock } from "./response-guards-service";
import { callCandidates } from "./call-candidates-service";
import type * as contract from "./contract";
import { decideAndReserve, type AcceptedRequest, type Origin } from "./decide-and-reserve-service";
import { resolveReferences } from "./item-references-service";
import { keepAliveOf, openStream } from "./open-stream-service";
import type { Presentation } from "./presentation";
import { startGeneration, type GenerationStart } from "./record/generation-start-service";
import { streamedReport } from "./record/streamed-report-service";
import type { FirstResponse } from "./upstream/upstream-client";

export async function createResponse(
  context: Context,
  { body }: Input<typeof contract.createResponse>,
): Promise<Result<typeof contract.createResponse> | EventStream> {
  const { input: given } = body;
  if (given === undefined) throw invalid([{ path: ["input"], message: "is required", code: "invalid_type" }]);
  const input = typeof given === "string" ? given : await resolveReferences(context, given);
  const request: InferenceRequest & { protocol: "responses" } = { protocol: "responses", body: { ...body, input } };
  return complete(context, request, ({ body: sent }) => ({
    whole: (heading, accumulated, receipt) => completeResponse(heading, sent, accumulated, receipt),
    items: (heading, accumulated) => completeOutput(heading, sent, accumulated),
    encoder: (heading, echo) => responsesStreamEncoder(heading, sent, echo),
  }));
}

export async function createChatCompletion(
  context: Context,
  { body }: Input<typeof contract.createChatCompletion>,
  origin: Origin = {},
): Promise<Result<typeof contract.createChatCompletion> | EventStream> {
  const request: InferenceRequest & { protocol: "chat_completions" } = { protocol: "chat_completions", body };
  const presentation: Presentation<Result<typeof contract.createChatCompletion>> = {
    whole: chatCompletion,
    encoder: (heading, echo) =>
      chatStreamEncoder(heading, { includesUsage: body.stream_options?.include_usage === true, echo }),
  };
  return complete(context, request, () => presentation, origin);
}

/**
 * Handles one inference request (docs/gateway.md): preset → policy → content filters → candidates → budgets → the first
 * upstream that responds → the response, observed → settled and recorded.
 */
export async function complete<A extends InferenceRequest, Whole>(
  context: Context,
  request: A,
  present: (request: A) => Presentation<Whole>,
  origin: Origin = {},
): Promise<Whole | EventStream> {
  const generation = startGeneration(context, origin.apiType ?? request.protocol);
  try {
    const answer = answerOf(context, generation, request, present, origin);
    if (!request.body.stream) return await answer;
    const heading = { id: generation.id, created: secondsOf(context), model: request.body.model ?? "", isByok: false };
    return await openStream(context, answer, keepAliveOf(request.protocol, context), () =>
      present(request).encoder(heading, null),
    );
  } finally {
    context.headers.set("server-timing", generation.trace.serverTiming());
  }
}

async function answerOf<A extends InferenceRequest, Whole>(
  context: Context,
  generation: GenerationStart,
  request: A,
  present: (request: A) => Presentation<Whole>,
  origin: Origin,
): Promise<Whole | EventStream> {
  const accepted = await decideAndReserve(context, generation, request, origin, complete);
  const sent = accepted.verdict.request;
  const presentation = present(sent);
  const { textBefore = "" } = presentation;
  const { filter } = accepted.guards;
  filter?.showBefore(textBefore);
  const answer = await callCandidates(context, generation.trace, accepted, presentation.send);
  const heading = headingOf(context, generation.id, accepted, answer.endpoint);
  if (textBefore !== "") heading.textBefore = (choice) => (filter ? filter.textBefore(choice) : textBefore);
  return sent.body.stream
    ? streamedAnswer(context, accepted, answer, heading, presentation.encoder)
    : wholeResponse(accepted, answer, heading, presentation);
}

const secondsOf = ({ now }: Context): number => Math.floor(now.getTime() / 1000);

const headingOf = (
  context: Context,
  id: string,
  { size, verdict }: AcceptedRequest,
  endpoint: Endpoint,
): ResponseHeader => ({
  id,
  isSameProtocol: endpoint.provider.protocol === verdict.request.protocol,
  created: secondsOf(context),
  model: endpoint.model.slug,
  isByok: endpoint.provider.ownership === "byok",
  promptTokens: Math.round(correctedBy(size.ratios.get(endpoint.id), size.prompt).expected),
});

async function streamedAnswer(
  context: Context,
  { verdict: { request }, recorder, guards, signal, reading, abandon }: AcceptedRequest,
  answer: FirstResponse,
  heading: ResponseHeader,
  encoder: Presentation<unknown>["encoder"],
): Promise<EventStream> {
  const recorded = streamedReport(recorder.reportOf(answer, guards, signal, reading), context);
  const report = withFailure(recorded, answer.endpoint, guards.filter);
  const sent = request.body.debug?.echo_upstream_body ? upstreamRequest(request, answer.endpoint).body : null;
  const echo = sent && guards.filter ? await guards.filter.repeated(sent) : sent;
  const holdsStart = mayBlock(guards);
  const received = reading?.read(answer) ?? answer.chunks;
  const chunks = guardedChunks(received, answer.endpoint, guards);
  const events = relay(chunks, encoder(heading, echo), signal, report, holdsStart);
  const keepAlive = keepAliveOf(request.protocol, context);
  return new EventStream(holdsStart ? await started(events) : events, abandon, keepAlive);
}

/** Waits for the first event, so that a response blocked before it has the status of its error. */
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

/** Collects a response, and encodes it while its record is written. Throws when it failed, was blocked or abandoned. */
async function wholeResponse<Whole>(
  { recorder, guards, signal }: AcceptedRequest,
  answer: FirstResponse,
  heading: ResponseHeader,
  { whole, items }: Presentation<Whole>,
): Promise<Whole> {
  const report = recorder.reportOf(answer, guards, signal, null);
  const chunks = guardedChunks(answer.chunks, answer.endpoint, guards);
  const { end, accumulated, receipt } = await collect(
    chunks,
    signal,
    report,
    items && ((complete) => items(heading, complete)),
  );
  if (end.status === "succeeded" && !signal.aborted)
    try {
      return whole(heading, accumulated, receipt);
    } finally {
      await receipt.recorded;
    }
  await receipt.recorded;
  const { endpoint, failures, attempts } = answer;
  if (end.status === "failed")
    throw await providerError(
      [...failures, { endpoint, failure: end.failure }],
      recorder.metadata(endpoint, attempts, guards),
      guards.filter,
    );
  if (end.status === "blocked") throw end.error.with({ service_metadata: receipt.serviceMetadata });
  throw clientDisconnected();
}
