import type { Endpoint } from "../engine/endpoint";
import type { ResponseChunk } from "../engine/protocols/response-chunk";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { collect } from "../engine/protocols/observe";
import { AttemptFailed, type Failure } from "../engine/protocols/upstream-failure";
import { decideAndReserve, type AcceptedRequest } from "../gateway/decide-and-reserve-service";
import { GenerationTrace } from "../gateway/record/generation-trace-service";
import { NoResponse } from "../gateway/upstream/upstream-client";
import { guardedChunks } from "../gateway/response-guards-service";
import { complete } from "../gateway/service";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import type { Database } from "../platform/database/transaction";
import type { Env } from "../platform/env";
import { newGenerationId } from "../platform/ids";
import { PlainSignal } from "../platform/signal";
import { NO_TRACE } from "../platform/telemetry/trace-context";
import type { Attempt } from "../records/generations/contract";
import { findCallerByHash } from "../records/keys/credentials-store";
import type { PlannedRequest } from "./history";
import { randomFrom } from "./random";

/** Requests decided at a time. */
const AT_ONCE = 16;
const CHARACTERS_PER_TOKEN = 4;
/** Maximum number of output tokens, for which the gateway reserves budget. */
const MOST_TOKENS = 12_000;
const USER_AGENTS = ["openai-node/6.9.1", "openai-python/2.8.1", "LangChain/1.0.8"] as const;

/** Milliseconds until the first token, and tokens per second, of a provider's models. */
const SPEEDS: Readonly<Record<string, { first: number; perSecond: number }>> = {
  openai: { first: 480, perSecond: 90 },
  anthropic: { first: 720, perSecond: 65 },
  google: { first: 390, perSecond: 140 },
  mistral: { first: 310, perSecond: 110 },
};
const USUAL_SPEED = { first: 450, perSecond: 90 };

/** Models that reason before they answer. */
const REASONS = /terra|sonnet|pro/;

interface HistoryTarget {
  db: Database;
  settings: Env;
  /** Hashes of the sample keys by name. */
  hashes: ReadonlyMap<string, string>;
}

/**
 * Records requests of the past as the gateway would have: it decides, reserves budget and records with the time of the
 * request, so that decisions, costs, budgets and sums agree. Only the upstreams are simulated. Returns the number of
 * recorded generations.
 */
export async function recordHistory(
  target: HistoryTarget,
  planned: Iterable<PlannedRequest>,
  progress: (recorded: number) => void,
): Promise<number> {
  let recorded = 0;
  let group: PlannedRequest[] = [];
  const flush = async () => {
    await Promise.all(group.map((request, index) => recordOne(target, request, recorded + index)));
    recorded += group.length;
    group = [];
    progress(recorded);
  };
  for (const request of planned) if (group.push(request) === AT_ONCE) await flush();
  await flush();
  return recorded;
}

async function recordOne({ db, settings, hashes }: HistoryTarget, request: PlannedRequest, index: number) {
  const { at, team } = request;
  const caller = await findCallerByHash(db, hashes.get(request.key.name) ?? "", at);
  if (!caller) return;
  const context: Context = {
    caller,
    db,
    settings,
    now: at,
    arrivedAt: performance.now(),
    trace: NO_TRACE,
    random: randomFrom(index),
    requestId: `req-demo-${index}`,
    origin: "http://127.0.0.1",
    search: "",
    ip: null,
    sessionToken: null,
    deviceToken: null,
    flowToken: null,
    client: {
      httpReferer: team.app.referer,
      appTitle: team.app.title,
      appCategories: null,
      userAgent: USER_AGENTS[team.name.length % USER_AGENTS.length] ?? null,
      sessionId: request.sessionId,
      wantsMetadata: false,
      wantsEvents: false,
      wantsYaml: false,
    },
    ifMatch: null,
    signal: new PlainSignal(),
    headers: new Headers(),
  };
  const inference = inferenceOf(request);
  const clock = { ms: 0 };
  const generation = {
    id: newGenerationId(at),
    apiType: inference.protocol,
    queue: 0,
    elapsed: () => Math.round(clock.ms),
    trace: new GenerationTrace(NO_TRACE, context.arrivedAt),
  };
  try {
    await answer(await decideAndReserve(context, generation, inference, {}, complete), request, clock);
  } catch (error) {
    // A denial, which has been recorded.
    if (!(error instanceof ApiError)) throw error;
  }
}

function inferenceOf({ team, prompt, models, preset, user, isStreamed, isChat }: PlannedRequest): InferenceRequest {
  const [model, ...fallbacks] = models;
  const common = {
    model: preset === null ? model : `@preset/${preset}`,
    ...(preset === null && fallbacks.length > 0 && { models: [...fallbacks] }),
    stream: isStreamed,
    user,
  };
  const instructions = preset === null ? team.instructions : null;
  return isChat
    ? {
        protocol: "chat_completions",
        body: ChatCompletionsBody.parse({
          ...common,
          max_completion_tokens: MOST_TOKENS,
          messages: [
            ...(instructions === null ? [] : [{ role: "system", content: instructions }]),
            { role: "user", content: prompt },
          ],
        }),
      }
    : {
        protocol: "responses",
        body: ResponsesBody.parse({ ...common, max_output_tokens: MOST_TOKENS, instructions, input: prompt }),
      };
}

/** Simulates the upstreams and records the result. `clock` has the milliseconds since the request began. */
async function answer(
  { candidates, recorder, guards, signal, verdict }: AcceptedRequest,
  request: PlannedRequest,
  clock: { ms: number },
): Promise<void> {
  const attempts: Attempt[] = [];
  const failures: Failure[] = [];
  for (const [index, endpoint] of candidates.entries()) {
    const speed = SPEEDS[endpoint.provider.slug] ?? USUAL_SPEED;
    // Most requests are about as fast as usual; few are several times slower.
    const first = speed.first * (0.6 + 0.5 * request.pace + 3 * request.pace ** 12);
    clock.ms += first;
    if (index === 0 && request.failure !== null) {
      const failure = failureOf(request.failure);
      attempts.push(attemptOf(endpoint, request.failure, first, failure.message));
      failures.push({ endpoint, failure });
      continue;
    }
    attempts.push(attemptOf(endpoint, 200, first, null));
    const tokens = tokensOf(request, endpoint);
    const characters = JSON.stringify(verdict.request.body).length;
    const report = recorder.reportOf(
      { endpoint, chunks: [], attempts, failures, measure: () => undefined },
      guards,
      signal,
      null,
    );
    clock.ms += (1000 * (tokens.answer + tokens.reasoning)) / speed.perSecond;
    const chunks = guardedChunks([[chunkOf(request, characters, tokens)]], endpoint, guards);
    const { receipt } = await collect(
      chunks,
      signal,
      request.isCancelled && request.isStreamed
        ? (_, accumulated) => report({ status: "cancelled" }, accumulated)
        : report,
    );
    return receipt.recorded;
  }
  return recorder.recordNoResponse(new NoResponse(attempts, failures, false), guards);
}

const tokensOf = ({ answer, reasoning }: PlannedRequest, { model }: Endpoint) => ({
  answer: Math.ceil(answer.length / CHARACTERS_PER_TOKEN),
  reasoning: REASONS.test(model.slug) ? reasoning : 0,
});

function chunkOf(
  { answer, pace }: PlannedRequest,
  characters: number,
  tokens: { answer: number; reasoning: number },
): ResponseChunk {
  const prompt_tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const completion_tokens = tokens.answer + tokens.reasoning;
  return {
    id: null,
    choices: [{ index: 0, delta: { content: answer }, finish_reason: "stop" }],
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      // Long prompts begin as earlier ones do.
      prompt_tokens_details: { cached_tokens: prompt_tokens > 400 ? Math.floor(prompt_tokens * 0.6 * pace) : 0 },
      completion_tokens_details: { reasoning_tokens: tokens.reasoning },
    },
  };
}

const MESSAGES: Readonly<Record<number, string>> = {
  429: "Rate limit reached for requests per minute",
  500: "The server had an error while processing the request",
  503: "The model is overloaded. Please try again later",
  529: "Overloaded",
};

const failureOf = (status: number): AttemptFailed =>
  new AttemptFailed(status, `The upstream responded with status ${status}`, {
    raw: JSON.stringify({ error: { message: MESSAGES[status] ?? "Error" } }),
  });

const attemptOf = (
  { provider, model, dataRegion }: Endpoint,
  status: number,
  latencyMs: number,
  error: string | null,
): Attempt => ({
  provider: provider.slug,
  provider_name: provider.name,
  model: model.slug,
  status,
  latency_ms: Math.round(latencyMs),
  error,
  data_region: dataRegion,
});
