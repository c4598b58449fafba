import "server-only";
import type { AnswerChunk, AnswerReader } from "../../engine/protocols/answer-chunk";
import { answerJson } from "../../engine/protocols/broken-answer";
import { ChatAnswerReader } from "../../engine/protocols/chat/answer-reader";
import { ConverseAnswerReader } from "../../engine/protocols/converse/answer-reader";
import { GenerateContentAnswerReader } from "../../engine/protocols/generate-content/answer-reader";
import { MessagesAnswerReader } from "../../engine/protocols/messages/answer-reader";
import { isKeepAlive } from "../../engine/protocols/server-sent-events";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import { newAnswerSeed } from "../../platform/ids";
import { isBinaryEventStream } from "../../platform/outbound/is-event-stream";
import { readBinaryEvents } from "./binary-event-client";
import { readEvents, readText, type OnFirstByte } from "./event-client";
import { PhasedAnswerReader } from "../../engine/protocols/responses/phased-answer-reader";

/** Response readers by protocol. */
const READERS: Readonly<Record<UpstreamProtocol, (seed: string) => AnswerReader>> = {
  chat_completions: (seed) => new ChatAnswerReader(seed),
  responses: (seed) => new PhasedAnswerReader(seed),
  messages: (seed) => new MessagesAnswerReader({ seed }),
  generate_content: (seed) => new GenerateContentAnswerReader(seed),
  converse: (seed) => new ConverseAnswerReader(seed),
};

/** Reads an upstream's response that isn't streamed. Throws `BrokenAnswer`. */
export async function readWhole(
  response: Response,
  protocol: UpstreamProtocol,
  onFirstByte?: OnFirstByte,
): Promise<AnswerChunk[]> {
  const text = await readText(response, onFirstByte);
  return READERS[protocol](newAnswerSeed()).readWhole(answerJson(text));
}

/**
 * Reads an upstream's streamed response as chunks, batched as they arrived. Throws `BrokenAnswer` after the chunks
 * before it.
 */
export async function* readStream(
  response: Response,
  protocol: UpstreamProtocol,
  onFirstByte?: OnFirstByte,
): AsyncGenerator<AnswerChunk[], void> {
  const reader = READERS[protocol](newAnswerSeed());
  let isMarked = false;
  const events = isBinaryEventStream(response.headers)
    ? readBinaryEvents(response, onFirstByte)
    : readEvents(response, onFirstByte, () => reader.isEnding === true);
  for await (const batch of events) {
    const chunks: AnswerChunk[] = [];
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
