import "server-only";
import type { Readable } from "node:stream";
import { failureOf, OutboundFailure } from "./failure";

/** Streams a body at the reader's pace. Fails beyond `maxBytes`; cancelling closes the connection. */
export function boundedBody(
  body: Readable,
  maxBytes: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body.on("error", () => undefined).iterator() as AsyncIterator<Buffer<ArrayBuffer>, undefined>;
  let left = maxBytes;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value } = await chunks.next();
          left -= value?.length ?? 0;
          if (left < 0) throw new OutboundFailure(null, `The upstream's answer is longer than ${maxBytes} bytes`);
          if (value) controller.enqueue(value);
          else controller.close();
        } catch (error) {
          body.destroy();
          controller.error(signal.aborted ? signal.reason : failureOf(error));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
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
