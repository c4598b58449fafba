import { describe, expect, it } from "vitest";
import { accumulate, calledOf, newAccumulated } from "../../engine/protocols/accumulate";
import type { ResponseEvent } from "../../engine/protocols/response-chunk";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import { asObject, asObjects } from "../../platform/json-values";
import { readResponse } from "../../testing/read-response";

const SSE = { headers: { "content-type": "text/event-stream" } };
const streamOf = (events: readonly unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

async function read(body: string | ReadableStream<Uint8Array<ArrayBuffer>>) {
  const sum = newAccumulated();
  const events: ResponseEvent[] = [];
  for await (const chunk of eachChunk(readResponse(new Response(body, SSE), "responses"))) {
    accumulate(sum, chunk);
    if (chunk.responseEvent) events.push(chunk.responseEvent);
  }
  return { sum, events, calls: sum.toolCalls.map((call) => [call.id, calledOf(call).name, calledOf(call).words]) };
}

const text = (delta: string, at: object) => ({ type: "response.output_text.delta", content_index: 0, delta, ...at });
const message = (words: string, id?: string) => ({
  type: "message",
  ...(id && { id }),
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: words, annotations: [] }],
});
const call = (id: string | undefined, call_id: string, words: string) => ({
  type: "function_call",
  ...(id && { id }),
  call_id,
  name: "weather",
  arguments: words,
});
const added = (item: object, output_index = 0) => ({ type: "response.output_item.added", output_index, item });
const done = (item: object, output_index = 0) => ({ type: "response.output_item.done", output_index, item });
const args = (item_id: string | undefined, delta: string) => ({
  type: "response.function_call_arguments.delta",
  output_index: 0,
  ...(item_id && { item_id }),
  delta,
});
const created = (id = "r1") => ({ type: "response.created", response: { id } });
const completed = (output: unknown[], more: object = {}) => ({
  type: "response.completed",
  response: { id: "r1", status: "completed", output, ...more },
});

const OSLO = '{"city":"Oslo"}';
const ROME = '{"city":"Rome"}';
const BOTH = [
  ["c1", "weather", OSLO],
  ["c2", "weather", ROME],
];

describe("two calls at one output_index", () => {
  it.each<[string, unknown[]]>([
    [
      "distinguished by the ids of their items",
      [
        added(call("fc1", "c1", "")),
        added(call("fc2", "c2", "")),
        args("fc1", OSLO.slice(0, 5)),
        args("fc2", ROME),
        args("fc1", OSLO.slice(5)),
        completed([call("fc1", "c1", OSLO), call("fc2", "c2", ROME)]),
      ],
    ],
    [
      "distinguished by the ids of their calls",
      [
        added(call(undefined, "c1", "")),
        args(undefined, OSLO),
        done(call(undefined, "c1", OSLO)),
        added(call(undefined, "c2", "")),
        args(undefined, ROME),
        done(call(undefined, "c2", ROME)),
        completed([call(undefined, "c1", OSLO), call(undefined, "c2", ROME)]),
      ],
    ],
    ["only complete", [done(call("x", "c1", OSLO)), done(call("x", "c2", ROME)), completed([])]],
    [
      "with ids that change with each event",
      [
        added(call("a", "c1", "")),
        args("b", OSLO),
        done(call("c", "c1", OSLO)),
        added(call("d", "c2", "")),
        args("e", ROME),
        done(call("f", "c2", ROME)),
        completed([call("g", "c1", OSLO), call("h", "c2", ROME)]),
      ],
    ],
  ])("have their own arguments: %s", async (_name, events) => {
    expect((await read(streamOf(events))).calls).toEqual(BOTH);
  });

  it("get an index of their own in the events that pass", async () => {
    const { events } = await read(
      streamOf([added(call("fc1", "c1", "")), added(call("fc2", "c2", "")), args("fc2", ROME), completed([])]),
    );
    expect(events.map((event) => event["output_index"])).toEqual([0, 1, 1, undefined]);
  });
});

describe("a final output without the reasoning item", () => {
  const thought = { type: "reasoning", id: "rs1", summary: [] };
  it.each<[string, unknown[], unknown[]]>([
    [
      "with ids",
      [added(thought), done(thought), added(message("", "m1"), 1), text("Hello", { output_index: 1, item_id: "m1" })],
      [message("Hello", "m1")],
    ],
    ["without ids", [added({ ...thought, id: undefined }), text("Hello", { output_index: 1 })], [message("Hello")]],
    ["with other ids", [added(thought), text("Hello", { output_index: 1, item_id: "m1" })], [message("Hello", "m2")]],
  ])("repeats no text: %s", async (_name, events, output) => {
    expect((await read(streamOf([...events, completed(output)]))).sum.content).toBe("Hello");
  });

  it("repeats no call", async () => {
    const { calls } = await read(
      streamOf([added(thought), done(thought), done(call("fc1", "c1", OSLO), 1), completed([call("fc1", "c1", OSLO)])]),
    );
    expect(calls).toEqual([["c1", "weather", OSLO]]);
  });
});

describe("an answer in phases", () => {
  const usage = (input_tokens: number, output_tokens: number) => ({
    usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
  });
  const first = [
    created(),
    text("Let me look.", { output_index: 0, item_id: "m1" }),
    done(message("Let me look.", "m1")),
  ];
  const second = [
    text(" It rains", { output_index: 0, item_id: "m2" }),
    text(" in Oslo.", { output_index: 0, item_id: "m2" }),
  ];

  it("keeps the text of a phase that begins with another response.created", async () => {
    const { sum } = await read(
      streamOf([...first, created(), ...second, completed([message(" It rains in Oslo.", "m2")])]),
    );
    expect(sum.content).toBe("Let me look. It rains in Oslo.");
  });

  it("goes on after the end of a phase, and has one end, all output and the sum of usage", async () => {
    const { sum, events } = await read(
      streamOf([
        ...first,
        completed([message("Let me look.", "m1")], usage(10, 3)),
        created("r2"),
        ...second,
        completed([message(" It rains in Oslo.", "m2")], { id: "r2", ...usage(20, 5) }),
      ]),
    );
    expect(sum.content).toBe("Let me look. It rains in Oslo.");
    expect(sum.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 8, total_tokens: 38 });
    expect(events.filter(({ type }) => type === "response.completed")).toHaveLength(1);
    expect(asObjects(asObject(sum.response)?.["output"]).map(({ id }) => id)).toEqual(["m1", "m2"]);
  });

  it("keeps texts without ids apart", async () => {
    const { sum } = await read(
      streamOf([
        created(),
        text("A", { output_index: 0 }),
        created(),
        text("B", { output_index: 0 }),
        completed([message("B")]),
      ]),
    );
    expect(sum.content).toBe("AB");
  });

  it("has no call twice that a later phase repeats", async () => {
    const repeated = [added(call("fc1", "c1", "")), args("fc1", OSLO), done(call("fc1", "c1", OSLO))];
    const { calls } = await read(streamOf([created(), ...repeated, created(), ...repeated, completed([])]));
    expect(calls).toEqual([["c1", "weather", OSLO]]);
  });

  it("is complete when the connection breaks after its end", async () => {
    let isSent = false;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (isSent) controller.error(new Error("reset"));
        else controller.enqueue(new TextEncoder().encode(streamOf([...first, completed([])])));
        isSent = true;
      },
    });
    expect((await read(body)).sum).toMatchObject({ content: "Let me look.", finishReason: "stop" });
  });

  it("is complete when the upstream leaves the connection open", async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(streamOf([...first, completed([])]))),
    });
    expect((await read(body)).sum).toMatchObject({ content: "Let me look.", finishReason: "stop" });
  });
});
