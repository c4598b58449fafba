import "server-only";
import type { Readable } from "node:stream";
import { failureOf, OutboundFailure } from "./failure";

/** Yields a body at the reader's pace. Fails beyond `maxBytes`; ending the iteration early closes the connection. */
export function boundedBody(body: Readable, maxBytes: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const chunks = body.on("error", () => undefined).iterator() as AsyncIterator<Buffer, undefined>;
  let left = maxBytes;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        try {
          const part = await chunks.next();
          left -= part.value?.length ?? 0;
          if (left < 0) throw new OutboundFailure(null, `The upstream's answer is longer than ${maxBytes} bytes`);
          return part;
        } catch (error) {
          body.destroy();
          throw signal.aborted ? signal.reason : failureOf(error);
        }
      },
      // Not through the generator, which would first wait for the next chunk.
      return: async () => {
        body.destroy();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** Reads at most `maxBytes` of a text, then closes the connection. */
export async function readStart({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}

/** Reads a whole text; fails beyond `maxBytes`. */
export async function readWhole({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    left -= chunk.length;
    if (left < 0) throw new OutboundFailure(null, `The upstream's answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
