import "server-only";
import {
  joinedCompletions,
  joinedLastEvents,
  textCompletion,
  textStreamEncoder,
  type Shape,
  type TextEnd,
} from "../engine/protocols/completions/text-completion";
import { textOf } from "../engine/protocols/message-text";
import { invalid } from "../platform/api-error";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import type { createCompletion } from "./completions-contract";
import type { TextCompletion } from "../engine/protocols/contracts/text-completion-contract";
import { ChatCompletionsBody, MAX_CHOICES } from "../engine/protocols/contracts/chat-request-contract";
import { keepAliveOf } from "./open-stream-service";
import type { Presentation } from "./presentation";
import { complete } from "./service";
import { textsOf } from "./tokens/count-service";

type Answer = TextCompletion | EventStream;
type StreamOptions = Parameters<typeof textStreamEncoder>[2];
type Create = (context: Context, prompt: string, options?: Omit<StreamOptions, "includesUsage">) => Promise<Answer>;

/** Creates text completions: each prompt is the user message of a generation, whose text is the completion. */
export async function create(
  context: Context,
  { body }: Input<typeof createCompletion>,
): Promise<Result<typeof createCompletion> | EventStream> {
  const { prompt, best_of, echo, suffix: _, logprobs, ...shared } = body;
  const prompts = await textsOf(prompt, "prompt");
  const n = body.n ?? 1;
  const candidates = best_of ?? n;
  if (prompts.length * candidates > MAX_CHOICES)
    throw invalid([
      {
        path: [candidates > n ? "best_of" : "n"],
        message: `must not produce more than ${MAX_CHOICES} choices over all prompts`,
        code: "too_big",
      },
    ]);
  const includesUsage = body.stream_options?.include_usage === true;
  const wanted = {
    ...shared,
    ...(candidates > 1 && { n: candidates }),
    ...requestedLogprobs(logprobs, candidates > n),
  };
  const createOne: Create = (at, content, options) => {
    const chat = ChatCompletionsBody.parse({ ...wanted, messages: [{ role: "user", content }] });
    const request = { protocol: "chat_completions" as const, body: chat };
    const present = ({ body: sent }: typeof request): Presentation<TextCompletion> => {
      const shape: Shape = { logprobs: logprobs ?? null };
      return {
        // The prompt as sent upstream, after a preset's system prompt.
        textBefore: echo ? textOf(sent.messages.at(-1)?.content) : "",
        whole: (heading, accumulated, receipt) => textCompletion(heading, accumulated, receipt, { ...shape, most: n }),
        encoder: (heading) => textStreamEncoder(heading, shape, { includesUsage, ...options }),
      };
    };
    return complete(at, request, present, { apiType: "completions" });
  };
  const [first, ...others] = prompts;
  return first !== undefined && others.length === 0
    ? createOne(context, first)
    : createAll(context, prompts, n, createOne);
}

/** The fields of a chat completion that request log probabilities, by which the best candidates are chosen. */
function requestedLogprobs(alternatives: number | null | undefined, isRanked: boolean) {
  if (typeof alternatives !== "number") return isRanked ? { logprobs: true } : {};
  return { logprobs: true, ...(alternatives > 0 && { top_logprobs: alternatives }) };
}

/**
 * Creates the completions of several prompts concurrently. When all are recorded, the first prompt without a response
 * ends the request with its error, and the other streams stop.
 */
async function createAll(context: Context, prompts: readonly string[], n: number, createOne: Create): Promise<Answer> {
  const contexts = prompts.map((): Context => ({ ...context, headers: new Headers() }));
  const ends: (TextEnd | undefined)[] = prompts.map(() => undefined);
  const settled = await Promise.allSettled(
    contexts.map((at, index) =>
      createOne(at, prompts[index] ?? "", { firstIndex: index * n, onEnd: (end) => (ends[index] = end) }),
    ),
  );
  const failed = settled.findIndex(({ status }) => status === "rejected");
  contexts[Math.max(failed, 0)]?.headers.forEach((value, name) => context.headers.set(name, value));
  const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const streams = answers.flatMap((answer) =>
    answer instanceof EventStream ? [answer.content[Symbol.asyncIterator]()] : [],
  );
  const stop = () => Promise.allSettled(streams.map(async (stream) => stream.return?.()));
  const failure = settled[failed];
  if (failure?.status === "rejected") {
    await stop();
    throw failure.reason;
  }
  const [first, ...others] = answers.filter((answer): answer is TextCompletion => !(answer instanceof EventStream));
  if (first) return joinedCompletions(first, others, n);
  return new EventStream(joined(streams, ends, stop), () => void stop(), keepAliveOf("chat_completions", context));
}

/** Merges the events of several streams as they arrive, with one end. If one fails, all end. */
async function* joined(
  streams: readonly AsyncIterator<string, void>[],
  ends: readonly (TextEnd | undefined)[],
  stop: () => Promise<unknown>,
): AsyncGenerator<string, void> {
  const next = async (stream: AsyncIterator<string, void>, index: number) => ({
    stream,
    index,
    part: await stream.next(),
  });
  const waiting = new Map(streams.map((stream, index) => [index, next(stream, index)]));
  try {
    while (waiting.size > 0) {
      const { stream, index, part } = await Promise.race(waiting.values());
      waiting.delete(index);
      if (!part.done) {
        waiting.set(index, next(stream, index));
        yield part.value;
      } else if (!ends[index]) return;
    }
    const [first, ...others] = ends.filter((end) => end !== undefined);
    if (first) yield joinedLastEvents(first, others).join("");
  } finally {
    await stop();
  }
}
