import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GENERATION_STATUSES, type GenerationStatus } from "../../records/generations/vocabulary";
import { otlpBody, type ExportedGeneration } from "./otlp";
import { endpointOf, hasEndpoints } from "./vocabulary";

const AT = "2026-11-20T12:00:00.000Z";
const END = `${Date.parse(AT) + 1500}000000`;

const generationOf = (fields: Partial<ExportedGeneration> = {}) =>
  ({
    id: "gen-1",
    created_at: AT,
    status: "succeeded",
    model: "openai/gpt-5",
    requested_model: "openai/gpt-5",
    provider: "openai",
    protocol: "responses",
    workspace_id: "w",
    total_cost: 0.0012,
    tokens_prompt: 3,
    tokens_completion: 5,
    generation_time: 1500,
    finish_reason: "stop",
    error: null,
    decisions: [],
    trace_id: null,
    ...fields,
  }) as unknown as ExportedGeneration;

const INT64_MAX = 2n ** 63n - 1n;
const int64 = z
  .string()
  .regex(/^-?\d+$/)
  .refine((digits) => BigInt(digits) <= INT64_MAX && BigInt(digits) >= -INT64_MAX - 1n);
const utf8 = z.string().refine((text) => text.isWellFormed());

const AnyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({}),
    z.strictObject({ stringValue: utf8 }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: int64 }),
    z.strictObject({ doubleValue: z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]) }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(AnyValue) }) }),
    z.strictObject({ kvlistValue: z.strictObject({ values: Attributes }) }),
  ]),
);
const Attributes = z.array(z.strictObject({ key: utf8, value: AnyValue }));
const resource = z.strictObject({ attributes: Attributes });
const scope = z.strictObject({ name: z.string() });
const nanoseconds = z.string().regex(/^\d+$/);
const ids = { traceId: z.string().regex(/^[0-9a-f]{32}$/), spanId: z.string().regex(/^[0-9a-f]{16}$/) };

/** ExportLogsServiceRequest and ExportTraceServiceRequest of the OTLP specification, as JSON. */
const LogRecord = z.strictObject({
  ...ids,
  timeUnixNano: nanoseconds,
  observedTimeUnixNano: nanoseconds,
  severityNumber: z.number().int().min(1).max(24),
  severityText: z.string(),
  eventName: z.string(),
  attributes: Attributes,
});
const Logs = z.strictObject({
  resourceLogs: z.tuple([
    z.strictObject({ resource, scopeLogs: z.tuple([z.strictObject({ scope, logRecords: z.array(LogRecord) })]) }),
  ]),
});
const Span = z.strictObject({
  ...ids,
  name: z.string(),
  kind: z.number().int(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: Attributes,
  status: z.strictObject({ code: z.number().int().optional(), message: z.string().optional() }),
});
const Traces = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({ resource, scopeSpans: z.tuple([z.strictObject({ scope, spans: z.array(Span) })]) }),
  ]),
});

const bodyOf = (signal: "traces" | "logs", generation: ExportedGeneration): unknown =>
  JSON.parse(otlpBody(signal, "o", [generation]));
const logOf = (fields?: Partial<ExportedGeneration>) => {
  const [record] = Logs.parse(bodyOf("logs", generationOf(fields))).resourceLogs[0].scopeLogs[0].logRecords;
  if (!record) throw new Error("no log record");
  return record;
};
const spanOf = (fields?: Partial<ExportedGeneration>) => {
  const [span] = Traces.parse(bodyOf("traces", generationOf(fields))).resourceSpans[0].scopeSpans[0].spans;
  if (!span) throw new Error("no span");
  return span;
};

type Any = Record<string, unknown>;
const plain = (value: Any): unknown => {
  const { arrayValue, kvlistValue } = value as { arrayValue?: { values: Any[] }; kvlistValue?: { values: Pair[] } };
  if (arrayValue) return arrayValue.values.map(plain);
  return kvlistValue ? plainPairs(kvlistValue.values) : Object.values(value)[0];
};
interface Pair {
  key: string;
  value: Any;
}
const plainPairs = (pairs: readonly Pair[]) => Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));
const attributesOf = ({ attributes }: { attributes: unknown[] }) => plainPairs(attributes as Pair[]);

const content = (
  messages: Record<string, unknown>[],
  output: Record<string, unknown> = {},
): Pick<ExportedGeneration, "content"> => ({
  content: {
    error: null,
    input: { messages },
    output: { completion: "", reasoning: null, ...output },
  } as ExportedGeneration["content"],
});
const text = (words: string) => [{ type: "text", content: words }];

describe("a log record", () => {
  it("is the event of the inference, at its end, with the ids of the span", () => {
    const record = logOf();
    const span = spanOf();
    expect(record).toMatchObject({
      eventName: "gen_ai.client.inference.operation.details",
      timeUnixNano: END,
      traceId: span.traceId,
      spanId: span.spanId,
    });
    expect(span.endTimeUnixNano).toBe(END);
    expect(attributesOf(record)).toEqual({ "log.record.uid": "gen-1", ...attributesOf(span) });
    expect(logOf({ trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" }).traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  });

  const severities: Record<GenerationStatus, [number, string]> = {
    succeeded: [9, "INFO"],
    cancelled: [9, "INFO"],
    blocked: [13, "WARN"],
    failed: [17, "ERROR"],
  };
  it.each(GENERATION_STATUSES)("has the severity of %s", (status) => {
    const { severityNumber, severityText } = logOf({ status });
    expect([severityNumber, severityText]).toEqual(severities[status]);
  });

  it("has the error's status and message", () => {
    expect(attributesOf(logOf({ status: "failed", error: { status: 502, message: "down" } }))).toMatchObject({
      "error.type": "502",
      "error.message": "down",
    });
  });
});

describe("messages", () => {
  const call = { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } };
  const called = { type: "tool_call", id: "c1", name: "weather", arguments: { city: "Paris" } };
  it.each<[string, Record<string, unknown>[], unknown[]]>([
    [
      "of the system and a user",
      [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Hi" },
      ],
      [
        { role: "system", parts: text("Be brief") },
        { role: "user", parts: text("Hi") },
      ],
    ],
    [
      "with a tool call and its response",
      [
        { role: "assistant", content: "", reasoning: "Look", tool_calls: [call] },
        { role: "tool", content: "rainy", tool_call_id: "c1" },
      ],
      [
        { role: "assistant", parts: [{ type: "reasoning", content: "Look" }, called] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "rainy" }] },
      ],
    ],
    [
      "with a function call and a custom tool",
      [
        { role: "assistant", content: "", function_call: { name: "f", arguments: "{" } },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c", type: "custom", custom: { name: "g", input: "x" } }],
        },
      ],
      [
        { role: "assistant", parts: [{ type: "tool_call", name: "f", arguments: "{" }] },
        { role: "assistant", parts: [{ type: "tool_call", id: "c", name: "g", arguments: "x" }] },
      ],
    ],
    [
      "cut off after 32,000 characters",
      [
        { role: "user", content: "a".repeat(31_999) },
        { role: "user", content: "bc" },
        { role: "user", content: "d" },
      ],
      [
        { role: "user", parts: text("a".repeat(31_999)) },
        { role: "user", parts: text("b") },
      ],
    ],
  ])("%s are structures in log records and JSON in spans", (_name, messages, expected) => {
    const fields = content(messages);
    expect(attributesOf(logOf(fields))["gen_ai.input.messages"]).toEqual(expected);
    const json = attributesOf(spanOf(fields))["gen_ai.input.messages"] as string;
    expect(JSON.parse(json)).toMatchObject(expected);
  });

  it.each([
    ["9007199254740991", { intValue: "9007199254740991" }],
    ["-3", { intValue: "-3" }],
    ["9007199254740993", { doubleValue: 9007199254740992 }],
    ["18446744073709551615", { doubleValue: 18446744073709552000 }],
    ["1e300", { doubleValue: 1e300 }],
    ["0.5", { doubleValue: 0.5 }],
    ["-1e999", { doubleValue: "-Infinity" }],
  ])("have the number %s of a tool call's arguments as %j", (number, expected) => {
    const tool_calls = [{ ...call, function: { name: "weather", arguments: `{"n":${number}}` } }];
    const record = JSON.stringify(logOf(content([{ role: "assistant", content: "", tool_calls }])));
    expect(record).toContain(JSON.stringify({ key: "n", value: expected }));
  });

  it("have well-formed names of a tool call's arguments", () => {
    const tool_calls = [{ ...call, function: { name: "weather", arguments: String.raw`{"\ud800":1}` } }];
    expect(JSON.stringify(logOf(content([{ role: "assistant", content: "", tool_calls }])))).toContain("\ufffd");
  });

  it("of a completion are one for each choice, with its finish reason", () => {
    const choices = [
      { index: 0, message: { refusal: "No" } },
      { index: 1, finish_reason: "length", message: { content: "Hello" } },
    ];
    const fields = content([], { completion: "Hi", reasoning: "Well", tool_calls: [call], choices });
    expect(attributesOf(logOf(fields))["gen_ai.output.messages"]).toEqual([
      {
        role: "assistant",
        parts: [{ type: "reasoning", content: "Well" }, ...text("Hi"), ...text("No"), called],
        finish_reason: "stop",
      },
      { role: "assistant", parts: text("Hello"), finish_reason: "length" },
    ]);
  });

  it("are missing from destinations without content, and no completion is none", () => {
    expect(attributesOf(logOf())).not.toHaveProperty(["gen_ai.input.messages"]);
    expect(attributesOf(logOf({ ...content([]), status: "blocked" }))["gen_ai.output.messages"]).toEqual([]);
  });
});

describe("endpoints", () => {
  it.each([
    ["https://a.example/v1/traces", "https://a.example/v1/traces", "https://a.example/v1/logs", true],
    ["https://a.example/otlp/v1/logs", "https://a.example/otlp/v1/traces", "https://a.example/otlp/v1/logs", true],
    ["https://a.example/v1/traces?k=v", "https://a.example/v1/traces?k=v", "https://a.example/v1/logs?k=v", true],
    ["https://a.example/v1/traces/x", "https://a.example/v1/traces/x", "https://a.example/v1/traces/x", false],
    ["https://a.example/collect", "https://a.example/collect", "https://a.example/collect", false],
  ])("of %s are %s and %s", (url, traces, logs, isForBoth) => {
    expect([endpointOf(url, "traces"), endpointOf(url, "logs")]).toEqual([traces, logs]);
    expect(hasEndpoints(url, ["traces", "logs"])).toBe(isForBoth);
    expect(hasEndpoints(url, ["logs"])).toBe(true);
  });
});
