import "server-only";
import { OutboundFailure } from "./failure";

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
    if (left < 0) throw new OutboundFailure(null, `The answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads whole bytes; fails beyond `maxBytes`. */
export async function readBytes({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of body ?? []) {
    left -= chunk.length;
    if (left < 0) throw new OutboundFailure(null, `The answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
