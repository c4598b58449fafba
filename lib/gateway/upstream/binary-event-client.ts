import "server-only";
import { Buffer } from "node:buffer";
import type { EventStreamCodec } from "@smithy/core/event-streams";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import { partsOf } from "../../platform/http/direct-response";
import { MAX_EVENT_CHARACTERS, type OnFirstByte } from "./event-client";

/** The first field of a message is its length; the shortest message has only prelude and checksums. */
const LENGTH_BYTES = 4;
const SHORTEST = 16;

/**
 * Yields the messages of an AWS event stream as JSON texts `{"<event or exception>": <payload>}`, batched as they
 * arrived. Throws `BrokenResponse` when a message is too long or doesn't match its checksums.
 */
export async function* readBinaryEvents(response: Response, onFirstByte?: OnFirstByte): AsyncGenerator<string[], void> {
  const codec = await newCodec();
  const parts = partsOf(response);
  const rest = new Bytes();
  let isFirst = true;
  try {
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      if (isFirst) onFirstByte?.();
      isFirst = false;
      rest.add(typeof part.value === "string" ? Buffer.from(part.value, "latin1") : part.value);
      const events = rest.takeMessages().map((message) => toJson(codec, message));
      if (events.length > 0) yield events;
    }
    if (!rest.isEmpty) throw new BrokenResponse("The upstream's stream ended in the middle of an event", "");
  } finally {
    void parts.return?.().catch(() => undefined);
  }
}

/** Received bytes of incomplete messages, joined only when a message is complete. */
class Bytes {
  #parts: Uint8Array[] = [];
  #length = 0;
  /** Number of bytes to wait for. */
  #wanted = LENGTH_BYTES;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  takeMessages(): Buffer[] {
    if (this.#length < this.#wanted) return [];
    let bytes = Buffer.concat(this.#parts);
    const messages: Buffer[] = [];
    for (let size = sizeOf(bytes); size !== null && bytes.length >= size; size = sizeOf(bytes)) {
      messages.push(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
    }
    this.#parts = bytes.length > 0 ? [bytes] : [];
    this.#length = bytes.length;
    this.#wanted = sizeOf(bytes) ?? LENGTH_BYTES;
    return messages;
  }
}

/** Loads the codec on first use, because few installations have a provider that needs it. */
async function newCodec(): Promise<EventStreamCodec> {
  const { EventStreamCodec: Codec } = await import("@smithy/core/event-streams");
  return new Codec(
    (input) => (typeof input === "string" ? input : Buffer.from(input).toString("utf8")),
    (text) => Buffer.from(text, "utf8"),
  );
}

/** Returns the size of the first message in bytes; null until it has arrived. */
function sizeOf(bytes: Buffer): number | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const size = bytes.readUInt32BE(0);
  if (size < SHORTEST) throw new BrokenResponse("The upstream's response is not an AWS event stream", "");
  if (size > MAX_EVENT_CHARACTERS)
    throw new BrokenResponse(`An event of the upstream's stream is longer than ${MAX_EVENT_CHARACTERS} bytes`, "");
  return size;
}

function toJson(codec: EventStreamCodec, bytes: Buffer): string {
  const { headers, body } = decoded(codec, bytes);
  const header = (name: string) => String(headers[name]?.value ?? "");
  if (header(":message-type") === "error")
    return JSON.stringify({ [header(":error-code")]: { message: header(":error-message") } });
  const type = header(":message-type") === "exception" ? header(":exception-type") : header(":event-type");
  return `{${JSON.stringify(type)}:${Buffer.from(body).toString("utf8") || "{}"}}`;
}

function decoded(codec: EventStreamCodec, bytes: Buffer): ReturnType<EventStreamCodec["decode"]> {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw new BrokenResponse(
      `The upstream's stream is damaged: ${error instanceof Error ? error.message : String(error)}`,
      "",
    );
  }
}
