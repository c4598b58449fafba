import "server-only";
import { newAccumulated } from "../engine/protocols/accumulate";
import type { StreamEncoder } from "../engine/protocols/observe";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import { EventStream, KEEP_ALIVE, type KeepAlive } from "../platform/http/event-stream";
import { toApiError } from "../platform/http/to-api-error";

/** Keep-alive events of protocols that define one. */
const TEXTS: Readonly<Record<string, string>> = { messages: 'event: ping\ndata: {"type": "ping"}\n\n' };

/** Returns the event that keeps a silent stream open, and its interval. */
export const keepAliveOf = (protocol: string, { settings }: Context): KeepAlive => ({
  text: TEXTS[protocol] ?? KEEP_ALIVE.text,
  ms: settings.streamKeepAliveMs,
});

/** Interval at which a pending policy decision is polled. */
const AGAIN_MS = 250;

/**
 * Returns the response. If it hasn't started in time, returns a stream that sends headers and keep-alives until it
 * does. The stream starts only after the policy decision, which sets the generation's id, so that a denial keeps its
 * status. A later failure or denial is the stream's last event. Other candidates can still be tried, because nothing of
 * a response has been sent.
 */
export async function openStream<Whole>(
  context: Context,
  answer: Promise<Whole | EventStream>,
  keepAlive: KeepAlive,
  encoder: () => StreamEncoder,
): Promise<Whole | EventStream> {
  let timer: NodeJS.Timeout | undefined;
  const opened = new Promise<typeof OPENED>((resolve) => {
    const check = (): void => {
      if (context.headers.has("x-generation-id")) resolve(OPENED);
      else timer = setTimeout(check, AGAIN_MS);
    };
    timer = setTimeout(check, keepAlive.ms);
  });
  try {
    const first = await Promise.race([answer, opened]);
    if (first !== OPENED) return first;
  } finally {
    clearTimeout(timer);
  }
  const leaving: Leaving = { hasLeft: false, parts: null };
  return new EventStream(awaited(context, answer, encoder, leaving), () => leave(leaving), keepAlive);
}

const OPENED = Symbol("opened");

/** The reader of a waiting stream, which may disconnect before or after the response begins. */
interface Leaving {
  hasLeft: boolean;
  parts: AsyncIterator<string, void> | null;
}

function leave(leaving: Leaving): void {
  leaving.hasLeft = true;
  void leaving.parts?.return?.().catch(() => undefined);
}

async function* awaited(
  context: Context,
  answer: Promise<unknown>,
  encoder: () => StreamEncoder,
  leaving: Leaving,
): AsyncGenerator<string, void> {
  let stream: unknown;
  try {
    stream = await answer;
  } catch (error) {
    yield lastEvents(encoder(), toApiError(error, context.requestId), context);
    return;
  }
  if (!(stream instanceof EventStream)) return;
  const parts = stream.content[Symbol.asyncIterator]();
  leaving.parts = parts;
  if (leaving.hasLeft) await parts.return?.();
  else yield* { [Symbol.asyncIterator]: () => parts };
}

/** Encodes an error in place of a response. */
function lastEvents(encoder: StreamEncoder, given: ApiError, { now, arrivedAt }: Context): string {
  const { service_metadata, ...metadata } = given.metadata ?? {};
  const error = new ApiError(given.status, given.message, metadata);
  const receipt = {
    costUsd: 0,
    completedAt: Math.floor((now.getTime() + performance.now() - arrivedAt) / 1000),
    serviceMetadata: service_metadata ?? null,
  };
  // A response that was withheld or couldn't be checked.
  const isBlocked = "blocked_by" in metadata || "unavailable" in metadata;
  const last = isBlocked
    ? encoder.block(error, newAccumulated(), receipt)
    : encoder.fail(error, newAccumulated(), receipt);
  return [...encoder.start(), ...last].join("");
}
