import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResponseChunk, ResponseEvent } from "../../engine/protocols/response-chunk";
import { accumulate, calledOf, newAccumulated } from "../../engine/protocols/accumulate";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { MessagesUpstreamReader } from "../../engine/protocols/messages/upstream-reader";
import { itemEvents } from "../../engine/protocols/responses/item-events";
import { ResponsesUpstreamReader } from "../../engine/protocols/responses/upstream-reader";
import { ResponseBlocked } from "../../engine/filters/response-blocked";
import { responseFilter } from "../../testing/response-filter";
import { cases } from "../../testing/random";
import type { FilterAction } from "../../engine/filters/filter-rule";
import type { ResponseFilter } from "./response-filter-service";

const LABELS = { "credit-card": "[CARD]", email: "[EMAIL]", "person-name": "[NAME]" } as const;
const filterOf = (action: FilterAction, isStreamed: boolean) =>
  responseFilter(
    (["credit-card", "email", "person-name"] as const).map((slug) => ({
      detector: { kind: "builtin", slug },
      action,
      label: LABELS[slug],
    })),
    isStreamed,
  );

async function filtered(filter: ResponseFilter, chunks: readonly ResponseChunk[]) {
  const released: ResponseChunk[] = [];
  const given = (async function* () {
    yield* await Promise.resolve(chunks);
  })();
  const error = await (async () => {
    for await (const chunk of filter.apply(given)) released.push(chunk);
    return null;
  })().catch((reason: unknown) => {
    if (reason instanceof ResponseBlocked) return reason;
    throw reason;
  });
  const sum = newAccumulated();
  for (const chunk of released) accumulate(sum, chunk);
  const events = released.flatMap(({ responseEvent }) => responseEvent ?? []);
  return { released, sum, events, error };
}

const split = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

/** A message's texts as [field, text], each in pieces. */
type Said = readonly ["reasoning" | "content" | "refusal", string];
const chat = (said: readonly Said[], size: number): ResponseChunk[] => {
  const reader = new ChatUpstreamReader();
  return [
    ...said
      .flatMap(([field, text]) => split(text, size).map((piece) => ({ [field]: piece })))
      .map((delta) => ({
        choices: [{ index: 0, delta }],
      })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ].flatMap((event) => reader.read(event));
};

/** Items of a message's parts, or "tool" for a call between them. */
type Items = readonly (readonly string[] | "tool")[];
const itemsOf = (items: Items) =>
  items.map((item, index) =>
    item === "tool"
      ? { type: "web_search_call", id: `item${index}`, status: "completed" }
      : {
          type: "message",
          id: `item${index}`,
          role: "assistant",
          status: "completed",
          content: item.map((text) => ({ type: "output_text", text, annotations: [], logprobs: [] })),
        },
  );
const responses = (items: Items, size: number): ResponseChunk[] => {
  const output = itemsOf(items);
  const reader = new ResponsesUpstreamReader();
  const events: ResponseEvent[] = output
    .flatMap((item, index) => itemEvents(item as never, index))
    .flatMap((event) =>
      typeof event["delta"] === "string" ? split(event["delta"], size).map((delta) => ({ ...event, delta })) : [event],
    );
  return [...events, { type: "response.completed", response: { id: "r", status: "completed", output } }].flatMap(
    (event) => reader.read(event),
  );
};
const partsOf = ({ events }: { events: readonly ResponseEvent[] }) => {
  const { output } = events.at(-1)?.["response"] as { output: { content?: { text: string }[] }[] };
  return output.map(({ content = [] }) => content.map(({ text }) => text));
};
/** The texts of the deltas, by part. */
const deltasOf = ({ events }: { events: readonly ResponseEvent[] }) => {
  const parts = new Map<string, string>();
  for (const { type, delta, output_index, content_index } of events)
    if (type === "response.output_text.delta") {
      const key = `${String(output_index)}.${String(content_index)}`;
      parts.set(key, (parts.get(key) ?? "") + String(delta));
    }
  return Object.fromEntries(parts);
};

const LONG = "Nothing to see here, just words. ".repeat(40);

describe("a value split over texts of a chat completion", () => {
  it.each<[string, readonly Said[], Partial<Record<"reasoning" | "content" | "refusal", string>>]>([
    [
      "reasoning and content",
      [
        ["reasoning", `${LONG}the card 4111 1111`],
        ["content", `1111 1111 is theirs. ${LONG}`],
      ],
      { reasoning: `${LONG}the card [CARD]`, content: `[CARD] is theirs. ${LONG}` },
    ],
    [
      "three short texts",
      [
        ["reasoning", "4111 1111"],
        ["content", "1111"],
        ["refusal", "1111"],
      ],
      { reasoning: "[CARD]", content: "[CARD]", refusal: "[CARD]" },
    ],
    [
      "a word in two",
      [
        ["reasoning", "write to ada.lovelace@exam"],
        ["content", "ple.com today"],
      ],
      { reasoning: "write to [EMAIL]", content: "[EMAIL] today" },
    ],
    [
      "but not a value that is complete",
      [
        ["reasoning", "4111 1111 1111 1111"],
        ["content", "1111 apples"],
      ],
      { reasoning: "[CARD]", content: "1111 apples" },
    ],
  ])("is redacted in each: %s", async (_, said, expected) => {
    for (const size of [1, 7, 10_000])
      for (const isStreamed of [true, false]) {
        const { sum } = await filtered(filterOf("redact", isStreamed), chat(said, size));
        const { reasoning, content, refusal } = sum;
        expect({ reasoning, content, refusal }).toEqual({ reasoning: "", content: "", refusal: "", ...expected });
      }
  });

  it("releases the first text up to its end while the next one is unknown", async () => {
    const filter = filterOf("redact", true);
    const given = chat(
      [
        ["reasoning", LONG],
        ["content", "so"],
      ],
      20,
    );
    let sent = "";
    const taken = (async function* () {
      for (const chunk of given.slice(0, -2)) yield await Promise.resolve(chunk);
      expect(LONG.length - sent.length).toBeLessThan(1024);
      expect(LONG.length - sent.length).toBeGreaterThanOrEqual(160);
      yield* given.slice(-2);
    })();
    for await (const { choices } of filter.apply(taken)) sent += choices[0]?.delta.reasoning ?? "";
    expect(sent).toBe(LONG);
  });
});

describe("a value split over parts of a Responses answer", () => {
  it.each<[string, Items, string[][]]>([
    ["two parts", [["the card 4111 1111", "1111 1111 is theirs"]], [["the card [CARD]", "[CARD] is theirs"]]],
    ["two items", [["the card 4111 1111"], ["1111 1111 is theirs"]], [["the card [CARD]"], ["[CARD] is theirs"]]],
    ["a name in two parts", [["This is Ada", "Lovelace speaking"]], [["This is [NAME]", "[NAME] speaking"]]],
    [
      "equal texts, one of which is split",
      [["4111 1111"], ["1111 1111"], "tool", ["1111 1111"]],
      [["[CARD]"], ["[CARD]"], [], ["[CARD]"]],
    ],
    [
      "but not across the call of a tool",
      [["the card 4111 1111"], "tool", ["1111 1111 is theirs"]],
      [["the card 4111 1111"], [], ["1111 1111 is theirs"]],
    ],
  ])("is redacted in each: %s", async (_, items, expected) => {
    for (const size of [1, 7, 10_000])
      for (const isStreamed of [true, false]) {
        const outcome = await filtered(filterOf("redact", isStreamed), responses(items, size));
        expect(partsOf(outcome)).toEqual(expected);
        if (!expected.flat().includes("[CARD]") || items.includes("tool")) continue;
        const done = outcome.events.filter(({ type }) => type === "response.output_text.done").map(({ text }) => text);
        expect(done).toEqual(expected.flat());
        expect(Object.values(deltasOf(outcome))).toEqual(expected.flat());
      }
  });

  it("keeps the order of the events", async () => {
    const given = responses([["the card 4111 1111"], ["1111 1111"], "tool", [LONG]], 9);
    const { events } = await filtered(filterOf("redact", true), given);
    const kinds = (list: readonly ResponseEvent[]) =>
      list.map(({ type, output_index }) => `${type} ${String(output_index)}`).filter((kind) => !kind.includes("delta"));
    expect(kinds(events)).toEqual(kinds(given.flatMap(({ responseEvent }) => responseEvent ?? [])));
  });

  it("is blocked before its second part leaves", async () => {
    const given = responses([[`${LONG}the card 4111 1111`], [`1111 1111 ${LONG}`]], 9);
    const { error, released } = await filtered(filterOf("block", true), given);
    expect(error).toMatchObject({ error: { status: 403 } });
    expect(JSON.stringify(released)).not.toContain("4111");
  });
});

const words = fc.constantFrom(
  "4111 1111 1111 1111",
  "4111 1111",
  " 1111 1111",
  "4111",
  "1111",
  "ann@example.com",
  "ann@exam",
  "ple.com",
  "Ada",
  " Lovelace",
  " plain words, ",
  LONG.slice(0, 330),
  "\n",
  "😀",
);
const text = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const sizes = fc.integer({ min: 1, max: 200 });

describe("any chunking gives the verdict of the whole", () => {
  it.each(["redact", "block", "flag"] as const)("of a chat completion: %s", async (action) => {
    const field = fc.constantFrom("reasoning" as const, "content" as const, "refusal" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, text), { minLength: 1, maxLength: 4 }), sizes, async (said, size) => {
        // Each field once: a whole response doesn't show how its fields were interleaved.
        const order = (["reasoning", "content", "refusal"] as const).flatMap((name): Said[] => {
          const own = said.filter(([one]) => one === name).map(([, one]) => one);
          return own.length > 0 ? [[name, own.join("")]] : [];
        });
        const [whole, streamed] = [filterOf(action, false), filterOf(action, true)];
        const atOnce = await filtered(whole, chat(order, 100_000));
        const pieces = await filtered(streamed, chat(order, size));
        expect(Boolean(pieces.error)).toBe(Boolean(atOnce.error));
        if (atOnce.error) return;
        expect(pieces.sum).toMatchObject({
          content: atOnce.sum.content,
          reasoning: atOnce.sum.reasoning,
          refusal: atOnce.sum.refusal,
        });
        expect(streamed.findings).toEqual(whole.findings);
      }),
      { numRuns: cases(40) },
    );
  });

  it.each(["redact", "block"] as const)("of a Responses answer: %s", async (action) => {
    const item = fc.oneof(
      { weight: 5, arbitrary: fc.array(text, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant("tool" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), sizes, async (items, size) => {
        const [whole, streamed] = [filterOf(action, false), filterOf(action, true)];
        const atOnce = await filtered(whole, responses(items, 100_000));
        const pieces = await filtered(streamed, responses(items, size));
        expect(Boolean(pieces.error)).toBe(Boolean(atOnce.error));
        if (atOnce.error) return;
        expect(partsOf(pieces)).toEqual(partsOf(atOnce));
        expect(deltasOf(pieces)).toEqual(deltasOf(atOnce));
        expect(streamed.findings).toEqual(whole.findings);
      }),
      { numRuns: cases(40) },
    );
  });
});

describe("a value that is split between the text of an answer and the arguments of a call", () => {
  const [TEXT, ARGUMENTS] = ["Charge the card 4111 1111", JSON.stringify({ city: "Oslo", rest: "1111 1111 now" })];
  const CALL = { type: "function_call", id: "fc", call_id: "c", name: "pay", status: "completed" };
  const readers = {
    chat: (size: number) => {
      const reader = new ChatUpstreamReader();
      const called = split(ARGUMENTS, size).map((piece) => ({
        tool_calls: [{ index: 0, function: { arguments: piece } }],
      }));
      const deltas = [
        ...split(TEXT, size).map((content) => ({ content })),
        { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "pay", arguments: "" } }] },
        ...called,
      ];
      const events = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
      return [...events, { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }].flatMap((event) =>
        reader.read(event),
      );
    },
    responses: (size: number) => {
      const reader = new ResponsesUpstreamReader();
      const message = { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: TEXT }] };
      const output = [message, { ...CALL, arguments: ARGUMENTS }];
      const events: ResponseEvent[] = output.flatMap((item, index) => itemEvents(item, index));
      const pieces = events.flatMap((event) =>
        typeof event["delta"] === "string"
          ? split(event["delta"], size).map((delta) => ({ ...event, delta }))
          : [event],
      );
      return [...pieces, { type: "response.completed", response: { id: "r", status: "completed", output } }].flatMap(
        (event) => reader.read(event),
      );
    },
    messages: (size: number) => {
      const reader = new MessagesUpstreamReader();
      const block = (index: number, start: object, deltas: object[]) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ];
      return [
        { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
        ...block(
          0,
          { type: "text", text: "" },
          split(TEXT, size).map((text) => ({ type: "text_delta", text })),
        ),
        ...block(
          1,
          { type: "tool_use", id: "t", name: "pay", input: {} },
          split(ARGUMENTS, size).map((partial_json) => ({ type: "input_json_delta", partial_json })),
        ),
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ].flatMap((event) => reader.read(event));
    },
  };
  const cases = (["chat", "responses", "messages"] as const).flatMap((protocol) =>
    [1, 7, 1000].map((size) => [protocol, size] as const),
  );

  it.each(cases)(
    "is redacted in the arguments, and in what is held of the text (%s, %i characters)",
    async (protocol, size) => {
      const { sum, events } = await filtered(filterOf("redact", true), readers[protocol](size));
      expect(sum.toolCalls.map((call) => calledOf(call).words)).toEqual([
        JSON.stringify({ city: "Oslo", rest: "[CARD] now" }),
      ]);
      expect(JSON.stringify(events)).not.toContain("1111 1111 now");
      // The text of a Responses item is released when its call begins.
      if (protocol !== "responses") expect(sum.content).toBe("Charge the card [CARD]");
    },
  );

  it.each(cases)("blocks the answer (%s, %i characters)", async (protocol, size) => {
    const { sum, error } = await filtered(filterOf("block", true), readers[protocol](size));
    expect(error).toBeInstanceOf(ResponseBlocked);
    expect(sum.toolCalls.map((call) => calledOf(call).words).join("")).not.toContain("1111");
  });
});
