import "server-only";
import type { ResponseChunk, UpstreamReader } from "../../engine/protocols/response-chunk";
import { answerJson } from "../../engine/protocols/broken-response";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { ConverseUpstreamReader } from "../../engine/protocols/converse/upstream-reader";
import { GenerateContentUpstreamReader } from "../../engine/protocols/generate-content/upstream-reader";
import { MessagesUpstreamReader } from "../../engine/protocols/messages/upstream-reader";
import { isKeepAlive } from "../../engine/protocols/server-sent-events";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import { newResponseSeed } from "../../platform/ids";
import { isBinaryEventStream } from "../../platform/outbound/is-event-stream";
import { readBinaryEvents } from "./binary-event-client";
import { readEvents, readText, type OnFirstByte } from "./event-client";
import { PhasedUpstreamReader } from "../../engine/protocols/responses/phased-upstream-reader";

/** Response readers by protocol. */
const READERS: Readonly<Record<UpstreamProtocol, (seed: string) => UpstreamReader>> = {
  chat_completions: (seed) => new ChatUpstreamReader(seed),
  responses: (seed) => new PhasedUpstreamReader(seed),
  messages: (seed) => new MessagesUpstreamReader({ seed }),
  generate_content: (seed) => new GenerateContentUpstreamReader(seed),
  converse: (seed) => new ConverseUpstreamReader(seed),
};

/** Reads an upstream's response that isn't streamed. Throws `BrokenResponse`. */
export async function readWhole(
  response: Response,
  protocol: UpstreamProtocol,
  onFirstByte?: OnFirstByte,
): Promise<ResponseChunk[]> {
  const text = await readText(response, onFirstByte);
  return READERS[protocol](newResponseSeed()).readWhole(answerJson(text));
}

/**
 * Reads an upstream's streamed response as chunks, batched as they arrived. Throws `BrokenResponse` after the chunks
 * before it.
 */
export async function* readStream(
  response: Response,
  protocol: UpstreamProtocol,
  onFirstByte?: OnFirstByte,
): AsyncGenerator<ResponseChunk[], void> {
  const reader = READERS[protocol](newResponseSeed());
  let isMarked = false;
  const events = isBinaryEventStream(response.headers)
    ? readBinaryEvents(response, onFirstByte)
    : readEvents(response, onFirstByte, () => reader.isEnding === true);
  for await (const batch of events) {
    const chunks: ResponseChunk[] = [];
    try {
      for (const data of batch) {
        isMarked = data === "[DONE]";
        if (isMarked || reader.isComplete) break;
        const event = answerJson(data);
        if (protocol === "messages" || !isKeepAlive(event)) chunks.push(...reader.read(event));
      }
    } catch (error) {
      if (chunks.length > 0) yield chunks;
      throw error;
    }
    if (chunks.length > 0) yield chunks;
    if (reader.isComplete) return;
    if (isMarked) break;
  }
  const last = reader.end(isMarked);
  if (last.length > 0) yield last;
}
