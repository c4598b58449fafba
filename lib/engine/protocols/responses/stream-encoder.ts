import type { ResponseChunk, ResponseEvent } from "../response-chunk";
import type { ResponseHeader } from "../chat/stream-encoder";
import type { ResponsesBody } from "../contracts/responses-request-contract";
import type { AccumulatedResponse } from "../accumulate";
import type { StreamEncoder, Receipt } from "../observe";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { OutputWriter } from "./output-writer";
import { PREAMBLE, TERMINAL } from "./upstream-reader";
import { begunResponse, emptyResponse, failedResponse, finishedResponse } from "./response-object";
import type { OutputItem, ResponseObject } from "../contracts/responses-result-contract";
import { namespacedTools } from "../tool-names";
import { sseEvent } from "../server-sent-events";
import { streamedError, type StreamedError } from "../upstream-failure";

/**
 * Encodes any answer as Responses events, numbered from 0. Events of an upstream that speaks Responses pass as sent,
 * except for fields that Signalbox sets; the last event is held until the answer is recorded.
 */
export function responsesStreamEncoder(
  heading: ResponseHeader,
  body: ResponsesBody,
  echo: object | null,
): StreamEncoder {
  /** The response in the first events. */
  let begun = emptyResponse(heading, body);
  let hasBegun = false;
  /** Further fields of the upstream's last event. */
  let ending: JsonObject = {};
  const writer = new OutputWriter(heading.id, namespacedTools(body));
  const relayed: OutputItem[] = [];
  /** The events that close the open items. */
  let closing: ResponseEvent[] | null = null;
  const close = (status: "completed" | "incomplete") => (closing ??= writer.finish(status));
  let sequence = 0;
  const encode = (events: readonly ResponseEvent[]) =>
    events.map(({ type, sequence_number: _, ...fields }) =>
      sseEvent({ type, sequence_number: sequence++, ...fields }, type),
    );
  const begin = (): ResponseEvent[] => {
    if (hasBegun) return [];
    hasBegun = true;
    return ["response.created", "response.in_progress"].map((type) => ({ type, response: begun }));
  };
  const pass = (event: ResponseEvent): ResponseEvent[] => {
    const response = asObject(event["response"]);
    if (event.type === "response.output_item.done") relayed.push(event["item"] as OutputItem);
    if (!response) return [...begin(), event];
    if (TERMINAL.has(event.type)) {
      ending = event;
      return begin();
    }
    if (!PREAMBLE.has(event.type)) return [...begin(), { ...event, response: begunResponse(begun, response) }];
    hasBegun = true;
    begun = begunResponse(begun, response);
    return [{ ...event, response: begun }];
  };
  const write = (chunk: ResponseChunk): ResponseEvent[] => {
    const events = writer.write(chunk);
    return events.length > 0 ? [...begin(), ...events] : [];
  };
  /** Returns the event that clients raise as an error, and the end of the response. */
  const failed = ({ status, message, code: given, type, param = null }: StreamedError, receipt: Receipt) => {
    const code = asText(given) ?? codeOf(status);
    const error = { type: type ?? typeOf(status), code, message, param };
    const last = close("incomplete");
    const response = failedResponse(begun, [...relayed, ...writer.output], { code, message }, receipt);
    return encode([
      ...begin(),
      ...last,
      { type: "error", code, message, param, error },
      { type: "response.failed", response },
    ]);
  };
  return {
    start: () => encode(echo ? [{ type: "response.debug", debug: { echo_upstream_body: echo } }] : []),
    chunk: (chunk) => encode(chunk.responseEvent ? pass(chunk.responseEvent) : write(chunk)),
    items: ({ status }, accumulated) => {
      close(status === "succeeded" ? statusOf(accumulated) : "incomplete");
      return [...relayed, ...outputOf(accumulated.response), ...writer.output];
    },
    end: (accumulated, receipt) => {
      const last = close(statusOf(accumulated));
      const response = finishedResponse(begun, heading, writer.output, accumulated, receipt);
      return encode([...begin(), ...last, { ...ending, type: `response.${response.status}`, response }]);
    },
    fail: (failure, _gathered, receipt) => failed(streamedError(failure), receipt),
    block: ({ status, message }, _gathered, receipt) => failed({ status, message, code: "content_filter" }, receipt),
  };
}

const isInvalid = (status: number): boolean => status >= 400 && status < 500;

/** Returns the code of an error without one. */
const codeOf = (status: number): string =>
  status === 429 ? "rate_limit_exceeded" : status === 400 || status === 413 ? "invalid_prompt" : "server_error";
const typeOf = (status: number): string =>
  status === 429 ? "rate_limit_error" : isInvalid(status) ? "invalid_request_error" : "server_error";

const statusOf = ({ finishReason }: AccumulatedResponse) => (finishReason === "length" ? "incomplete" : "completed");

const outputOf = (response: JsonObject | null): OutputItem[] =>
  (response?.["output"] as OutputItem[] | undefined) ?? [];

/** Builds a complete Responses answer. */
export const completeResponse = (
  heading: ResponseHeader,
  body: ResponsesBody,
  accumulated: AccumulatedResponse,
  receipt: Receipt,
): ResponseObject =>
  finishedResponse(
    emptyResponse(heading, body),
    heading,
    completeOutput(heading, body, accumulated),
    accumulated,
    receipt,
  );

/** Returns the output items of a complete answer. */
export function completeOutput(
  heading: ResponseHeader,
  body: ResponsesBody,
  accumulated: AccumulatedResponse,
): OutputItem[] {
  if (accumulated.response) return outputOf(accumulated.response);
  const { content, reasoning, refusal, toolCalls, lists } = accumulated;
  const writer = new OutputWriter(heading.id, namespacedTools(body));
  const { logprobs, ...more } = lists;
  const delta = {
    reasoning,
    content,
    refusal,
    tool_calls: toolCalls.map((call, index) => ({ ...call, index })),
    ...more,
  };
  writer.write({ choices: [{ index: 0, delta, ...(logprobs && { logprobs: { content: logprobs } }) }] });
  writer.finish(statusOf(accumulated));
  return writer.output;
}
