import "server-only";
import type { AnswerChunk, AnswerReader } from "../../engine/protocols/answer-chunk";
import { BrokenAnswer } from "../../engine/protocols/broken-answer";
import { ChatAnswerReader } from "../../engine/protocols/chat/answer-reader";
import type { Protocol } from "../../engine/endpoint";
import { isEventStream } from "../../platform/outbound/is-event-stream";
import { readEvents, readText } from "./event-client";
import { ResponsesAnswerReader } from "../../engine/protocols/responses/answer-reader";

/**
 * Reads an upstream's answer, streamed or complete, as chunks: those together that arrived together. Throws `BrokenAnswer`,
 * after the chunks before it.
 */
export async function* readAnswer(response: Response, protocol: Protocol): AsyncGenerator<AnswerChunk[], void> {
  const reader: AnswerReader = protocol === "responses" ? new ResponsesAnswerReader() : new ChatAnswerReader();
  if (!isEventStream(response.headers)) {
    yield reader.readWhole(parse(await readText(response)));
    return;
  }
  let isMarked = false;
  for await (const events of readEvents(response)) {
    const chunks: AnswerChunk[] = [];
    try {
      for (const data of events) {
        isMarked = data === "[DONE]";
        if (isMarked || reader.isComplete) break;
        chunks.push(...reader.read(parse(data)));
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenAnswer("The answer is not valid JSON", text);
  }
}
