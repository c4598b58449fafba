import "server-only";
import { createParser } from "eventsource-parser";
import { partsOf } from "../../platform/http/direct-response";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import { eventData } from "../../engine/protocols/server-sent-events";

/** Maximum number of characters of a stream event: enough for an image, but bounded. */
export const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
/** Maximum size of a response that isn't streamed, in bytes. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Maximum number of bytes read after the last event to reuse the connection, and the maximum wait for them. */
const MAX_REST_BYTES = 65_536;
const MAX_REST_MS = 1000;

type Parts = ReturnType<typeof partsOf>;

/** Called when the first bytes of a response have arrived. */
export type OnFirstByte = () => void;

/**
 * Yields the data of server-sent events, batched as they arrived. Throws `BrokenResponse` when an event exceeds
 * MAX_EVENT_CHARACTERS. While `isEnding`, the stream also ends when it breaks or pauses.
 */
export async function* readEvents(
  response: Response,
  onFirstByte?: OnFirstByte,
  isEnding: () => boolean = () => false,
): AsyncGenerator<string[], void> {
  const ready: string[] = [];
  let isTooLong = false as boolean;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ event, data: given }) => {
      const data = eventData(event, given);
      if (data !== null) ready.push(data);
    },
    onError: ({ type }) => (isTooLong ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  const parts = partsOf(response);
  let isFirst = true;
  try {
    for (;;) {
      const part = await (isEnding() ? nextSoon(parts) : parts.next());
      if (isFirst) onFirstByte?.();
      isFirst = false;
      if (part.done) parser.feed(`${decoder.decode()}\n\n`);
      else parser.feed(typeof part.value === "string" ? part.value : decoder.decode(part.value, { stream: true }));
      if (ready.length > 0) yield ready.splice(0);
      if (isTooLong)
        throw new BrokenResponse(
          `An event of the upstream's stream is longer than ${MAX_EVENT_CHARACTERS} characters`,
          "",
        );
      if (part.done) return;
    }
  } finally {
    void finish(parts);
  }
}

/** Returns the next part, or the end if none arrives within MAX_REST_MS. */
async function nextSoon(parts: Parts): Promise<Awaited<ReturnType<Parts["next"]>>> {
  const end = { done: true as const, value: undefined };
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<typeof end>((resolve) => (timer = setTimeout(resolve, MAX_REST_MS, end)));
  try {
    return await Promise.race([parts.next().catch(() => end), pause]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a short remainder to reuse the connection; closes the stream otherwise. */
async function finish(parts: Parts): Promise<void> {
  const close = () => void parts.return?.().catch(() => undefined);
  const timer = setTimeout(close, MAX_REST_MS);
  try {
    let rest = 0;
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      rest += part.value.length;
      if (rest > MAX_REST_BYTES) {
        close();
        break;
      }
    }
  } catch {
    // The connection is already closed.
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text of a response that isn't streamed. Throws `BrokenResponse` when it exceeds MAX_BODY_BYTES. */
export async function readText(response: Response, onFirstByte?: OnFirstByte): Promise<string> {
  const parts = partsOf(response);
  const received: Uint8Array[] = [];
  let size = 0;
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    if (size === 0) onFirstByte?.();
    const bytes = typeof part.value === "string" ? Buffer.from(part.value) : part.value;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      await parts.return?.();
      throw new BrokenResponse(`The upstream's response is longer than ${MAX_BODY_BYTES} bytes`, "");
    }
    received.push(bytes);
  }
  const text = Buffer.concat(received).toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

const BYTE_ORDER_MARK = "\uFEFF";
