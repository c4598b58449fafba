import "server-only";
import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { ApiError } from "../api-error";
import { bodyTooLarge, incompleteBody, malformedBody } from "./body-error";

/** Parts of node:zlib that exist only in newer versions of Node.js. */
interface Zstd {
  constants: { ZSTD_d_windowLogMax: number };
  createZstdDecompress?: (options: { params: Record<number, number> }) => Transform;
}

/** The largest window that a sender may use without negotiation: 8 MB (RFC 9659). */
const ZSTD_WINDOW_LOG = 23;

const { constants, createZstdDecompress } = zlib as unknown as Zstd;

/** Decoders by content coding; zstd where Node.js has it. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => zlib.createGunzip()],
  ["br", () => zlib.createBrotliDecompress()],
  ...(createZstdDecompress
    ? [["zstd", () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })] as const]
    : []),
]);

const CODINGS = [...DECODERS.keys()].join(", ");

/** Yields a body as it arrives. Fails if the body is incomplete or exceeds `maxBytes`. */
async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  const parts = body[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const part = await parts.next().catch(() => {
        throw incompleteBody();
      });
      if (part.done) return;
      size += part.value.byteLength;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      yield part.value;
    }
  } finally {
    await parts.return?.().catch(() => undefined);
  }
}

/**
 * Yields a decoded body as it arrives. Reads at most `maxBytes` of the encoded body. The reader limits the decoded body, and decoding
 * stops when the reader stops.
 */
export async function* decodedBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const coding = encoding.trim().toLowerCase();
  const decoder = DECODERS.get(coding)?.();
  if (!decoder)
    throw new ApiError(415, `Content-Encoding must be one of ${CODINGS}, or absent`, undefined, {
      "accept-encoding": CODINGS,
    });
  // The reader of the decoder receives the errors of both streams.
  pipeline(Readable.from(bounded(body, maxBytes), { objectMode: false }), decoder, () => undefined);
  try {
    for await (const part of decoder) yield part as Uint8Array;
  } catch (error) {
    throw error instanceof ApiError ? error : malformedBody(`The body is not valid ${coding}`);
  }
}
