import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseChunk, ResponseEvent } from "../../engine/protocols/response-chunk";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { chatStreamEncoder } from "../../engine/protocols/chat/stream-encoder";
import { filteredBatches } from "../../engine/protocols/chunk-batches";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { messagesStreamEncoder } from "../../engine/protocols/messages/stream-encoder";
import { relay, type StreamEncoder } from "../../engine/protocols/observe";
import { itemEvents } from "../../engine/protocols/responses/item-events";
import { ResponsesUpstreamReader } from "../../engine/protocols/responses/upstream-reader";
import { responsesStreamEncoder } from "../../engine/protocols/responses/stream-encoder";
import { ResponseBlocked } from "../../engine/filters/response-blocked";
import type { FilterAction, FilterRule } from "../../engine/filters/filter-rule";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { cases } from "../../testing/random";
import { ResponseFilter } from "./response-filter-service";

const rule = (detector: FilterRule["detector"], action: FilterAction, label: string): FilterRule => ({
  detector,
  action,
  label,
  scanScope: "all_messages",
  sources: [],
});
const email = (action: FilterAction) => rule({ kind: "builtin", slug: "email" }, action, "[EMAIL]");
const falcon = (action: FilterAction) => rule({ kind: "pattern", pattern: "PROJECT-FALCON" }, action, "[FALCON]");
const filterOf = (rules: FilterRule[], given: Partial<ConstructorParameters<typeof ResponseFilter>[0]> = {}) =>
  new ResponseFilter({
    rules,
    phrases: [],
    limits: {
      timeoutMs: 20_000,
      workers: 1,
      signal: new AbortController().signal,
      owner: { organizationId: "organization", subject: "key" },
    },
    isStreamed: true,
    isJson: false,
    isChecked: false,
    ...given,
  });

const asStream = async function* (chunks: readonly ResponseChunk[]) {
  yield* await Promise.resolve(chunks);
};
async function filtered(filter: ResponseFilter, chunks: readonly ResponseChunk[]) {
  const released: ResponseChunk[] = [];
  for await (const chunk of filter.apply(asStream(chunks))) released.push(chunk);
  const sum = newAccumulated();
  for (const chunk of released) accumulate(sum, chunk);
  return { released, sum, events: released.flatMap(({ responseEvent }) => responseEvent ?? []) };
}

const chat = (deltas: readonly object[]): ResponseChunk[] => {
  const reader = new ChatUpstreamReader();
  return [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ].flatMap((event) => reader.read(event));
};
const responses = (events: readonly ResponseEvent[], output: unknown): ResponseChunk[] => {
  const reader = new ResponsesUpstreamReader();
  return [...events, { type: "response.completed", response: { id: "r", status: "completed", output } }].flatMap(
    (event) => reader.read(event),
  );
};
const split = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

const LEAK = /ann@example\.com|PROJECT-FALCON/;
const SECRET = "write to ann@example.com about PROJECT-FALCON";
const SAFE = "write to [EMAIL] about [FALCON]";

describe("ResponseFilter on a chat completion", () => {
  it("redacts every text of the message, however it is split", async () => {
    for (const size of [1, 3, 10, 100]) {
      const deltas = [
        { role: "assistant", content: "" },
        ...split(`thinking: ${SECRET}`, size).map((reasoning) => ({ reasoning })),
        ...split(`answer: ${SECRET}`, size).map((content) => ({
          content,
          logprobs: { content: [{ token: content }] },
        })),
        ...split(`sorry: ${SECRET}`, size).map((refusal) => ({ refusal })),
        { annotations: [{ type: "url_citation", url_citation: { url: "https://a.example", title: SECRET } }] },
        { tool_calls: [{ index: 0, id: "c0", function: { name: "mail", arguments: "" } }] },
        { tool_calls: [{ index: 1, id: "c1", function: { name: "note", arguments: "" } }] },
        ...split(JSON.stringify({ to: "ann@example.com" }), size).map((part) => ({
          tool_calls: [{ index: 0, function: { arguments: part } }],
        })),
        ...split('{"about":"PROJECT\\u002dFALCON"}', size).map((part) => ({
          tool_calls: [{ index: 1, function: { arguments: part } }],
        })),
        ...split(`details: ${SECRET}`, size).map((text) => ({
          reasoning: "",
          reasoning_details: [{ type: "reasoning.text", index: 0, text }],
        })),
        ...split(`said: ${SECRET}`, size).map((transcript) => ({ audio: { id: "a", transcript } })),
      ];
      const filter = filterOf([email("redact"), falcon("redact")]);
      const { sum, released } = await filtered(filter, chat(deltas));
      expect(sum).toMatchObject({
        reasoning: `thinking: ${SAFE}`,
        content: `answer: ${SAFE}`,
        refusal: `sorry: ${SAFE}`,
        toolCalls: [
          { id: "c0", function: { name: "mail", arguments: '{"to":"[EMAIL]"}' } },
          { id: "c1", function: { name: "note", arguments: '{"about":"[FALCON]"}' } },
        ],
        finishReason: "stop",
        usage: { completion_tokens: 2 },
      });
      expect(sum.lists.annotations).toMatchObject([{ url_citation: { title: SAFE } }]);
      expect(sum.lists.reasoning_details).toEqual([{ type: "reasoning.text", index: 0, text: `details: ${SAFE}` }]);
      expect(JSON.stringify(released)).not.toMatch(LEAK);
      expect(filter.received.content).toBe(`answer: ${SECRET}`);
      expect(filter.findings.map(({ rule: { label }, spans }) => [label, spans.length])).toEqual([
        ["[EMAIL]", 7],
        ["[FALCON]", 7],
      ]);
    }
  });

  it("releases text while it arrives, and ends each kind of text before the next", async () => {
    const words = "Nothing to see here. ".repeat(200);
    const deltas = [
      ...split(words, 20).map((reasoning) => ({ reasoning })),
      ...split(words, 20).map((content) => ({ content })),
    ];
    const { released, sum } = await filtered(filterOf([email("redact")]), chat(deltas));
    expect(sum).toMatchObject({ reasoning: words, content: words });
    const kinds = released.flatMap(({ choices }) => Object.keys(choices[0]?.delta ?? {}));
    expect(kinds.lastIndexOf("reasoning")).toBeLessThan(kinds.indexOf("content"));
    expect(kinds.length).toBeGreaterThan(10);
  });

  it("sends a role that the upstream repeats once", async () => {
    const given = chat(split("Nothing to see. ".repeat(20), 20).map((content) => ({ role: "assistant", content })));
    const { released } = await filtered(filterOf([email("redact")]), given);
    expect(released.filter(({ choices }) => choices[0]?.delta["role"])).toHaveLength(1);
  });

  it("blocks before the text leaves, and reports where", async () => {
    const filter = filterOf([email("block")]);
    const given = chat(
      split(`${"Nothing yet. ".repeat(200)}${SECRET}${" more".repeat(200)}`, 9).map((content) => ({ content })),
    );
    const sent: ResponseChunk[] = [];
    const run = (async () => {
      for await (const chunk of filter.apply(asStream(given))) sent.push(chunk);
    })();
    const thrown: unknown = await run.catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ResponseBlocked);
    expect(thrown).toMatchObject({ error: { status: 403, message: "Response blocked by content filter: [EMAIL]" } });
    const text = sent.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toMatch(/^(?:Nothing yet\. )+/);
    expect(text).not.toContain("ann@");
    expect(filter.findings).toMatchObject([
      { spans: [{ path: ["choices", 0, "message", "content"], start: 2609, end: 2624 }] },
    ]);
  });

  it("keeps an answer in JSON valid", async () => {
    const content = '{"card": 4111111111111111, "to": "ann\\u0040example.com"}';
    const rules = [email("redact"), rule({ kind: "builtin", slug: "credit-card" }, "redact", "[CARD]")];
    const { sum } = await filtered(
      filterOf(rules, { isJson: true }),
      chat(split(content, 5).map((part) => ({ content: part }))),
    );
    expect(sum.content).toBe('{"card": "[CARD]", "to": "[EMAIL]"}');
  });

  it("gives the same answer in any chunks, and at once", async () => {
    const piece = fc.constantFrom(SECRET, "ann@example.com", "PROJECT-", "FALCON", " plain words ", "\n", "😀", "@");
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60, size: "max" }),
        fc.integer({ min: 1, max: 200 }),
        async (parts, size) => {
          const text = parts.join("");
          const rules = [email("redact"), falcon("redact")];
          const whole = filterOf(rules, { isStreamed: false });
          const atOnce = await filtered(whole, chat([{ content: text }]));
          const streamed = filterOf(rules);
          const { sum } = await filtered(streamed, chat(split(text, size).map((content) => ({ content }))));
          expect(sum.content).toBe(atOnce.sum.content);
          expect(streamed.findings).toEqual(whole.findings);
        },
      ),
      { numRuns: cases(30) },
    );
  });
});

describe("ResponseFilter on the last chunks of a chat completion", () => {
  const heading = { id: "gen-1", created: 1, model: "acme/1", isByok: false };
  const usageOf = (completion_tokens: number) => ({
    prompt_tokens: 5,
    completion_tokens,
    total_tokens: 5 + completion_tokens,
  });
  const relayed = async (encoder: StreamEncoder, events: readonly object[]) => {
    const reader = new ChatUpstreamReader();
    const chunks = events.flatMap((event) => reader.read(event));
    const batches = filteredBatches([chunks], (each) => filterOf([email("redact")]).apply(each));
    const receipt = () => Promise.resolve({ costUsd: 0, completedAt: 2 });
    let text = "";
    for await (const part of relay(batches, encoder, new AbortController().signal, receipt)) text += part;
    return text
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
  };
  const ENCODERS: [
    string,
    () => StreamEncoder,
    usage: (events: readonly Record<string, unknown>[]) => unknown,
    object,
  ][] = [
    [
      "chat_completions",
      () => chatStreamEncoder(heading, { includesUsage: true, echo: null }),
      (events) => events.at(-1)?.["usage"],
      usageOf(7),
    ],
    [
      "responses",
      () => responsesStreamEncoder(heading, ResponsesBody.parse({ model: "acme/1", input: "hi" }), null),
      (events) => (events.at(-1)?.["response"] as Record<string, unknown>)["usage"],
      { input_tokens: 5, output_tokens: 7 },
    ],
    [
      "messages",
      () =>
        messagesStreamEncoder(
          heading,
          MessagesBody.parse({ max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
          null,
        ),
      (events) => events.find(({ type }) => type === "message_delta")?.["usage"],
      { input_tokens: 5, output_tokens: 7 },
    ],
  ];
  const said = { choices: [{ index: 0, delta: { role: "assistant", content: "Hello" } }] };
  const finish = { index: 0, delta: {}, finish_reason: "stop" };

  it.each(ENCODERS)("keeps the usage of the last choice's chunk: %s", async (_, encoder, usage, expected) => {
    const last = { choices: [finish], usage: usageOf(7) };
    expect(usage(await relayed(encoder(), [said, last]))).toMatchObject(expected);
    expect(usage(await relayed(encoder(), [{ ...said, usage: usageOf(1) }, last]))).toMatchObject(expected);
    expect(
      usage(await relayed(encoder(), [said, { choices: [finish] }, { choices: [], usage: usageOf(7) }])),
    ).toMatchObject(expected);
  });

  it("releases the usage behind the finish reason, with its matches replaced", async () => {
    const last = { choices: [finish], usage: { ...usageOf(7), note: "ann@example.com" } };
    const reader = new ChatUpstreamReader();
    const { released } = await filtered(
      filterOf([email("redact")]),
      [said, last].flatMap((event) => reader.read(event)),
    );
    expect(released.at(-2)?.choices).toEqual([{ index: 0, delta: {}, finish_reason: "stop" }]);
    expect(released.at(-1)).toMatchObject({ choices: [], usage: { ...usageOf(7), note: "[EMAIL]" } });
  });

  it.each([
    ["", ""],
    [null, null],
    ["", "stop"],
  ])("releases all text when finish reasons are %j and %j", async (...reasons) => {
    const reader = new ChatUpstreamReader();
    const given = reasons.map((finish_reason, place) => ({
      choices: [0, 1].map((index) => ({ index, delta: { content: ["Write to ", "me"][place] }, finish_reason })),
    }));
    const { sum, released } = await filtered(
      filterOf([email("redact")]),
      given.flatMap((event) => reader.read(event)),
    );
    expect(sum.content).toBe("Write to me");
    expect(sum.others.get(1)?.content).toBe("Write to me");
    expect(released.at(-1)?.choices[0]?.finish_reason).toBe(reasons[1] === "" ? null : reasons[1]);
  });
});

describe("ResponseFilter on a Responses stream", () => {
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [{ token: text }] });
  const output = [
    {
      type: "reasoning",
      id: "rs",
      summary: [{ type: "summary_text", text: `summary: ${SECRET}` }],
      content: [{ type: "reasoning_text", text: `thinking: ${SECRET}` }],
      encrypted_content: "gAAAA==",
    },
    { type: "web_search_call", id: "ws", status: "completed", action: { type: "search", query: SECRET } },
    {
      type: "message",
      id: "m",
      role: "assistant",
      content: [part(`answer: ${SECRET}`), { type: "refusal", refusal: SECRET }],
    },
    {
      type: "function_call",
      id: "f",
      call_id: "c",
      name: "mail",
      arguments: JSON.stringify({ to: "ann@example.com" }),
    },
    { type: "code_interpreter_call", id: "ci", code: `print("${SECRET}")`, outputs: [{ type: "logs", logs: SECRET }] },
  ];
  const events = (size: number): ResponseEvent[] =>
    output
      .flatMap((item, index) => itemEvents(item as Parameters<typeof itemEvents>[0], index))
      .flatMap((event) =>
        event.type.endsWith(".delta") && typeof event["delta"] === "string"
          ? split(event["delta"], size).map((delta) => ({ ...event, delta, obfuscation: "x7" }))
          : [event],
      );

  it("redacts deltas, completed parts, items and the completed answer alike, without losing an event", async () => {
    for (const size of [1, 7, 1000]) {
      const given = responses(
        [
          ...events(size),
          ...split(`print("${SECRET}")`, size).map((delta) => ({
            type: "response.code_interpreter_call_code.delta",
            output_index: 4,
            delta,
          })),
          { type: "response.web_search_call.searching", output_index: 1, item_id: "ws" },
          { type: "response.tomorrow", output_index: 5, note: { deep: [SECRET] } },
        ],
        output,
      );
      const filter = filterOf([email("redact"), falcon("redact")]);
      const { events: released, sum } = await filtered(filter, given);
      expect(JSON.stringify(released)).not.toMatch(LEAK);
      const textOf = (type: string) =>
        released.flatMap((event) => (event.type === type ? [String(event["delta"])] : [])).join("");
      expect(textOf("response.output_text.delta")).toBe(`answer: ${SAFE}`);
      expect(textOf("response.reasoning_summary_text.delta")).toBe(`summary: ${SAFE}`);
      expect(textOf("response.function_call_arguments.delta")).toBe('{"to":"[EMAIL]"}');
      expect(textOf("response.code_interpreter_call_code.delta")).toBe(`print("${SAFE}")`);
      expect(released.find(({ type }) => type === "response.output_text.done")).toMatchObject({
        text: `answer: ${SAFE}`,
        logprobs: [],
      });
      expect(released.at(-1)).toMatchObject({
        type: "response.completed",
        response: {
          output: [
            { summary: [{ text: `summary: ${SAFE}` }], encrypted_content: "gAAAA==" },
            { action: { query: SAFE } },
            { content: [{ text: `answer: ${SAFE}`, logprobs: [] }, { refusal: SAFE }] },
            { arguments: '{"to":"[EMAIL]"}' },
            { code: `print("${SAFE}")`, outputs: [{ logs: SAFE }] },
          ],
        },
      });
      const kinds = (list: readonly ResponseEvent[]) =>
        list.map(({ type }) => type).filter((type) => !type.endsWith(".delta"));
      expect(kinds(released)).toEqual(kinds(given.flatMap(({ responseEvent }) => responseEvent ?? [])));
      expect(sum).toMatchObject({ content: `answer: ${SAFE}`, refusal: SAFE });
      expect(filter.findings[0]?.spans.map(({ path }) => path.join("."))).toContain("output.2.content.0.text");
    }
  });

  it("doesn't scan what the upstream repeats of the request", async () => {
    const given = responses([], []).map((chunk) => ({
      ...chunk,
      responseEvent: {
        type: "response.completed",
        response: { status: "completed", output: [], instructions: SECRET },
      },
    }));
    await expect(filtered(filterOf([email("block")]), given)).resolves.toMatchObject({ sum: { finishReason: "stop" } });
  });
});

it.each([
  ["response.function_call_arguments.delta", 1024 * 1024],
  ["response.audio.delta", 16 * 1024 * 1024],
])("names the limit of %s", async (type, limit) => {
  const pieces = [...Array<string>(4).fill("a".repeat(limit / 4)), "a"];
  const answer = responses(
    pieces.map((delta) => ({ type, item_id: "i", output_index: 0, content_index: 0, delta })),
    [],
  );
  await expect(filtered(filterOf([email("block")]), answer)).rejects.toThrow(
    `more than ${limit} characters would have to be held back`,
  );
});
