import { randomUUID } from "node:crypto";

export interface FakeCall {
  /** Unique within a conversation. By default, the number within the response. */
  id?: string;
  name: string;
  arguments: string;
}

/** Scripted behavior of a model. Defaults to the response `Hello from <model>`. */
export interface FakeAnswer {
  /** Text is streamed word by word, an iterable item by item (possibly endless). */
  text?: string | Iterable<string>;
  reasoning?: string | Iterable<string>;
  refusal?: string;
  toolCalls?: readonly FakeCall[];
  /** Stops at the token limit. */
  isCutShort?: boolean;
  /** Token counts; null to omit them. */
  usage?: { input: number; output: number; cached?: number; reasoning?: number } | null;
  /** A status other than 200 returns `body`, with strings unchanged. */
  status?: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Delay before the first byte, headers included. */
  firstByteMs?: number;
  /** Delay before every event. */
  eventMs?: number;
  /** Breaks the connection after this many stream events, or in the middle of a whole response. */
  cutAfter?: number;
  /** Malformed text sent after this many stream events, or instead of a whole response. */
  garbage?: { after: number; words: string };
  /** Swaps streamed and whole responses. */
  ignoresStream?: boolean;
}

/** Item ids are unique, like OpenAI's, because requests refer to items by id. */
const itemId = (prefix: string) => `${prefix}_${randomUUID().replaceAll("-", "")}`;

/**
 * Responses of the fake provider in Chat Completions and Responses, written from the public API documentation, not from
 * our code.
 */

const event = (data: unknown, name?: string) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

const pieces = (text: string | Iterable<string> = []): Iterable<string> =>
  typeof text === "string" ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : text;
const joined = (text?: string | Iterable<string>) => (typeof text === "string" ? text : [...(text ?? [])].join(""));

/** A refusal or tool call replaces the text. */
const spoken = ({ text, refusal, toolCalls }: FakeAnswer) => (refusal === undefined && !toolCalls ? (text ?? "") : "");
const callId = ({ id }: FakeCall, index: number) => id ?? `call_fake_${index}`;
const counts = ({ usage }: FakeAnswer) =>
  usage === null ? null : { input: 7, output: 5, cached: 0, reasoning: 0, ...usage };

function chatUsage(answer: FakeAnswer) {
  const count = counts(answer);
  return (
    count && {
      prompt_tokens: count.input,
      completion_tokens: count.output,
      total_tokens: count.input + count.output,
      prompt_tokens_details: { cached_tokens: count.cached },
      completion_tokens_details: { reasoning_tokens: count.reasoning },
    }
  );
}

const finishReason = ({ toolCalls, isCutShort }: FakeAnswer) =>
  isCutShort ? "length" : toolCalls ? "tool_calls" : "stop";
const chatHead = (model: string) => ({
  id: "chatcmpl-fake",
  created: 1_700_000_000,
  model,
  system_fingerprint: "fp_fake",
});

export function wholeChat(answer: FakeAnswer, model: string): object {
  const usage = chatUsage(answer);
  const content = joined(spoken(answer));
  const message = {
    role: "assistant",
    content: content === "" ? null : content,
    refusal: answer.refusal ?? null,
    ...(answer.reasoning && { reasoning_content: joined(answer.reasoning) }),
    ...(answer.toolCalls && {
      tool_calls: answer.toolCalls.map((call, index) => ({
        id: callId(call, index),
        type: "function",
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }];
  return { ...chatHead(model), object: "chat.completion", choices, ...(usage && { usage }) };
}

/** Reports usage only on request, like the public API. */
export function* chatEvents(answer: FakeAnswer, model: string, request: Record<string, unknown>): Generator<string> {
  const chunk = (fields: object) => event({ ...chatHead(model), object: "chat.completion.chunk", ...fields });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  yield choice({ role: "assistant", content: "" });
  for (const reasoning_content of pieces(answer.reasoning)) yield choice({ reasoning_content });
  for (const content of pieces(spoken(answer))) yield choice({ content });
  for (const refusal of pieces(answer.refusal)) yield choice({ refusal });
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    yield choice({
      tool_calls: [{ index, id: callId(call, index), type: "function", function: { name: call.name, arguments: "" } }],
    });
    for (const part of pieces(call.arguments)) yield choice({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield choice({}, finishReason(answer));
  const usage = chatUsage(answer);
  const options = request["stream_options"] as { include_usage?: boolean } | undefined;
  if (usage && options?.include_usage) yield chunk({ choices: [], usage });
  yield "data: [DONE]\n\n";
}

interface Item {
  type: string;
  id: string;
  [field: string]: unknown;
}

const responseHead = (model: string) => ({
  id: "resp_fake",
  object: "response",
  created_at: 1_700_000_000,
  model,
  error: null,
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
});

function finished(answer: FakeAnswer, model: string, output: readonly Item[]) {
  const count = counts(answer);
  const usage = count && {
    input_tokens: count.input,
    input_tokens_details: { cached_tokens: count.cached },
    output_tokens: count.output,
    output_tokens_details: { reasoning_tokens: count.reasoning },
    total_tokens: count.input + count.output,
  };
  return {
    ...responseHead(model),
    status: answer.isCutShort ? "incomplete" : "completed",
    incomplete_details: answer.isCutShort ? { reason: "max_output_tokens" } : null,
    output,
    ...(usage && { usage }),
  };
}

/** Collects a stream into the equivalent whole response. */
export function wholeResponse(answer: FakeAnswer, model: string): object {
  const output: Item[] = [];
  for (const _ of items(answer, output));
  return finished(answer, model, output);
}

export function* responsesEvents(answer: FakeAnswer, model: string): Generator<string> {
  let sequence_number = 0;
  const encode = ({ type, ...fields }: { type: string; [field: string]: unknown }) =>
    event({ type, sequence_number: sequence_number++, ...fields }, type);
  const begun = { ...responseHead(model), status: "in_progress", incomplete_details: null, output: [], usage: null };
  yield encode({ type: "response.created", response: begun });
  yield encode({ type: "response.in_progress", response: begun });
  const output: Item[] = [];
  for (const one of items(answer, output)) yield encode(one);
  const response = finished(answer, model, output);
  yield encode({ type: `response.${response.status}`, response });
}

type ResponseEvent = { type: string; [field: string]: unknown };

/** Events of every output item. Completed items are added to `output`. */
function* items(answer: FakeAnswer, output: Item[]): Generator<ResponseEvent> {
  const text = spoken(answer);
  if (answer.reasoning) yield* reasoningItem(answer.reasoning, output);
  if (text !== "") yield* messageItem("output_text", text, output);
  if (answer.refusal !== undefined) yield* messageItem("refusal", answer.refusal, output);
  for (const [index, call] of (answer.toolCalls ?? []).entries()) yield* callItem(call, index, output);
}

function* reasoningItem(thoughts: string | Iterable<string>, output: Item[]): Generator<ResponseEvent> {
  const output_index = output.length;
  const item = { type: "reasoning", id: itemId("rs"), summary: [], encrypted_content: "sealed" };
  const at = { item_id: item.id, output_index, summary_index: 0 };
  yield { type: "response.output_item.added", output_index, item };
  yield { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } };
  let text = "";
  for (const delta of pieces(thoughts)) {
    text += delta;
    yield { type: "response.reasoning_summary_text.delta", ...at, delta };
  }
  const part = { type: "summary_text", text };
  yield { type: "response.reasoning_summary_text.done", ...at, text };
  yield { type: "response.reasoning_summary_part.done", ...at, part };
  const done = { ...item, summary: [part] };
  yield { type: "response.output_item.done", output_index, item: done };
  output.push(done);
}

function* messageItem(
  type: "output_text" | "refusal",
  said: string | Iterable<string>,
  output: Item[],
): Generator<ResponseEvent> {
  const output_index = output.length;
  const item = {
    type: "message",
    id: itemId("msg"),
    role: "assistant",
    status: "in_progress",
    content: [],
  };
  const at = { item_id: item.id, output_index, content_index: 0 };
  const field = type === "refusal" ? "refusal" : "text";
  const part = (words: string) => ({
    type,
    [field]: words,
    ...(type === "output_text" && { annotations: [], logprobs: [] }),
  });
  const logprobs = type === "output_text" ? { logprobs: [] } : {};
  yield { type: "response.output_item.added", output_index, item };
  yield { type: "response.content_part.added", ...at, part: part("") };
  let words = "";
  for (const delta of pieces(said)) {
    words += delta;
    yield { type: `response.${type}.delta`, ...at, delta, ...logprobs };
  }
  yield { type: `response.${type}.done`, ...at, [field]: words, ...logprobs };
  yield { type: "response.content_part.done", ...at, part: part(words) };
  const done = { ...item, status: "completed", content: [part(words)] };
  yield { type: "response.output_item.done", output_index, item: done };
  output.push(done);
}

function* callItem(call: FakeCall, index: number, output: Item[]): Generator<ResponseEvent> {
  const output_index = output.length;
  const item = {
    type: "function_call",
    id: itemId("fc"),
    call_id: callId(call, index),
    name: call.name,
    arguments: "",
    status: "in_progress",
  };
  const at = { item_id: item.id, output_index };
  yield { type: "response.output_item.added", output_index, item };
  for (const delta of pieces(call.arguments)) yield { type: "response.function_call_arguments.delta", ...at, delta };
  yield { type: "response.function_call_arguments.done", ...at, name: call.name, arguments: call.arguments };
  const done = { ...item, arguments: call.arguments, status: "completed" };
  yield { type: "response.output_item.done", output_index, item: done };
  output.push(done);
}

const stopReason = ({ toolCalls, isCutShort }: FakeAnswer) =>
  isCutShort ? "max_tokens" : toolCalls ? "tool_use" : "end_turn";

const messageHead = (answer: FakeAnswer, model: string) => ({
  id: "msg_fake",
  type: "message",
  role: "assistant",
  model,
  usage: {
    input_tokens: counts(answer)?.input ?? 0,
    output_tokens: counts(answer)?.output ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  },
});

export function wholeMessage(answer: FakeAnswer, model: string): object {
  const text = joined(spoken(answer));
  const content = [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...(answer.toolCalls ?? []).map((call, index) => ({
      type: "tool_use",
      id: call.id ?? `toolu_fake_${index}`,
      name: call.name,
      input: JSON.parse(call.arguments) as object,
    })),
  ];
  return { ...messageHead(answer, model), content, stop_reason: stopReason(answer), stop_sequence: null };
}

export function* messageEvents(answer: FakeAnswer, model: string): Generator<string> {
  const encode = (type: string, fields: object) => event({ type, ...fields }, type);
  const message = { ...messageHead(answer, model), content: [], stop_reason: null, stop_sequence: null };
  let index = 0;
  const block = function* (content_block: object, deltas: Iterable<object>) {
    yield encode("content_block_start", { index, content_block });
    for (const delta of deltas) yield encode("content_block_delta", { index, delta });
    yield encode("content_block_stop", { index: index++ });
  };
  yield encode("message_start", { message });
  yield encode("ping", {});
  const texts = [...pieces(spoken(answer))];
  if (texts.length > 0)
    yield* block(
      { type: "text", text: "" },
      texts.map((text) => ({ type: "text_delta", text })),
    );
  for (const [at, call] of (answer.toolCalls ?? []).entries())
    yield* block(
      { type: "tool_use", id: call.id ?? `toolu_fake_${at}`, name: call.name, input: {} },
      [...pieces(call.arguments)].map((partial_json) => ({ type: "input_json_delta", partial_json })),
    );
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  yield encode("message_delta", { delta, usage: { output_tokens: counts(answer)?.output ?? 0 } });
  yield encode("message_stop", {});
}
