import { StreamEvents$inboundSchema } from "@openrouter/sdk/models/streamevents.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatChunk } from "./chat-result-contract";
import { OutputWriter, type ResponseEvent } from "./chat-to-responses";
import { OutputItem } from "./responses-result-contract";

type Delta = ChatChunk["choices"][number]["delta"];

function write(deltas: readonly Delta[]) {
  const writer = new OutputWriter("gen-1");
  const events = deltas.flatMap((delta) => writer.write({ choices: [{ index: 0, delta }] }));
  return { events: [...events, ...writer.finish("completed")], output: writer.output };
}

const call = (index: number, part: { name?: string; arguments?: string }, id?: string): Delta => ({ tool_calls: [{ index, id, function: part }] });
const types = (events: readonly ResponseEvent[]) => events.map(({ type }) => type.replace("response.", ""));

describe("OutputWriter", () => {
  it("opens, fills and closes a message", () => {
    const { events, output } = write([{ content: "" }, { content: "Hel" }, { content: "lo" }]);
    expect(types(events)).toEqual(["output_item.added", "content_part.added", "output_text.delta", "output_text.delta", "output_text.done", "content_part.done", "output_item.done"]);
    expect(events[0]).toMatchObject({ output_index: 0, item: { status: "in_progress", content: [] } });
    expect(output).toMatchObject([{ type: "message", status: "completed", content: [{ text: "Hello" }] }]);
  });

  it("writes reasoning, text and calls as items that follow each other", () => {
    const { events, output } = write([{ reasoning: "hm" }, { content: "a" }, call(0, { name: "f", arguments: '{"x"' }, "c1"), call(0, { arguments: ":1}" }), call(1, { name: "g" }, "c2")]);
    expect(output).toMatchObject([
      { type: "reasoning", content: [{ type: "reasoning_text", text: "hm" }] },
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

  const delta = fc.oneof(
    fc.string().map((content): Delta => ({ content })),
    fc.string().map((reasoning): Delta => ({ reasoning })),
    fc.tuple(fc.nat(2), fc.string()).map(([index, args]) => call(index, { name: "f", arguments: args }, "c")),
  );

  it("every item is opened once and closed once, in order, and its deltas add up to it", () => {
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        const { events, output } = write(deltas);
        const indexes = (type: string) => events.filter((event) => event.type === type).map((event) => event["output_index"]);
        expect(indexes("response.output_item.added")).toEqual(output.map((_, index) => index));
        expect(indexes("response.output_item.done")).toEqual(output.map((_, index) => index));
        for (const [index, item] of output.entries()) {
          const text = item.type === "function_call" ? item.arguments : item.content.map((part) => ("text" in part ? part.text : "")).join("");
          const deltaText = events.filter((event) => event["output_index"] === index && event.type.endsWith(".delta")).map((event) => event["delta"]);
          expect(deltaText.join("")).toBe(text);
        }
      }),
    );
  });

  it("every event is one that the public API's client knows, every item one of the contract", () => {
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        const { events, output } = write(deltas);
        for (const [sequence_number, event] of events.entries()) expect(StreamEvents$inboundSchema.safeParse({ ...event, sequence_number }).success).toBe(true);
        expect(OutputItem.array().parse(output)).toEqual(output);
      }),
    );
  });
});
