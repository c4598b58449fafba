import "server-only";
import { createParser } from "eventsource-parser";
import { BrokenAnswer } from "../../engine/protocols/broken-answer";

/** Maximum length of a stream event in characters: enough for an image, but bounded. */
export const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
/** Maximum size of an answer that isn't streamed, in bytes. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Maximum number of bytes read after the last event so that the connection can be reused. */
const MAX_REST_BYTES = 65_536;
const MAX_REST_MS = 1000;

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** Yields the data of each server-sent event. Throws `BrokenAnswer` when an event exceeds MAX_EVENT_CHARACTERS. */
export async function* readEvents({ body }: Response): AsyncGenerator<string, void> {
  if (!body) return;
  const ready: string[] = [];
  let isTooLong = false as boolean;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => ready.push(data),
    onError: ({ type }) => (isTooLong ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
      if (isTooLong)
        throw new BrokenAnswer(`An event of the stream is longer than ${MAX_EVENT_CHARACTERS} characters`, "");
      if (done) return;
    }
  } finally {
    void finish(reader);
  }
}

/** Reads a short remainder to reuse the connection; closes the stream otherwise. */
async function finish(reader: Reader): Promise<void> {
  const close = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(close, MAX_REST_MS);
  try {
    let rest = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += part.value.byteLength;
      if (rest > MAX_REST_BYTES) {
        close();
        break;
      }
    }
  } catch {
    // The connection is gone: nothing to give back.
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text of an answer that isn't streamed. Throws `BrokenAnswer` when it exceeds MAX_BODY_BYTES. */
export async function readText({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const bytes of body) {
    size += bytes.byteLength;
    if (size > MAX_BODY_BYTES) throw new BrokenAnswer(`The answer is longer than ${MAX_BODY_BYTES} bytes`, "");
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
