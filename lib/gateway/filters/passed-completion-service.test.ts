import { describe, expect, it } from "vitest";
import type { ResponseChunk } from "../../engine/protocols/response-chunk";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { chatCompletion } from "../../engine/protocols/chat/stream-encoder";
import { collect } from "../../engine/protocols/observe";
import type { FilterAction } from "../../engine/filters/filter-rule";
import { responseFilter } from "../../testing/response-filter";
import { heading, plain } from "../../testing/lossless";
import type { ResponseFilter } from "./response-filter-service";

type Body = Record<string, unknown>;

const filterOf = (action: FilterAction = "redact", isStreamed = false) =>
  responseFilter([{ detector: { kind: "pattern", pattern: "SECRET-\\d" }, action, label: "[S]" }], isStreamed);

/** Returns the body for a caller of the same protocol, after a filter if one is given, and how the response ended. */
async function passed(body: Body, filter: ResponseFilter | null) {
  const read = (async function* () {
    yield* await Promise.resolve(new ChatUpstreamReader().readWhole(structuredClone(body)));
  })();
  const batches = (async function* (chunks: AsyncIterable<ResponseChunk>) {
    for await (const chunk of chunks) yield [chunk];
  })(filter ? filter.apply(read) : read);
  const report = () => Promise.resolve({ costUsd: 0.25, completedAt: 2, serviceMetadata: null });
  const { end, accumulated, receipt } = await collect(batches, new AbortController().signal, report);
  return { end, body: plain(chatCompletion({ ...heading, isSameProtocol: true }, accumulated, receipt)) };
}

const call = { id: "a", function: { name: "f", arguments: '{"q":"x"}' }, vendor: 1 };
const choice = (message: Body, more: Body = {}) => ({
  index: 0,
  message: { role: "assistant", content: "hi", refusal: null, ...message },
  finish_reason: "stop",
  logprobs: null,
  ...more,
});
const completion = (choices: readonly Body[], more: Body = {}) => ({
  id: "c",
  object: "chat.completion",
  created: 5,
  model: "m",
  system_fingerprint: "fp",
  service_tier: "default",
  choices,
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, vendor_tokens: 2 },
  copilot_usage: { total: 3, notes: [] },
  ...more,
});

describe("a whole chat completion in which filters change nothing", () => {
  it.each<[string, Body]>([
    ["annotations without an entry", completion([choice({ annotations: [] })])],
    [
      "null for everything that isn't there",
      completion([choice({ annotations: null, audio: null, function_call: null, reasoning_content: null })]),
    ],
    ["empty lists and texts", completion([choice({ content: "", tool_calls: [], images: [] })])],
    ["a service tier of null", completion([choice({})], { service_tier: null, system_fingerprint: null })],
    ["calls without a type", completion([choice({ content: null, tool_calls: [call] }, { finish_reason: null })])],
    ["calls with an index", completion([choice({ content: "", tool_calls: [{ index: 0, ...call }] })])],
    ["both names of reasoning", completion([choice({ reasoning: "why", reasoning_content: "why" })])],
    [
      "vendors' fields of choices and messages",
      completion([
        choice({ vendor: { a: [1, null, "x"] } }, { content_filter_results: { hate: { filtered: false } } }),
      ]),
    ],
    [
      "a content of several parts",
      completion([
        choice({
          content: [
            { type: "text", text: "one ", vendor: 1 },
            { type: "text", text: "two" },
          ],
        }),
      ]),
    ],
    [
      "several choices, in their order",
      completion([choice({ content: "b" }, { index: 1 }), choice({ content: "a", annotations: [] })]),
    ],
  ])("passes as sent: %s", async (_, given) => {
    const filtered = await passed(given, filterOf());
    const expected = await passed(given, null);
    expect(filtered.body).toEqual(expected.body);
  });
});

describe("a whole chat completion in which a filter changes a text", () => {
  const message = (secret: string) => ({
    content: `a ${secret} b`,
    annotations: [],
    vendor: { note: secret, list: [] },
    tool_calls: [{ ...call, function: { name: "f", arguments: JSON.stringify({ q: secret }) } }],
  });
  const given = (secret: string) =>
    completion([choice(message(secret), { about: secret }), choice({ content: secret }, { index: 1 })], {
      copilot_usage: { total: 3, notes: [secret] },
    });

  it("differs in that text only, wherever it is", async () => {
    const { body } = await passed(given("SECRET-1"), filterOf());
    expect(body).toEqual((await passed(given("[S]"), null)).body);
  });

  it("has its content as a text if a match is split over its parts", async () => {
    const parts = ["a SEC", "RET-7 b"].map((text) => ({ type: "text", text }));
    const { body } = await passed(completion([choice({ content: parts })]), filterOf());
    expect(body["choices"]).toMatchObject([{ message: { content: "a [S] b" } }]);
  });

  it("has no log probabilities, which spell the text", async () => {
    const logprobs = { content: [{ token: "SECRET", logprob: -1 }], refusal: null };
    const { body } = await passed(completion([choice({}, { logprobs })]), filterOf());
    expect(body["choices"]).toMatchObject([{ logprobs: null }]);
  });

  it("is blocked by a match in any of its fields", async () => {
    for (const one of [{ vendor: ["SECRET-1"] }, { content: "SECRET-1" }]) {
      const { end, body } = await passed(completion([choice(one)]), filterOf("block"));
      expect(end.status).toBe("blocked");
      expect(JSON.stringify(body)).not.toContain("SECRET");
    }
  });
});

describe("a chat completion stream with filters", () => {
  const chunk = (choices: readonly Body[], more: Body = {}) => ({
    id: "c",
    object: "chat.completion.chunk",
    service_tier: "default",
    system_fingerprint: "SECRET-1",
    obfuscation: "SECRET-2",
    choices,
    ...more,
  });
  const delta = (words: Body, finish_reason: string | null = null) => ({ index: 0, delta: words, finish_reason });
  const released = async (events: readonly Body[]) => {
    const reader = new ChatUpstreamReader();
    const read = (async function* () {
      for (const event of events) yield* await Promise.resolve(reader.read(structuredClone(event)));
    })();
    const chunks: ResponseChunk[] = [];
    for await (const one of filterOf("redact", true).apply(read)) chunks.push(one);
    return chunks;
  };

  it("has the service tier and the fingerprint in every chunk, scanned, and no obfuscation", async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, vendor_tokens: 2 };
    const all = await released([
      chunk([delta({ role: "assistant", content: "" })]),
      ...Array.from({ length: 50 }, () => chunk([delta({ content: "just words. ".repeat(20) })])),
      chunk([delta({ annotations: [] }, "stop")]),
      chunk([], { usage }),
    ]);
    // A chunk without choices and usage isn't sent.
    const chunks = all.filter((one) => one.choices.length > 0 || one.usage);
    expect(chunks.length).toBeGreaterThan(5);
    for (const one of chunks) expect(one).toMatchObject({ service_tier: "default", system_fingerprint: "[S]" });
    expect(JSON.stringify(chunks)).not.toMatch(/SECRET|obfuscation/);
    expect(chunks.at(-2)?.choices).toMatchObject([{ delta: { annotations: [] }, finish_reason: "stop" }]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  });
});
