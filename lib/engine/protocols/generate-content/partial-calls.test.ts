import { describe, expect, it } from "vitest";
import { accumulate, newAccumulated } from "../accumulate";
import { BrokenResponse } from "../broken-response";
import { MessageWriter } from "../messages/message-writer";
import { OutputWriter } from "../responses/output-writer";
import { GenerateContentUpstreamReader } from "./upstream-reader";

type Part = Record<string, unknown>;

const event = (call: Part | null, more: Part = {}) => ({
  responseId: "r",
  candidates: [{ index: 0, content: { role: "model", parts: call ? [{ functionCall: call, ...more }] : [] } }],
});
const STOP = { candidates: [{ index: 0, content: { parts: [] }, finishReason: "STOP" }] };

function chunksOf(...events: unknown[]) {
  const reader = new GenerateContentUpstreamReader();
  return [...[...events, STOP].flatMap((one) => reader.read(one)), ...reader.end()];
}
function callsOf(...calls: Part[]) {
  const sum = newAccumulated();
  for (const chunk of chunksOf(...calls.map((call) => event(call)))) accumulate(sum, chunk);
  return sum.toolCalls.map((call) => ("function" in call ? call.function : call));
}
const text = (jsonPath: string, stringValue: string, willContinue = false) => ({ jsonPath, stringValue, willContinue });

const WEATHER: Part[] = [
  { name: "weather", id: "c1", willContinue: true },
  { partialArgs: [text("$.city", "Os", true)], willContinue: true },
  { partialArgs: [text("$.city", "lo", true)], willContinue: true },
  { partialArgs: [{ jsonPath: "$.city" }], willContinue: true },
  { partialArgs: [{ jsonPath: "$.days", numberValue: 3 }], willContinue: true },
  {},
];

describe("function calls that Gemini streams in parts", () => {
  it("become one call with joined arguments", () => {
    expect(callsOf(...WEATHER)).toEqual([{ name: "weather", arguments: '{"city":"Oslo","days":3}' }]);
  });

  it("have values of every kind, at nested paths", () => {
    const partialArgs = [
      text("$.a.b[0]", "x"),
      { jsonPath: "$.a.b[1]", boolValue: false },
      { jsonPath: "$['a.c']", nullValue: "NULL_VALUE" },
      { jsonPath: '$["d"].e', numberValue: 0 },
      text("$.empty", ""),
      text("$.__proto__.f", "own"),
    ];
    const [call] = callsOf({ name: "f", partialArgs, willContinue: false });
    expect(call).toEqual({
      name: "f",
      arguments: '{"a":{"b":["x",false]},"a.c":null,"d":{"e":0},"empty":"","__proto__":{"f":"own"}}',
    });
  });

  it("follow each other, and end with the answer", () => {
    expect(
      callsOf(
        ...WEATHER,
        { name: "other", args: { a: 1 } },
        { name: "first", willContinue: true },
        { name: "second", partialArgs: [text("$.a", "b", true)], willContinue: true },
      ),
    ).toEqual([
      { name: "weather", arguments: '{"city":"Oslo","days":3}' },
      { name: "other", arguments: '{"a":1}' },
      { name: "first", arguments: "{}" },
      { name: "second", arguments: '{"a":"b"}' },
    ]);
  });

  it("are one call in Responses and Messages, with the finish reason of calls", () => {
    const chunks = chunksOf(...WEATHER.map((call) => event(call)));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
    const [output, message] = [new OutputWriter("gen-1"), new MessageWriter()];
    for (const chunk of chunks) {
      output.write(chunk);
      message.write(chunk);
    }
    output.finish("completed");
    message.finish();
    expect(output.output).toMatchObject([
      { type: "function_call", call_id: "c1", name: "weather", arguments: '{"city":"Oslo","days":3}' },
    ]);
    expect(message.content).toEqual([
      { type: "tool_use", id: "c1", name: "weather", input: { city: "Oslo", days: 3 } },
    ]);
  });

  it.each(["city", "$.a[7]", "$..a", "$.a[*]"])("fail at the unknown path %s", (jsonPath) => {
    expect(() => callsOf({ name: "f", partialArgs: [{ jsonPath, stringValue: "x" }] })).toThrow(BrokenResponse);
  });
});
