import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Callable } from "../platform/http/operation";
import { requestOf, send, type Answer, type CallInput } from "./api-client";
import { ApiFailure, failureOf } from "./api-failure";

/** The progress of an operation, then its result. */
type Followed<Progress, O extends Callable> = { progress: Progress } | { result: Answer<O> };

/** Calls an operation with progress events; aborting or stopping to read cancels it. */
export async function* follow<Progress, O extends Callable>(
  operation: O,
  input: CallInput<O>,
): AsyncGenerator<Followed<Progress, O>, void> {
  const { url, init } = requestOf(operation, input);
  const headers = new Headers(init.headers);
  headers.set("accept", "text/event-stream");
  const response = await send(url, { ...init, headers });
  if (!response.ok || !response.body) throw await failureOf(response);
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new ApiFailure(0, "The connection ended before the response was complete");
      parser.feed(value);
      for (const { event, data } of events.splice(0)) {
        const message = JSON.parse(data) as { data: Progress; error?: { message: string } };
        if (event === "progress") yield { progress: message.data };
        else if (event === "error") throw new ApiFailure(500, message.error?.message ?? "Internal Server Error");
        else {
          yield { result: message as unknown as Answer<O> };
          return;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
