import { StreamEvents$inboundSchema } from "@openrouter/sdk/models/streamevents.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatChunk } from "../contracts/chat-result-contract";
import { OpenResponsesEvent } from "../../../testing/open-responses";
import type { ResponseEvent } from "../response-chunk";
import { asObjects } from "../../../platform/json-values";
import { ResponsesBody } from "../contracts/responses-request-contract";
import { responsesToChat } from "../chat/from-responses";
import { namespacedTools } from "../tool-names";
import { OutputWriter } from "./output-writer";
import { OutputItem } from "../contracts/responses-result-contract";

type Delta = ChatChunk["choices"][number]["delta"];

function write(deltas: readonly Delta[]) {
  const writer = new OutputWriter("gen-1");
  const events = deltas.flatMap((delta) => writer.write({ choices: [{ index: 0, delta }] }));
  return { events: [...events, ...writer.finish("completed")], output: writer.output };
}

const call = (index: number, part: { name?: string; arguments?: string }, id?: string): Delta => ({
  tool_calls: [{ index, id, function: part }],
});
const types = (events: readonly ResponseEvent[]) => events.map(({ type }) => type.replace("response.", ""));

describe("OutputWriter", () => {
  it("opens, fills and closes a message", () => {
    const { events, output } = write([{ content: "" }, { content: "Hel" }, { content: "lo" }]);
    expect(types(events)).toEqual([
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
    ]);
    expect(events[0]).toMatchObject({ output_index: 0, item: { status: "in_progress", content: [] } });
    expect(output).toMatchObject([{ type: "message", status: "completed", content: [{ text: "Hello" }] }]);
  });

  it("writes reasoning, text and calls as consecutive items", () => {
    const { events, output } = write([
      { reasoning: "hm" },
      { content: "a" },
      call(0, { name: "f", arguments: '{"x"' }, "c1"),
      call(0, { arguments: ":1}" }),
      call(1, { name: "g" }, "c2"),
    ]);
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      { type: "message" },
      { type: "function_call", call_id: "c1", name: "f", arguments: '{"x":1}' },
      { type: "function_call", call_id: "c2", name: "g", arguments: "" },
    ]);
    expect(types(events).filter((type) => type.startsWith("function_call"))).toEqual([
      "function_call_arguments.delta",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "function_call_arguments.done",
    ]);
  });

  it("writes nothing for an empty answer", () => {
    expect(write([{}, { content: null }])).toEqual({ events: [], output: [] });
  });

  it("interleaved calls stay separate items and close when the answer ends", () => {
    const { events, output } = write([
      { content: "a" },
      call(0, { name: "f", arguments: "1" }, "c1"),
      call(1, { name: "g", arguments: "2" }, "c2"),
      call(0, { arguments: "3" }),
      call(1, { arguments: "4" }),
    ]);
    expect(output.slice(1)).toMatchObject([
      { call_id: "c1", arguments: "13" },
      { call_id: "c2", arguments: "24" },
    ]);
    expect(
      events
        .filter(({ type }) => type.startsWith("response.function_call"))
        .map(({ type, output_index, delta }) => [type.split(".").at(-1), output_index, delta]),
    ).toEqual([
      ["delta", 1, "1"],
      ["delta", 2, "2"],
      ["delta", 1, "3"],
      ["delta", 2, "4"],
      ["done", 1, undefined],
      ["done", 2, undefined],
    ]);
  });

  it("a refusal is a separate part", () => {
    const { events, output } = write([{ content: "Well" }, { refusal: "I can" }, { refusal: "not" }]);
    expect(output).toMatchObject([
      {
        type: "message",
        content: [
          { type: "output_text", text: "Well" },
          { type: "refusal", refusal: "I cannot" },
        ],
      },
    ]);
    expect(types(events).slice(2)).toEqual([
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "content_part.added",
      "refusal.delta",
      "refusal.delta",
      "refusal.done",
      "content_part.done",
      "output_item.done",
    ]);
    expect(events.filter((event) => event.type.includes("refusal")).map(({ content_index }) => content_index)).toEqual([
      1, 1, 1,
    ]);
  });

  it("places citations, log probabilities and images", () => {
    const writer = new OutputWriter("gen-1");
    const citation = {
      type: "url_citation",
      url_citation: { url: "https://a.example", title: "A", start_index: 0, end_index: 1 },
    };
    const token = { token: "a", logprob: -1 };
    const events = [
      ...writer.write({ choices: [{ index: 0, delta: { content: "a" }, logprobs: { content: [token] } }] }),
      ...writer.write({ choices: [{ index: 0, delta: { annotations: [citation] } }] }),
      ...writer.write({
        choices: [
          { index: 0, delta: { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] } },
        ],
      }),
      ...writer.finish("completed"),
    ];
    const flat = { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 1 };
    expect(events.find(({ type }) => type.endsWith("annotation.added"))).toMatchObject({
      annotation: flat,
      annotation_index: 0,
      content_index: 0,
    });
    expect(writer.output).toMatchObject([
      { content: [{ annotations: [flat], logprobs: [{ ...token, bytes: [], top_logprobs: [] }] }] },
      { type: "image_generation_call", result: "AAAA", status: "completed" },
    ]);
  });

  it("restores the names of functions and custom tools of a namespace", () => {
    const tools = [
      {
        type: "namespace",
        name: "crm",
        description: "Customers",
        tools: [
          { type: "function", name: "find" },
          { type: "custom", name: "note" },
        ],
      },
      { type: "function", name: "find" },
    ];
    const writer = new OutputWriter("gen-1", namespacedTools(ResponsesBody.parse({ model: "m", input: "hi", tools })));
    const call = (index: number, called: object): Delta => ({ tool_calls: [{ index, id: `c${index}`, ...called }] });
    const events = [
      call(0, { function: { name: "crm__find", arguments: "{}" } }),
      call(1, { type: "custom", custom: { name: "crm__note", input: "x" } }),
      call(2, { function: { name: "find", arguments: "{}" } }),
    ].flatMap((delta) => writer.write({ choices: [{ index: 0, delta }] }));
    writer.finish("completed");
    expect(writer.output).toMatchObject([
      { type: "function_call", call_id: "c0", name: "find", namespace: "crm", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c1", name: "note", namespace: "crm", input: "x" },
      { type: "function_call", call_id: "c2", name: "find" },
    ]);
    expect(writer.output[2]).not.toHaveProperty("namespace");
    expect(events.find(({ type }) => type.endsWith("item.added"))).toMatchObject({
      item: { name: "find", namespace: "crm" },
    });
    const again = ResponsesBody.parse({ model: "m", input: [...writer.output], tools });
    const { draft, refused } = responsesToChat(again);
    expect(refused).toEqual([]);
    expect(draft["messages"]).toMatchObject([
      {
        tool_calls: [
          { id: "c0", function: { name: "crm__find" } },
          { id: "c1", custom: { name: "crm__note", input: "x" } },
          { id: "c2", function: { name: "find" } },
        ],
      },
    ]);
  });

  it("an endless answer fails before exhausting memory", () => {
    const megabyte = "x".repeat(1024 * 1024);
    expect(() => write(Array.from({ length: 17 }, () => ({ content: megabyte })))).toThrow("longer than");
  });

  const delta = fc.oneof(
    fc.string().map((content): Delta => ({ content })),
    fc.string().map((reasoning): Delta => ({ reasoning })),
    fc.string().map((refusal): Delta => ({ refusal })),
    fc.tuple(fc.nat(2), fc.string()).map(([index, args]) => call(index, { name: "f", arguments: args }, "c")),
  );

  it("every item opens once, in order, and closes once, and its deltas add up to its text", () => {
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        const { events, output } = write(deltas);
        const indexes = (type: string) =>
          events.filter((event) => event.type === type).map((event) => event["output_index"]);
        expect(indexes("response.output_item.added")).toEqual(output.map((_, index) => index));
        expect(indexes("response.output_item.done").toSorted()).toEqual(output.map((_, index) => index).toSorted());
        for (const [index, item] of output.entries()) {
          const text =
            item.type === "function_call"
              ? item["arguments"]
              : asObjects(item["content"] ?? item["summary"])
                  .map((part) => part["text"] ?? part["refusal"])
                  .join("");
          const deltaText = events
            .filter((event) => event["output_index"] === index && event.type.endsWith(".delta"))
            .map((event) => event["delta"]);
          expect(deltaText.join("")).toBe(text);
        }
      }),
    );
  });

  it("every event is known to the public API's client, and every item to the contract", () => {
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        const { events, output } = write(deltas);
        for (const [sequence_number, event] of events.entries()) {
          expect(StreamEvents$inboundSchema.safeParse({ ...event, sequence_number }).success).toBe(true);
          OpenResponsesEvent.parse({ ...event, sequence_number });
        }
        expect(OutputItem.array().parse(output)).toEqual(output);
      }),
    );
  });
});
