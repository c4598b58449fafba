import type { ApiError } from "../../../platform/api-error";
import type { AccumulatedResponse } from "../accumulate";
import type { ResponseChunk, MessageEvent } from "../response-chunk";
import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import { serviceMetadataOf, type ResponseHeader } from "../chat/stream-encoder";
import type { ResponseBlock, Message } from "../contracts/messages-result-contract";
import type { MessagesBody } from "../contracts/messages-request-contract";
import type { Receipt, StreamEncoder } from "../observe";
import { sseEvent } from "../server-sent-events";
import { streamedError, type AttemptFailed } from "../upstream-failure";
import { OWN_OF_MESSAGE } from "../vocabulary";
import { messagesError } from "./error-body";
import { MessageWriter } from "./message-writer";
import { costFields, toMessagesUsage } from "./message-usage";
import { stopReason } from "./stop-reason";
import { THINKING_FORMAT, toThinkingBlocks } from "./thinking-details";
import { gatheredMessage } from "./whole-message";

const showsThinking = ({ thinking }: MessagesBody): boolean => thinking?.display !== "omitted";

/** Returns the fields of an upstream's message that pass; Signalbox sets the others. */
const sentOfMessage = (message: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OWN_OF_MESSAGE.has(name)));

/** Returns a message without content and stop reason. */
const emptyMessage = ({ id, model, promptTokens = 0 }: ResponseHeader): Message => ({
  id,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...toMessagesUsage(null), input_tokens: promptTokens },
});

/**
 * Encodes any answer as Messages events. Events of an upstream that speaks Messages pass with Signalbox's id and model;
 * the last ones are held until the answer is recorded.
 */
export function messagesStreamEncoder(heading: ResponseHeader, body: MessagesBody, echo: object | null): StreamEncoder {
  const writer = new MessageWriter(showsThinking(body));
  let hasBegun = false;
  /** The upstream's last event. */
  let ending: MessageEvent | null = null;
  let stop: MessageEvent = { type: "message_stop" };
  const encode = (events: readonly MessageEvent[]) => events.map((event) => sseEvent(event, event.type));
  const begin = (event: MessageEvent = { type: "message_start" }): MessageEvent[] => {
    if (hasBegun) return [];
    hasBegun = true;
    const { id, model, ...own } = emptyMessage(heading);
    return [
      ...(echo ? [{ type: "debug", debug: { echo_upstream_body: echo } }] : []),
      { ...event, message: { ...own, ...sentOfMessage(asObject(event["message"]) ?? {}), id, model } },
    ];
  };
  const pass = (event: MessageEvent): MessageEvent[] => {
    switch (event.type) {
      case "message_start":
        return begin(event);
      case "message_delta":
        ending = { ...ending, ...sentOfMessage(event), type: event.type };
        return [];
      case "message_stop":
        stop = event;
        return [];
      default:
        return [...begin(), event];
    }
  };
  const last = (accumulated: AccumulatedResponse, receipt: Receipt): MessageEvent => {
    const { type, delta, usage, ...rest } = ending ?? { type: "message_delta" };
    const cost = costFields(accumulated.usage, receipt, heading);
    return {
      type,
      delta: delta ?? { stop_reason: stopReason(accumulated), stop_sequence: null },
      usage: { ...(asObject(usage) ?? toMessagesUsage(accumulated.usage)), ...cost },
      ...rest,
      ...serviceMetadataOf(receipt),
    };
  };
  const failed = (failure: AttemptFailed | ApiError, receipt: Receipt): MessageEvent => {
    const { status, message, param, metadata } = streamedError(failure);
    const details = { ...(param !== undefined && { param }), ...(metadata && { metadata }) };
    return { ...messagesError(status, message, details), ...serviceMetadataOf(receipt) };
  };
  return {
    start: () => [],
    chunk: (chunk: ResponseChunk) => {
      if (chunk.messageEvent) return encode(pass(chunk.messageEvent));
      const events = writer.write(chunk);
      return events.length > 0 ? encode([...begin(), ...events]) : [];
    },
    end: (accumulated, receipt) => encode([...begin(), ...writer.finish(), last(accumulated, receipt), stop]),
    fail: (failure, _accumulated, receipt) => encode([...begin(), failed(failure, receipt)]),
    block: (error, _accumulated, receipt) => encode([...begin(), failed(error, receipt)]),
  };
}

/** Builds a complete Messages answer. */
export function completeMessage(
  heading: ResponseHeader,
  body: MessagesBody,
  accumulated: AccumulatedResponse,
  receipt: Receipt,
): Message {
  const { gathered, usage, content, reasoning, refusal, toolCalls, lists } = accumulated;
  const { id, model, ...empty } = emptyMessage(heading);
  const cost = costFields(usage, receipt, heading);
  if (gathered) {
    const message = sentOfMessage(gatheredMessage(gathered));
    const { input_tokens, output_tokens } = toMessagesUsage(usage);
    return {
      ...empty,
      ...message,
      id,
      model,
      usage: { input_tokens, output_tokens, ...asObject(message["usage"]), ...cost },
      ...serviceMetadataOf(receipt),
    };
  }
  const writer = new MessageWriter(showsThinking(body));
  const thinking = toThinkingBlocks(lists.reasoning_details) as ResponseBlock[];
  const tool_calls = toolCalls.map((call, index) => ({ ...call, index }));
  const encrypted = asObjects(lists.reasoning_details).filter(
    ({ type, format }) =>
      type === "reasoning.encrypted" && (thinking.length === 0 || (format ?? THINKING_FORMAT) !== THINKING_FORMAT),
  );
  const thought = { ...(thinking.length === 0 && { reasoning }), reasoning_details: encrypted };
  const delta = { ...thought, content, refusal, tool_calls, annotations: lists.annotations };
  writer.write({ choices: [{ index: 0, delta }] });
  writer.finish();
  return {
    ...empty,
    id,
    model,
    content: [...thinking, ...writer.content],
    stop_reason: stopReason(accumulated),
    usage: { ...toMessagesUsage(usage), ...cost },
    ...serviceMetadataOf(receipt),
  };
}
