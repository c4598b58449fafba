import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../platform/json-values";
import { heading } from "../../../testing/lossless";
import { accumulate, newAccumulated } from "../accumulate";
import type { ResponseChunk, Delta } from "../response-chunk";
import { ResponsesBody } from "../contracts/responses-request-contract";
import type { OutputItem } from "../contracts/responses-result-contract";
import type { End } from "../observe";
import { referencesIn, sentItem, storedItems } from "./stored-items";
import { responsesStreamEncoder } from "./stream-encoder";

const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] };
const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const reference = (id: string) => ({ type: "item_reference", id });

describe("stored items of an answer", () => {
  it("are its items with an id, each once, but reasoning and images", () => {
    const output = [
      { type: "reasoning", id: "rs_1", summary: [] },
      { ...message, id: "msg_1" },
      { ...message, id: "msg_1" },
      { ...call, id: "" },
      { ...call, id: "fc_".padEnd(300, "1") },
      { type: "image_generation_call", id: "ig_1", result: "AAAA" },
      { type: "web_search_call", id: "ws_1" },
    ];
    expect(storedItems(output).map(({ id }) => id)).toEqual(["msg_1", "ws_1"]);
  });

  it("have no log probabilities", () => {
    const content = [{ type: "output_text", text: "Hi", annotations: [], logprobs: [{ token: "Hi" }] }];
    expect(storedItems([{ ...message, id: "msg_1", content }])).toEqual([
      { ...message, id: "msg_1", content: [{ type: "output_text", text: "Hi", annotations: [] }] },
    ]);
  });

  it("are sent without an id where upstreams need none, and only if they are valid", () => {
    expect(sentItem({ ...message, id: "msg_1" })).toEqual(message);
    expect(sentItem({ ...call, id: "fc_1" })).toEqual(call);
    expect(sentItem({ type: "brand_new", id: "n_1" })).toEqual({ type: "brand_new", id: "n_1" });
    expect(sentItem({ type: "function_call", id: "fc_1" })).toBeNull();
  });

  it("are what references name, except those to reasoning", () => {
    const input = [reference("rs_1"), { role: "user" as const, content: "hi" }, reference("msg_1")];
    expect(referencesIn(input)).toEqual([{ index: 2, id: "msg_1" }]);
  });
});

describe("items of a stream of another protocol", () => {
  const SUCCEEDED = { status: "succeeded" } as const;
  const words: Delta[] = [
    { reasoning: "hm" },
    { content: "a" },
    { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] },
    { reasoning: "hm" },
    { content: "b" },
  ];
  const streamed = (deltas: readonly Delta[], end: End, finish_reason: string | null = "stop") => {
    const encoder = responsesStreamEncoder(heading, ResponsesBody.parse({ model: "a/b", input: "hi" }), null);
    const accumulated = newAccumulated();
    const last = { index: 0, delta: {}, finish_reason };
    const chunks: ResponseChunk[] = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [last] },
    ];
    for (const chunk of chunks) accumulate(accumulated, chunk);
    const events = chunks.flatMap((chunk) => encoder.chunk(chunk));
    const items = storedItems(encoder.items?.(end, accumulated) ?? []);
    events.push(...encoder.end(accumulated, { costUsd: 0, completedAt: 1 }));
    const done = events
      .map((event) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "") as JsonObject)
      .flatMap(({ type, item }) => (type === "response.output_item.done" ? [item as OutputItem] : []));
    return { items, done };
  };

  it("are those that the client received, in whichever order the upstream wrote them", () => {
    const { items, done } = streamed(words, SUCCEEDED);
    expect(done).toHaveLength(5);
    const received = storedItems(done);
    expect(items.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      received.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it("have what was received until the client stopped it", () => {
    const { items } = streamed([{ content: "Hel" }, { content: "lo" }], { status: "cancelled" }, null);
    expect(items).toMatchObject([{ type: "message", status: "incomplete", content: [{ text: "Hello" }] }]);
  });
});
