import type { Heading } from "./chat-dialect";
import type { ChatRequest } from "./chat-request";
import { OutputWriter, type ResponseEvent } from "./chat-to-responses";
import type { ResponsesBody } from "./contract";
import type { Gathered } from "./gather";
import type { Dialect, Receipt } from "./observe";
import { emptyResponse, finishedResponse, outputText } from "./response-object";
import type { ResponseObject } from "./responses-result-contract";
import { sseEvent } from "./server-sent-events";

/** Chat completions to the event sequence of Responses, numbered from 0. */
export function responsesDialect(heading: Heading, body: ResponsesBody, echo: ChatRequest | null): Dialect {
  const empty = emptyResponse(heading, body);
  const writer = new OutputWriter(heading.id);
  let sequence = 0;
  const encode = (events: readonly ResponseEvent[]) => events.map(({ type, ...fields }) => sseEvent({ type, sequence_number: sequence++, ...fields }, type));
  return {
    start: () =>
      encode([
        ...(echo ? [{ type: "response.debug" as const, debug: { echo_upstream_body: echo } }] : []),
        { type: "response.created", response: empty },
        { type: "response.in_progress", response: empty },
      ]),
    chunk: (chunk) => encode(writer.write(chunk)),
    end: (gathered, receipt) => {
      const last = writer.finish(gathered.finishReason === "length" ? "incomplete" : "completed");
      const response = finishedResponse(empty, heading, writer.output, gathered, receipt);
      return encode([...last, { type: `response.${response.status}`, response }]);
    },
    fail: () => {
      const last = writer.finish("incomplete");
      const { output } = writer;
      const error = { code: "server_error", message: "Provider returned error" };
      return encode([...last, { type: "response.failed", response: { ...empty, status: "failed", error, output, output_text: outputText(output) } }]);
    },
  };
}

/** The whole answer of Responses. */
export function wholeResponse(heading: Heading, body: ResponsesBody, gathered: Gathered, receipt: Receipt): ResponseObject {
  const { content, reasoning, toolCalls, finishReason } = gathered;
  const writer = new OutputWriter(heading.id);
  const delta = { reasoning, content, tool_calls: toolCalls.map((call, index) => ({ ...call, index })) };
  writer.write({ choices: [{ index: 0, delta }] });
  writer.finish(finishReason === "length" ? "incomplete" : "completed");
  return finishedResponse(emptyResponse(heading, body), heading, writer.output, gathered, receipt);
}
