import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { samplesOf } from "../../../testing/contract-samples";
import { endpointOf } from "../../../testing/endpoints";
import {
  collected,
  count,
  heading,
  plain,
  relayed,
  SET_IN_USAGE,
  vendor,
  without,
  withVendor,
  word,
} from "../../../testing/lossless";
import { MessagesBlock } from "../contracts/messages-blocks-contract";
import { MessagesBody } from "../contracts/messages-request-contract";
import { upstreamRequest } from "../upstream-request";
import { OWN_OF_MESSAGE } from "../vocabulary";
import { completeMessage, messagesStreamEncoder } from "./stream-encoder";

type Body = Record<string, unknown>;

const request = MessagesBody.parse({ max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
const record = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys = Object.keys(fields)) =>
  withVendor(fc.record(fields, { requiredKeys }));
const list = (one: fc.Arbitrary<Body>) => fc.array(one, { maxLength: 2 });
const input = vendor;
const type = (name: string) => fc.constant(name);

const citation = record({ type: type("web_search_result_location"), cited_text: word, url: word, title: word });
const caller = record({ type: type("direct") });
const BLOCKS = {
  text: record({ type: type("text"), text: word, citations: list(citation) }, ["type", "text"]),
  thinking: record({ type: type("thinking"), thinking: word, signature: word }),
  redacted_thinking: record({ type: type("redacted_thinking"), data: word }),
  tool_use: record({ type: type("tool_use"), id: word, name: word, input, caller }, ["type", "id", "name", "input"]),
  server_tool_use: record({ type: type("server_tool_use"), id: word, name: word, input }),
  web_search_tool_result: record({
    type: type("web_search_tool_result"),
    tool_use_id: word,
    content: list(record({ type: type("web_search_result"), url: word, encrypted_content: word })),
  }),
  container_upload: record({ type: type("container_upload"), file_id: word }),
  unknown: record({ type: type("brand_new"), text: word }),
};
const usage = record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: fc.oneof(count, fc.constant(null)),
    cache_creation: record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
    output_tokens_details: record({ thinking_tokens: count }),
    server_tool_use: record({ web_search_requests: count }),
    service_tier: word,
    inference_geo: word,
  },
  ["input_tokens", "output_tokens"],
);
const ending = {
  stop_reason: fc.constantFrom("end_turn", "max_tokens", "tool_use", "refusal", "brand_new"),
  stop_sequence: fc.oneof(word, fc.constant(null)),
  stop_details: record({ type: type("refusal"), category: word, explanation: word }),
  container: record({ id: word, expires_at: word }),
};
const envelope = { id: word, type: type("message"), role: type("assistant"), model: word };
const message = record(
  { ...envelope, content: fc.array(fc.oneof(...Object.values(BLOCKS)), { maxLength: 4 }), ...ending, usage },
  [...Object.keys(envelope), "content", "stop_reason", "stop_sequence", "usage"],
);

const delta = (kind: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  record({ type: type("content_block_delta"), delta: record({ type: type(kind), ...fields }) });
const DELTAS = fc.oneof(
  delta("text_delta", { text: word }),
  delta("thinking_delta", { thinking: word }),
  delta("signature_delta", { signature: word }),
  delta("input_json_delta", { partial_json: word }),
  delta("citations_delta", { citation }),
  delta("brand_new_delta", { text: word }),
);
const block = (index: number) =>
  fc
    .tuple(
      record({ type: type("content_block_start"), content_block: fc.oneof(...Object.values(BLOCKS)) }),
      fc.array(fc.oneof(DELTAS, record({ type: type("ping") }), record({ type: type("brand_new") })), { maxLength: 4 }),
      record({ type: type("content_block_stop") }),
    )
    .map(([start, deltas, stop]) => [start, ...deltas, stop].map((event) => ({ ...event, index })));
const stream = fc.tuple(
  record({
    type: type("message_start"),
    message: record({
      ...envelope,
      content: fc.constant([]),
      stop_reason: fc.constant(null),
      stop_sequence: fc.constant(null),
      usage,
    }),
  }),
  fc.tuple(block(0), block(1), block(2)).map((events) => events.flat()),
  record({
    type: type("message_delta"),
    delta: record(ending, ["stop_reason", "stop_sequence"]),
    usage,
    context_management: record({ applied_edits: fc.constant([]) }),
  }),
  record({ type: type("message_stop") }),
);

describe("a Messages answer for a Messages client", () => {
  it("passes whole, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(message, async (given) => {
        const { accumulated, receipt } = await collected(given, "messages");
        const shown = plain(completeMessage(heading, request, accumulated, receipt));
        expect(without(shown, [...OWN_OF_MESSAGE, "usage"])).toEqual(without(given, [...OWN_OF_MESSAGE, "usage"]));
        expect(without(shown["usage"], SET_IN_USAGE)).toEqual(given["usage"]);
      }),
    ));

  it("passes event by event, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(stream, async ([start, events, end, stop]) => {
        const encoder = messagesStreamEncoder(heading, request, null);
        const shown = await relayed([start, ...events, end, stop], encoder, "messages");
        const [first, ...rest] = shown;
        expect(without(first?.["message"], OWN_OF_MESSAGE)).toEqual(without(start["message"], OWN_OF_MESSAGE));
        expect(without(first, ["message"])).toEqual(without(start, ["message"]));
        const last = rest.splice(-2, 1)[0];
        expect(rest).toEqual([...events, stop]);
        expect(without(last, ["usage"])).toEqual(without(end, ["usage"]));
        expect(without(last?.["usage"], SET_IN_USAGE)).toEqual(end["usage"]);
      }),
    ));
});

/** Every variant of a block, with unknown fields in it. Thinking without a signature is another model's. */
const sentBlock = fc.constantFrom(
  ...samplesOf(MessagesBlock, "x")
    .filter(({ value }) => MessagesBlock.safeParse(value).success)
    .map(({ value }) => (value["type"] === "thinking" ? { signature: "s", ...value } : value)),
);

it("messages pass to a Messages upstream, whatever their blocks", () =>
  fc.assert(
    fc.property(
      fc.array(
        record({
          role: fc.constantFrom("user", "assistant", "system"),
          content: fc.oneof(word, fc.array(sentBlock, { minLength: 1, maxLength: 4 })),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      (messages) => {
        const body = MessagesBody.parse({ model: "m", max_tokens: 9, messages });
        const endpoint = endpointOf({ provider: { protocol: "messages" }, supportedParameters: null });
        expect(plain(upstreamRequest({ protocol: "messages", body }, endpoint).body)["messages"]).toEqual(messages);
      },
    ),
  ));
