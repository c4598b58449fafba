import type { ResponseEvent } from "../answer-chunk";
import type { AnswerHeader } from "../chat/stream-encoder";
import type { ResponsesBody } from "../contracts/responses-request-contract";
import type { AccumulatedAnswer } from "../accumulate";
import type { StreamEncoder, Receipt } from "../observe";
import { OutputWriter } from "./output-writer";
import { emptyResponse, failedResponse, finishedResponse } from "./response-object";
import type { OutputItem, ResponseObject } from "../contracts/responses-result-contract";
import { namespacedTools } from "../tool-names";
import { sseEvent } from "../server-sent-events";
import { streamedError } from "../upstream-failure";

/**
 * Encodes any answer as Responses events, numbered from 0. Events of an upstream that speaks Responses pass unchanged,
 * except those that repeat the request.
 */
export function responsesStreamEncoder(heading: AnswerHeader, body: ResponsesBody, echo: object | null): StreamEncoder {
  const empty = emptyResponse(heading, body);
  const writer = new OutputWriter(heading.id, namespacedTools(body));
  const relayed: OutputItem[] = [];
  let sequence = 0;
  const encode = (events: readonly ResponseEvent[]) =>
    events.map(({ type, sequence_number: _, ...fields }) =>
      sseEvent({ type, sequence_number: sequence++, ...fields }, type),
    );
  const pass = (event: ResponseEvent): ResponseEvent[] => {
    if (event.type === "response.output_item.done") relayed.push(event["item"] as OutputItem);
    return "response" in event ? [] : [event];
  };
  const failed = (error: NonNullable<ResponseObject["error"]>, receipt: Receipt) => {
    const last = writer.finish("incomplete");
    const response = failedResponse(empty, [...relayed, ...writer.output], error, receipt);
    return encode([...last, { type: "response.failed", response }]);
  };
  return {
    start: () =>
      encode([
        ...(echo ? [{ type: "response.debug", debug: { echo_upstream_body: echo } }] : []),
        { type: "response.created", response: empty },
        { type: "response.in_progress", response: empty },
      ]),
    chunk: (chunk) => encode(chunk.responseEvent ? pass(chunk.responseEvent) : writer.write(chunk)),
    end: (accumulated, receipt) => {
      const last = writer.finish(accumulated.finishReason === "length" ? "incomplete" : "completed");
      const response = finishedResponse(empty, heading, writer.output, accumulated, receipt);
      return encode([...last, { type: `response.${response.status}`, response }]);
    },
    fail: (failure, _gathered, receipt) => {
      const { code: status, message } = streamedError(failure);
      const isInvalid = status === 400 || status === 413;
      const code = status === 429 ? "rate_limit_exceeded" : isInvalid ? "invalid_prompt" : "server_error";
      return failed({ code, message }, receipt);
    },
    block: ({ message }, _gathered, receipt) => failed({ code: "content_filter", message }, receipt),
  };
}

/** Builds a complete Responses answer. */
export function completeResponse(
  heading: AnswerHeader,
  body: ResponsesBody,
  accumulated: AccumulatedAnswer,
  receipt: Receipt,
): ResponseObject {
  const { content, reasoning, refusal, toolCalls, lists, finishReason } = accumulated;
  const writer = new OutputWriter(heading.id, namespacedTools(body));
  if (!accumulated.response) {
    const { logprobs, ...more } = lists;
    const delta = {
      reasoning,
      content,
      refusal,
      tool_calls: toolCalls.map((call, index) => ({ ...call, index })),
      ...more,
    };
    writer.write({ choices: [{ index: 0, delta, ...(logprobs && { logprobs: { content: logprobs } }) }] });
    writer.finish(finishReason === "length" ? "incomplete" : "completed");
  }
  return finishedResponse(emptyResponse(heading, body), heading, writer.output, accumulated, receipt);
}
