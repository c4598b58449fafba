import "server-only";
import type { Context } from "../context";
import { ApiError, invalid } from "../http/api-error";
import { EventStream } from "../http/event-stream";
import type { Input, Result } from "../http/operation";
import type { StoredError } from "../generations/content-contract";
import { chatCompletion, chatDialect, type Heading } from "./chat-dialect";
import type { ChatRequest } from "./chat-request";
import type { ChatCompletionsBody } from "./contract";
import type * as contract from "./contract";
import { findEndpoints } from "./endpoints";
import type { Gathered } from "./gather";
import { beginGeneration, type GenerationRun } from "./generation-run";
import { collect, relay, type Dialect, type Receipt } from "./observe";
import { plan, type Endpoint } from "./plan";
import type { Outcome } from "./record";
import { responsesDialect, wholeResponse } from "./responses-dialect";
import { responsesToChat } from "./responses-to-chat";
import { sandbox } from "./sandbox";
import { sseBody } from "./server-sent-events";
import { describeFailures, firstAnswer, NoAnswer } from "./upstream";

/** Models that one request may name: more than anybody falls back through. */
const MAX_MODELS = 100;

/** How a protocol shows an answer: whole, or as events. */
interface Presentation<Whole> {
  protocol: Outcome["protocol"];
  whole: (heading: Heading, gathered: Gathered, receipt: Receipt) => Whole;
  dialect: (heading: Heading, echo: ChatRequest | null) => Dialect;
}

export async function createResponse(
  context: Context,
  { body }: Input<typeof contract.createResponse>,
): Promise<Result<typeof contract.createResponse> | EventStream> {
  if (body.input === undefined) throw invalid([{ path: ["input"], message: "is required", code: "invalid_type" }]);
  return complete(context, responsesToChat(body), {
    protocol: "responses",
    whole: (heading, gathered, receipt) => wholeResponse(heading, body, gathered, receipt),
    dialect: (heading, echo) => responsesDialect(heading, body, echo),
  });
}

export async function createChatCompletion(
  context: Context,
  { body }: Input<typeof contract.createChatCompletion>,
): Promise<Result<typeof contract.createChatCompletion> | EventStream> {
  return complete(context, body, {
    protocol: "chat_completions",
    whole: chatCompletion,
    dialect: (heading, echo) => chatDialect(heading, { includesUsage: body.stream_options?.include_usage === true, echo }),
  });
}

/** One inference request: candidates → the first that answers → the answer, observed → the record (contract.md section 6). */
async function complete<Whole>(context: Context, body: ChatCompletionsBody, presentation: Presentation<Whole>): Promise<Whole | EventStream> {
  const models = namedModels(body);
  const { candidates, excluded } = plan({ models, preferences: body.provider ?? {} }, await findEndpoints(context, models));
  if (candidates.length === 0) throw new ApiError(404, `No endpoints found for ${models[0]}`, { requested_models: models, excluded });

  const generation = beginGeneration(context, body, presentation.protocol, models[0]);
  const abandoned = new AbortController();
  const signal = AbortSignal.any([context.signal, abandoned.signal]);
  const requestTo = ({ upstreamModel }: Endpoint): ChatRequest => ({ ...generation.draft, model: upstreamModel });
  const ask = (endpoint: Endpoint, until: AbortSignal) => sandbox(requestTo(endpoint), until);
  const answer = await firstAnswer(candidates, ask, signal).catch((error: unknown) => refuse(generation, error, signal));

  const { endpoint, failures } = answer;
  const created = Math.floor(context.now.getTime() / 1000);
  const heading: Heading = { id: generation.id, created, model: endpoint.model.slug, isByok: endpoint.provider.ownership === "byok" };
  const report = generation.reportOf(answer);
  if (body.stream) {
    const echo = body.debug?.echo_upstream_body ? requestTo(endpoint) : null;
    return new EventStream(sseBody(relay(answer.chunks, presentation.dialect(heading, echo), signal, report), () => abandoned.abort()));
  }
  const { end, gathered, receipt } = await collect(answer.chunks, signal, report);
  if (end.status === "failed") throw providerError(describeFailures([...failures, { endpoint, failure: end.failure }]));
  if (end.status === "cancelled") throw clientGone();
  return presentation.whole(heading, gathered, receipt);
}

/** The models that a request asks for, in order of preference. */
function namedModels({ model, models = [] }: ChatCompletionsBody): [string, ...string[]] {
  const [first, ...rest] = new Set([...(model === undefined ? [] : [model]), ...models]);
  if (first === undefined) throw invalid([{ path: ["model"], message: "is required", code: "invalid_type" }]);
  if (rest.length >= MAX_MODELS) throw invalid([{ path: ["models"], message: `must name at most ${MAX_MODELS} models`, code: "too_big" }]);
  return [first, ...rest];
}

/** No endpoint answered, or nobody waits for it any more: recorded, then told. */
async function refuse(generation: GenerationRun, error: unknown, signal: AbortSignal): Promise<never> {
  if (error instanceof NoAnswer) {
    await generation.recordNoAnswer(error);
    throw providerError(describeFailures(error.failures));
  }
  if (!signal.aborted) throw error;
  await generation.recordNoAnswer(null);
  throw clientGone();
}

const providerError = ({ status, message, provider_name, raw, previous_errors }: StoredError & { status: number; message: string }) =>
  new ApiError(status, message, { provider_name, raw, previous_errors });

/** Nobody reads this answer. */
const clientGone = () => new ApiError(499, "The client closed the request");
