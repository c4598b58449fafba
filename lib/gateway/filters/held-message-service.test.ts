import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseChunk, MessageEvent } from "../../engine/protocols/response-chunk";
import { asObject, asObjects, type JsonObject } from "../../platform/json-values";
import { MessagesUpstreamReader } from "../../engine/protocols/messages/upstream-reader";
import { wholeEvents } from "../../engine/protocols/messages/whole-events";
import { gatheredMessage, gatherMessage, type GatheredMessage } from "../../engine/protocols/messages/whole-message";
import { responseFilter } from "../../testing/response-filter";
import { STREAMS, WHOLE } from "../../testing/golden-messages";
import { cases } from "../../testing/random";
import type { ResponseFilter } from "./response-filter-service";

const filterOf = (pattern: string, isStreamed = true) =>
  responseFilter([{ detector: { kind: "pattern", pattern }, action: "redact", label: "[S]" }], isStreamed);

async function filtered(
  filter: ResponseFilter,
  events: readonly MessageEvent[],
  reader = new MessagesUpstreamReader(),
) {
  const given = (async function* () {
    await Promise.resolve();
    for (const event of events) yield* reader.read(event);
  })();
  const chunks: ResponseChunk[] = [];
  for await (const chunk of filter.apply(given)) chunks.push(chunk);
  return { chunks, events: chunks.flatMap(({ messageEvent }) => messageEvent ?? []) };
}

function gathered(events: readonly MessageEvent[]): JsonObject {
  let sum: GatheredMessage | null = null;
  for (const event of events) sum = gatherMessage(sum, event);
  if (!sum) throw new Error("no events");
  return gatheredMessage(sum);
}
const contentOf = (events: readonly MessageEvent[]) => asObjects(gathered(events)["content"]);
const signaturesOf = (chunks: readonly ResponseChunk[]) =>
  chunks.flatMap(({ choices }) =>
    choices.flatMap(({ delta }) =>
      asObjects(delta["reasoning_details"]).flatMap((detail) => detail["signature"] ?? []),
    ),
  );

const start = { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [] } };
const end = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];
const SIGNATURE = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk";
const thinkingStream = (thinking: readonly string[], text: string): MessageEvent[] => [
  start,
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  ...thinking.map((piece) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "thinking_delta", thinking: piece },
  })),
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: SIGNATURE } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 1 },
  ...end,
];

describe("a filter without a match", () => {
  it.each(Object.entries(STREAMS))("passes every event of %s", async (_name, given) => {
    const { events } = await filtered(filterOf("NOTHING"), given);
    expect(gathered(events)).toEqual(gathered(given));
    const others = (all: readonly MessageEvent[]) => all.filter(({ type }) => type !== "content_block_delta");
    expect(others(events)).toEqual(others(given));
  });

  it("passes a whole message", async () => {
    const { chunks, events } = await filtered(
      filterOf("NOTHING", false),
      wholeEvents(WHOLE),
      new MessagesUpstreamReader({ isWhole: true }),
    );
    expect(gathered(events)).toEqual(WHOLE);
    expect(signaturesOf(chunks)).toEqual([SIGNATURE]);
  });
});

describe("a filter with a match", () => {
  it("changes only the text that matched", async () => {
    const given = STREAMS.SEARCH.map((event) => {
      const text = JSON.stringify(event).replaceAll("It is 18", "It is SECRET-1").replaceAll("weather NYC", "SECRET-2");
      return JSON.parse(text) as MessageEvent;
    });
    const { events } = await filtered(filterOf("SECRET-\\d"), given);
    const [first, search, result, cited] = contentOf(STREAMS.SEARCH);
    expect(contentOf(events)).toEqual([
      first,
      { ...search, input: { query: "[S]" } },
      result,
      { ...cited, text: "It is [S]°C." },
    ]);
  });

  it.each([
    ["in thinking", ["Let SEC", "RET-1 be."], "ok", [{ thinking: "Let [S] be.", signature: "" }, { text: "ok" }], []],
    [
      "from thinking to text",
      ["Let it be SEC"],
      "RET-1 ok",
      [{ thinking: expect.not.stringContaining("SEC") as string, signature: "" }, {}],
      [],
    ],
    [
      "in text",
      ["Let it be."],
      "SECRET-1",
      [{ thinking: "Let it be.", signature: SIGNATURE }, { text: "[S]" }],
      [SIGNATURE],
    ],
  ])("%s leaves signatures only to thinking that it doesn't change", async (_name, thinking, text, content, signed) => {
    const { chunks, events } = await filtered(filterOf("SECRET-\\d"), thinkingStream(thinking, text));
    expect(contentOf(events)).toMatchObject(content);
    expect(signaturesOf(chunks)).toEqual(signed);
  });

  it("finds a value that continues in the next text", async () => {
    const text = (index: number, words: string): MessageEvent[] => [
      { type: "content_block_start", index, content_block: { type: "text", text: words.slice(0, 1) } },
      { type: "content_block_delta", index, delta: { type: "text_delta", text: words.slice(1) } },
      { type: "content_block_stop", index },
    ];
    const given = [start, ...text(0, "a SEC"), ...text(1, "RET-1 b"), ...end];
    const { events } = await filtered(filterOf("SECRET-\\d"), given);
    expect(contentOf(events)).toEqual([
      { type: "text", text: "a [S]" },
      { type: "text", text: "[S] b" },
    ]);
  });

  it("gives the same answer in any pieces", async () => {
    const piece = fc.constantFrom("SECRET-1", "SEC", "RET-", "2 ", " plain words ", "\n", "😀");
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 20 }),
        fc.array(piece, { maxLength: 20 }),
        fc.nat({ max: 9 }),
        async (thinking, said, size) => {
          const [whole, text] = [thinking.join(""), said.join("")];
          const split = whole.match(new RegExp(`[^]{1,${size + 1}}`, "gu")) ?? [];
          const [atOnce, streamed] = [filterOf("SECRET-\\d", false), filterOf("SECRET-\\d")];
          const one = await filtered(atOnce, thinkingStream([whole], text));
          const other = await filtered(streamed, thinkingStream(split, text));
          expect(contentOf(other.events)).toEqual(contentOf(one.events));
          expect(streamed.findings).toEqual(atOnce.findings);
          expect(asObject(contentOf(one.events)[0])?.["signature"]).toBe(
            contentOf(one.events)[0]?.["thinking"] === whole ? SIGNATURE : "",
          );
        },
      ),
      { numRuns: cases(30) },
    );
  });
});
