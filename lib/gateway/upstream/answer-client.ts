import "server-only";
import type { AnswerChunk, AnswerReader } from "../../engine/protocols/answer-chunk";
import { BrokenAnswer } from "../../engine/protocols/broken-answer";
import { ChatAnswerReader } from "../../engine/protocols/chat/answer-reader";
import type { Protocol } from "../../engine/endpoint";
import { readEvents, readText } from "./event-client";
import { ResponsesAnswerReader } from "../../engine/protocols/responses/answer-reader";

/** Reads an upstream's answer, streamed or complete, as chunks. Throws `BrokenAnswer`. */
export async function* readAnswer(response: Response, protocol: Protocol): AsyncGenerator<AnswerChunk, void> {
  const reader: AnswerReader = protocol === "responses" ? new ResponsesAnswerReader() : new ChatAnswerReader();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield* reader.readWhole(parse(await readText(response)));
    return;
  }
  let isMarked = false;
  for await (const data of readEvents(response)) {
    isMarked = data === "[DONE]";
    if (isMarked) break;
    yield* reader.read(parse(data));
    if (reader.isComplete) return;
  }
  yield* reader.end(isMarked);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenAnswer("The answer is not valid JSON", text);
  }
}
