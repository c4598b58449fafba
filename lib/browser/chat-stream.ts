import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { ChatChunk } from "../engine/protocols/contracts/chat-result-contract";
import { requestOf, send, type CallInput } from "./api-client";
import { ApiFailure, failureOf } from "./api-failure";
import { sendFromPlayground } from "./operations/playground";
import { reportSessionEnd } from "./session-end";

/** A chunk of a streamed chat completion, or the error that ends the answer. */
export type StreamedChunk = Partial<ChatChunk> & {
  error?: { status: number; message: string; metadata?: Record<string, unknown> };
};

interface ChatStream {
  /** The generation, which is recorded even if the request is rejected. */
  generationId: string | null;
  /** Null when the request was rejected. */
  chunks: AsyncGenerator<StreamedChunk, void> | null;
  failure: ApiFailure | null;
}

/** Sends a streamed chat completion from the playground. Aborting it stops the upstream. */
export async function streamChat(
  body: CallInput<typeof sendFromPlayground>["body"],
  signal: AbortSignal,
): Promise<ChatStream> {
  const { url, init } = requestOf(sendFromPlayground, {
    body: { ...body, request: { ...body.request, stream: true } },
  });
  const response = await send(url, { ...init, signal });
  const generationId = response.headers.get("x-generation-id");
  if (response.ok && response.body) return { generationId, chunks: chunksOf(response.body), failure: null };
  if (response.status === 401 && generationId === null && (await reportSessionEnd())) return streamChat(body, signal);
  return { generationId, chunks: null, failure: await failureOf(response) };
}

const END = "[DONE]";

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamedChunk, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(value);
      for (const { data } of events.splice(0)) {
        if (data === END) return;
        yield JSON.parse(data) as StreamedChunk;
      }
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(0, "The connection ended before the response was complete");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
