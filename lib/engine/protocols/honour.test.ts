import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../testing/random";
import { accumulate, newAccumulated } from "./accumulate";
import type { ResponseChunk } from "./response-chunk";
import { BrokenResponse } from "./broken-response";
import { honouredBatches, type Honour } from "./honour";

type Delta = ResponseChunk["choices"][number]["delta"];
const chunk = (delta: Delta, finish_reason: string | null = null): ResponseChunk => ({
  choices: [{ index: 0, delta, finish_reason }],
});

async function* streamed(chunks: readonly ResponseChunk[]) {
  for (const one of chunks) yield [one];
}

/** Returns the answer that a client gets, which is the same whole and streamed. */
async function answered(chunks: readonly ResponseChunk[], honour: Honour) {
  const read = async (batches: Parameters<typeof honouredBatches>[0]) => {
    const sum = newAccumulated();
    for await (const batch of honouredBatches(batches, honour)) for (const one of batch) accumulate(sum, one);
    const { content, toolCalls, finishReason } = sum;
    return { content, toolCalls, finishReason };
  };
  const answer = await read(streamed(chunks));
  expect(await read([chunks])).toEqual(answer);
  return answer;
}

/** A text in pieces of any length. */
const pieces = (text: string, cuts: readonly number[]): ResponseChunk[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  const texts = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
  return [...texts.map((content) => chunk({ content })), chunk({}, "stop")];
};

describe("a stop sequence", () => {
  it.each<[string, string[], string]>([
    ["one END two END", ["END"], "one "],
    ["one two EN", ["END"], "one two EN"],
    ["a\n\nb", ["\n\n"], "a"],
    ["xxab", ["b", "xab"], "x"],
    ["aaab", ["aab"], "a"],
    ["END", ["END"], ""],
  ])("%j ends before %j, wherever chunks are cut", async (text, stop, expected) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 6 }), async (cuts) => {
        const { content, finishReason } = await answered(pieces(text, cuts), { stop });
        expect({ content, finishReason }).toEqual({ content: expected, finishReason: "stop" });
      }),
      { numRuns: cases(50) },
    );
  });

  it("ends an answer before its calls and its limit", async () => {
    const call = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } };
    const chunks = [chunk({ content: "one END" }), chunk({ tool_calls: [call] }), chunk({}, "tool_calls")];
    expect(await answered(chunks, { stop: ["END"] })).toEqual({ content: "one ", toolCalls: [], finishReason: "stop" });
  });

  it("leaves a truncated answer without the sequence as it is", async () => {
    const chunks = [chunk({ content: "one E" }), chunk({ content: "" }, "length")];
    expect(await answered(chunks, { stop: ["END"] })).toMatchObject({ content: "one E", finishReason: "length" });
  });
});

describe("calls", () => {
  const calls = [0, 1].flatMap((index) => [
    chunk({ tool_calls: [{ index, id: `c${index}`, type: "function", function: { name: "f", arguments: "" } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: "{}" } }] }),
  ]);

  it("are one without parallel calls", async () => {
    const { toolCalls, finishReason } = await answered([...calls, chunk({}, "tool_calls")], { calls: 1 });
    expect(toolCalls).toEqual([{ id: "c0", type: "function", function: { name: "f", arguments: "{}" } }]);
    expect(finishReason).toBe("tool_calls");
  });

  it("are none if none may be called", async () => {
    const chunks = [chunk({ content: "hm" }), ...calls, chunk({}, "tool_calls")];
    expect(await answered(chunks, { calls: 0 })).toEqual({ content: "hm", toolCalls: [], finishReason: "stop" });
  });

  it.each([
    ['{"input":"*** Begin\\n\\"x\\""}', '*** Begin\n"x"'],
    ["not JSON", "not JSON"],
  ])("of custom tools have one text: %j", async (words, input) => {
    const begun = { index: 1, id: "c", type: "function", function: { name: "patch", arguments: words.slice(0, 5) } };
    const chunks = [
      ...calls.slice(0, 2),
      chunk({ tool_calls: [begun] }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: words.slice(5) } }] }),
      chunk({}, "tool_calls"),
    ];
    const { toolCalls } = await answered(chunks, { customTools: new Set(["patch"]) });
    expect(toolCalls).toEqual([
      { id: "c0", type: "function", function: { name: "f", arguments: "{}" } },
      { id: "c", type: "custom", custom: { name: "patch", input } },
    ]);
  });
});

describe("a JSON object", () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['Here it is:\n```json\n{"a":{"b":"}{\\"]"},"c":[1,{}]}\n```\nDone {x}', '{"a":{"b":"}{\\"]"},"c":[1,{}]}'],
  ])("is what is left of %j", async (text, expected) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(80), { maxLength: 6 }), async (cuts) => {
        expect((await answered(pieces(text, cuts), { isJsonObject: true })).content).toBe(expected);
      }),
      { numRuns: cases(50) },
    );
  });

  it.each(["I can't.", '{"a":', "{x}", "[1]"])("that the model didn't write is a failure: %j", async (text) => {
    await expect(answered(pieces(text, []), { isJsonObject: true })).rejects.toBeInstanceOf(BrokenResponse);
  });

  it("may be cut by the limit, or be a call instead", async () => {
    const cut = [chunk({ content: '{"a":' }), chunk({}, "length")];
    expect((await answered(cut, { isJsonObject: true })).content).toBe('{"a":');
    const call = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } };
    const called = [chunk({ tool_calls: [call] }), chunk({}, "tool_calls")];
    expect((await answered(called, { isJsonObject: true })).toolCalls).toHaveLength(1);
  });
});
