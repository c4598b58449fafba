import { createParser } from "eventsource-parser";
import { describe, expect, it } from "vitest";
import { ChatChunk, ChatCompletion } from "../../engine/protocols/contracts/chat-result-contract";
import { ResponseStreamEvent } from "../../engine/protocols/contracts/responses-events-contract";
import { ResponseObject } from "../../engine/protocols/contracts/responses-result-contract";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { Message, MessageStreamEvent } from "../../engine/protocols/contracts/messages-result-contract";
import { MessagesUpstreamReader } from "../../engine/protocols/messages/upstream-reader";
import { completeMessage, messagesStreamEncoder } from "../../engine/protocols/messages/stream-encoder";
import type { UpstreamReader } from "../../engine/protocols/response-chunk";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { chatCompletion, chatStreamEncoder } from "../../engine/protocols/chat/stream-encoder";
import { filteredBatches } from "../../engine/protocols/chunk-batches";
import { collect, relay } from "../../engine/protocols/observe";
import { ResponsesUpstreamReader } from "../../engine/protocols/responses/upstream-reader";
import { completeResponse, responsesStreamEncoder } from "../../engine/protocols/responses/stream-encoder";
import type { FilterAction } from "../../engine/filters/filter-rule";
import { samplesOf } from "../../testing/contract-samples";
import { everyNth } from "../../testing/random";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { ResponseFilter } from "./response-filter-service";

const MARKER = "MARKER-7Q";
const PROTOCOLS = ["chat_completions", "responses", "messages"] as const;
type Protocol = (typeof PROTOCOLS)[number];
type Node = Record<string, unknown>;

const signal = new AbortController().signal;
const heading = { id: "gen-1", created: 1, model: "acme/1", isByok: false };
const receipt = { costUsd: 0, completedAt: 2 };
const body = ResponsesBody.parse({ model: "acme/1", input: "hi" });
const messagesBody = MessagesBody.parse({ max_tokens: 9, messages: [{ role: "user", content: "hi" }] });

const WHOLE = {
  chat_completions: chatCompletion,
  responses: (...[head, ...answer]: Parameters<typeof chatCompletion>) => completeResponse(head, body, ...answer),
  messages: (...[head, ...answer]: Parameters<typeof chatCompletion>) => completeMessage(head, messagesBody, ...answer),
};
const ENCODERS = {
  chat_completions: () => chatStreamEncoder(heading, { includesUsage: true, echo: null }),
  responses: () => responsesStreamEncoder(heading, body, null),
  messages: () => messagesStreamEncoder(heading, messagesBody, null),
};

const filterOf = (action: FilterAction, isStreamed: boolean) =>
  new ResponseFilter({
    rules: [
      {
        detector: { kind: "pattern", pattern: MARKER },
        action,
        label: "[REMOVED]",
        scanScope: "all_messages",
        sources: [],
      },
    ],
    phrases: [],
    limits: { timeoutMs: 60_000, workers: 1, signal, owner: { organizationId: "organization", subject: "key" } },
    isStreamed,
    isJson: false,
    isChecked: false,
  });

const READERS = {
  chat_completions: () => new ChatUpstreamReader(),
  responses: () => new ResponsesUpstreamReader(),
  messages: () => new MessagesUpstreamReader(),
};
const readerOf = (upstream: Protocol): UpstreamReader => READERS[upstream]();

/** Returns what a caller receives of an upstream's complete response. */
async function whole(caller: Protocol, upstream: Protocol, action: FilterAction, answer: Node): Promise<string> {
  const chunks = filteredBatches(
    (async function* () {
      yield await Promise.resolve(readerOf(upstream).readWhole(answer));
    })(),
    (each) => filterOf(action, false).apply(each),
  );
  const { end, accumulated } = await collect(chunks, signal, () => Promise.resolve(receipt));
  if (end.status !== "succeeded") return end.status;
  return JSON.stringify(WHOLE[caller](heading, accumulated, receipt));
}

/** Returns what a caller receives of an upstream's stream: its text, then its strings joined by type and place. */
async function streamed(caller: Protocol, upstream: Protocol, action: FilterAction, events: Node[]): Promise<string> {
  const reader = readerOf(upstream);
  const chunks = filteredBatches(
    (async function* () {
      await Promise.resolve();
      for (const event of events) yield reader.read(event);
      if (!reader.isComplete) yield reader.end(true);
    })(),
    (each) => filterOf(action, true).apply(each),
  );
  const encoder = ENCODERS[caller]();
  let text = "";
  for await (const event of relay(chunks, encoder, signal, () => Promise.resolve(receipt))) text += event;
  const joined = new Map<string, string>();
  const join = (value: unknown, place: string): void => {
    if (typeof value === "string") joined.set(place, (joined.get(place) ?? "") + value);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) join(one, `${place}.${name}`);
  };
  const parser = createParser({
    onEvent: ({ data, event }) => {
      if (data !== "[DONE]") join(JSON.parse(data), event ?? "");
    },
  });
  parser.feed(text);
  return [text, ...joined.values()].join("\n");
}

/** Returns every sample, and the same with the marker as a separate word. */
const inBothForms = (values: Node[]): Node[] =>
  values.flatMap((value) => {
    const word = JSON.stringify(value).replaceAll(new RegExp(`a ${MARKER}(?: b)?`, "g"), MARKER);
    return [value, JSON.parse(word) as Node];
  });
const valuesOf = (contract: Parameters<typeof samplesOf>[0]) =>
  inBothForms(samplesOf(contract, MARKER).map(({ value }) => value));

/** Samples have 1 for every number, but only the first choice is sent. */
const firstChoice = (value: Node): Node =>
  Array.isArray(value["choices"])
    ? { ...value, choices: value["choices"].map((choice: Node) => ({ ...choice, index: 0 })) }
    : value;

/** Fields of messages that upstreams add. */
const ADDED: Node[] = inBothForms([
  { reasoning_details: [{ type: "reasoning.text", index: 0, text: MARKER, signature: MARKER }] },
  { reasoning_details: [{ type: "reasoning.encrypted", index: 0, data: MARKER, id: MARKER }] },
  {
    annotations: [
      { index: 0, type: "url_citation", url_citation: { url: `https://a.example/${MARKER}`, title: MARKER } },
    ],
  },
  { images: [{ index: 0, type: "image_url", image_url: { url: `data:;base64,${MARKER}` } }] },
  { audio: { id: MARKER, data: btoa(MARKER), transcript: MARKER } },
  { reasoning_content: MARKER },
  { content: [{ type: "text", text: MARKER }] },
  { tool_calls: [{ index: 0, id: MARKER, function: { arguments: "" } }] },
  { tool_calls: [{ index: 0, function: { name: MARKER, arguments: "{}" }, note: MARKER }] },
  { tool_calls: [{ index: 0, function: { name: "mail", arguments: MARKER } }] },
  { tool_calls: [{ index: 0, function: { name: "mail", arguments: { [MARKER]: MARKER } } }] },
]);

const chatAnswers = (): Node[] => {
  const message = { role: "assistant", content: "ok" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const base = { id: "c", object: "chat.completion", created: 1, model: "m", choices };
  return [
    ...valuesOf(ChatCompletion).map((value) => firstChoice({ ...base, ...value })),
    ...ADDED.map((added) => ({ ...base, choices: [{ index: 0, message: { ...message, ...added } }] })),
  ];
};

const chatChunks = (): Node[] => {
  const choices = [{ index: 0, delta: { content: "ok" } }];
  return [
    ...valuesOf(ChatChunk).map((value) => firstChoice({ choices, ...value })),
    ...ADDED.map((added) => ({ choices: [{ index: 0, delta: added }] })),
  ];
};

const item = { type: "function_call", id: "f", call_id: "c", name: "mail", arguments: "" };
const responseOf = (given: Node): Node => ({
  id: "r",
  object: "response",
  output: [],
  ...given,
  status: "completed",
  error: null,
});

/** Events that no contract knows. */
const UNKNOWN: Node[] = inBothForms([
  { type: "response.tomorrow", output_index: 1, note: { deep: [MARKER], [MARKER]: 1 } },
  { type: `response.${MARKER}`, output_index: 1 },
  { type: "response.tomorrow.delta", output_index: 1, delta: MARKER, other: MARKER },
  { type: "response.tomorrow.delta", output_index: 1, delta: { text: MARKER } },
  { type: "response.audio.delta", output_index: 1, delta: MARKER, other: MARKER },
  { type: "response.audio.transcript.delta", output_index: 1, delta: MARKER },
  { type: "response.custom_tool_call_input.delta", output_index: 1, delta: MARKER, item_id: MARKER },
  { type: "response.image_generation_call.partial_image", output_index: 1, partial_image_b64: MARKER },
]);

const responsesEvents = (): Node[] =>
  [...valuesOf(ResponseStreamEvent), ...UNKNOWN].map((event) =>
    event["response"] ? { ...event, response: responseOf(event["response"] as Node) } : event,
  );

/** Splits every text with the marker into pieces, one for each event. */
function pieces(value: unknown, size: number): unknown[] {
  const count = Math.ceil((/"[^"]*MARKER-7Q[^"]*"/.exec(JSON.stringify(value))?.[0].length ?? 1) / size);
  const at = (one: unknown, index: number): unknown =>
    typeof one === "string" && one.includes(MARKER)
      ? index === count - 1
        ? one.slice(index * size)
        : one.slice(index * size, (index + 1) * size)
      : Array.isArray(one)
        ? one.map((part) => at(part, index))
        : typeof one === "object" && one !== null
          ? Object.fromEntries(Object.entries(one).map(([name, part]) => [name, at(part, index)]))
          : one;
  return Array.from({ length: count }, (_, index) => at(value, index));
}

const chatStream = (chunk: Node, size: number): Node[] => [
  ...(pieces(chunk, size) as Node[]),
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];

const responsesStream = (event: Node, size: number): Node[] => {
  const index = event["output_index"];
  const deltas = String(event["type"]).endsWith(".delta")
    ? pieces(event["delta"], size).map((delta) => ({ ...event, delta }))
    : [event];
  return [
    ...(String(event["type"]).includes("function_call_arguments")
      ? [{ type: "response.output_item.added", output_index: index, item }]
      : []),
    ...deltas,
    { type: "response.completed", response: responseOf({}) },
  ];
};

const MESSAGE = { type: "message", role: "assistant", id: "msg_1", model: "m", stop_reason: "end_turn" };

const messageAnswers = (): Node[] =>
  valuesOf(Message).map((value) => ({ ...MESSAGE, content: [{ type: "text", text: "ok" }], ...value }));

/** Blocks that pieces of each type belong to. */
const BLOCK_OF: Readonly<Record<string, Node>> = {
  input_json_delta: { type: "tool_use", id: "toolu_1", name: "f", input: {} },
  thinking_delta: { type: "thinking", thinking: "", signature: "" },
  signature_delta: { type: "thinking", thinking: "", signature: "" },
};

/** Splits the texts of a delta; other values arrive whole. */
function messagesPieces(event: Node, { type, ...delta }: Node, size: number): Node[] {
  const texts = Object.fromEntries(Object.entries(delta).filter(([, value]) => typeof value === "string"));
  return pieces(texts, size).map((part, index) => ({
    ...event,
    delta: { type, ...(index === 0 && delta), ...(part as Node) },
  }));
}

function messagesStream(event: Node, size: number): Node[] {
  const delta = event["type"] === "content_block_delta" ? (event["delta"] as Node) : null;
  const block = BLOCK_OF[String(delta?.["type"])] ?? { type: "text", text: "" };
  const start = { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null } };
  return [
    ...(event["type"] === "message_start" ? [event] : [start]),
    ...(delta ? [{ type: "content_block_start", index: 1, content_block: block }] : []),
    ...(event["type"] === "message_start" ? [] : delta ? messagesPieces(event, delta, size) : [event]),
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

const STREAMS = {
  messages: (size: number) => valuesOf(MessageStreamEvent).map((event) => messagesStream(event, size)),
  chat_completions: (size: number) => chatChunks().map((chunk) => chatStream(chunk, size)),
  responses: (size: number) => responsesEvents().map((event) => responsesStream(event, size)),
};
const ANSWERS = {
  messages: messageAnswers,
  chat_completions: chatAnswers,
  responses: () => valuesOf(ResponseObject).map(responseOf),
};

/** Returns the inputs of which the marker reached the caller, and how many were redacted or blocked. */
async function judged<Given>(given: readonly Given[], send: (one: Given) => Promise<string>) {
  const leaks: string[] = [];
  let caught = 0;
  for (const one of given) {
    const sent = await send(one);
    if (sent.includes(MARKER)) leaks.push(JSON.stringify(one));
    if (/\[REMOVED\]|blocked/.test(sent)) caught += 1;
  }
  return { leaks, caught };
}

/** Sizes of the pieces of a stream. */
const SIZES: readonly [FilterAction, number][] = [
  ["redact", 4],
  ["block", 1],
  ["redact", 1],
  ["redact", 1000],
  ["block", 1000],
];

describe.each(PROTOCOLS)("%s for the caller", (caller) => {
  describe.each(PROTOCOLS)("%s upstream", (upstream) => {
    // The filter works on the upstream's events, whatever the caller's protocol.
    const some = <Value>(values: readonly Value[]) => (caller === upstream ? values : everyNth(5, values));

    it.each(["redact", "block"] as const)("sends no marker of a complete answer: %s", async (action) => {
      const { leaks, caught } = await judged(some(ANSWERS[upstream]()), (one) => whole(caller, upstream, action, one));
      expect(leaks).toEqual([]);
      expect(caught).toBeGreaterThan(1);
    });

    it.each(everyNth(3, SIZES))("sends no marker of a stream: %s, %i characters at once", async (action, size) => {
      const { leaks, caught } = await judged(some(STREAMS[upstream](size)), (one) =>
        streamed(caller, upstream, action, one),
      );
      expect(leaks).toEqual([]);
      expect(caught).toBeGreaterThan(1);
    });
  });
});
