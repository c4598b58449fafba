import { describe, expect, it } from "vitest";
import type { FilterAction, FilterRule } from "../../engine/filters/filter-rule";
import { filterInput } from "./filter-service";

const limits = {
  timeoutMs: 20_000,
  workers: 1,
  signal: new AbortController().signal,
  owner: { organizationId: "organization", subject: "key" },
};
const rulesOf = (action: FilterAction): FilterRule[] =>
  [["credit-card", "[CARD]"] as const, ["email", "[EMAIL]"] as const, ["person-name", "[NAME]"] as const].map(
    ([slug, label]) => ({
      detector: { kind: "builtin", slug },
      action,
      label,
      scanScope: "all_messages",
      sources: [],
    }),
  );

/** The history of a conversation with a tool call, in each protocol. */
const HISTORIES = {
  chat_completions: (text: string, input: object) => ({
    messages: [
      { role: "user", content: "Pay" },
      {
        role: "assistant",
        content: text,
        tool_calls: [
          { id: "call_0", type: "function", function: { name: "now", arguments: "{}" } },
          { id: "call_1", type: "function", function: { name: "pay", arguments: JSON.stringify(input) } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "done" },
    ],
  }),
  responses: (text: string, input: object) => ({
    input: [
      { role: "user", content: "Pay" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
      { type: "function_call", call_id: "call_0", name: "now", arguments: "{}" },
      { type: "function_call", call_id: "call_1", name: "pay", arguments: JSON.stringify(input) },
      { type: "function_call_output", call_id: "call_1", output: "done" },
    ],
  }),
  messages: (text: string, input: object) => ({
    messages: [
      { role: "user", content: "Pay" },
      {
        role: "assistant",
        content: [
          { type: "text", text },
          { type: "tool_use", id: "toolu_0", name: "now", input: {} },
          { type: "tool_use", id: "toolu_1", name: "pay", input },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }] },
    ],
  }),
};
const PROTOCOLS = ["chat_completions", "responses", "messages"] as const;

const filtered = async (protocol: (typeof PROTOCOLS)[number], text: string, input: object, action: FilterAction) =>
  filterInput({ protocol, body: HISTORIES[protocol](text, input) }, rulesOf(action), limits);

const TEXT = "Charge the card 4111 1111";
const INPUT = { city: "Oslo", list: [{ rest: '1111 1111 "now"' }] };

describe.each(PROTOCOLS)("a value split between a text and the arguments of a call in a request: %s", (protocol) => {
  const expecting = HISTORIES[protocol];

  it("is redacted in both, and the arguments stay valid", async () => {
    const { body, findings } = await filtered(protocol, TEXT, INPUT, "redact");
    expect(body).toEqual(expecting("Charge the card [CARD]", { city: "Oslo", list: [{ rest: '[CARD] "now"' }] }));
    expect(findings.map(({ rule, spans }) => [rule.label, spans.length])).toEqual([["[CARD]", 2]]);
  });

  it("blocks the request", async () => {
    expect(await filtered(protocol, TEXT, INPUT, "block")).toMatchObject({ outcome: "blocked" });
  });

  it("is found where the rest is a number, and where it is a word", async () => {
    const number = await filtered(protocol, "Charge the card 41111111", { rest: 11_111_111 }, "redact");
    expect(number.body).toEqual(expecting("Charge the card [CARD]", { rest: "[CARD]" }));
    const word = await filtered(protocol, "Write to ada.lovelace@exam", { to: "ple.com" }, "redact");
    expect(word.body).toEqual(expecting("Write to [EMAIL]", { to: "[EMAIL]" }));
  });

  it.each<[string, string, object]>([
    ["values that are complete", "Your order is 4111", { count: 1111, other: "1111" }],
    ["plain words", "Let me read it:", { path: "src/index.ts" }],
  ])("leaves %s as they are", async (_, text, input) => {
    const { body, outcome } = await filtered(protocol, text, input, "redact");
    expect(body).toEqual(expecting(text, input));
    expect(outcome).toBe("allowed");
  });
});

it("finds the rest in a chat message whose content follows its calls", async () => {
  const [user, { content, ...assistant } = { content: "" }] = HISTORIES.chat_completions(TEXT, INPUT).messages;
  const body = { messages: [user, { ...assistant, content }] };
  const { body: sent } = await filterInput({ protocol: "chat_completions", body }, rulesOf("redact"), limits);
  expect(JSON.stringify(sent)).not.toContain("1111");
});

it("finds the rest in the arguments of a later batch", async () => {
  const parts = Array.from({ length: 1100 }, () => ({ type: "text", text: "so" }));
  const call = { type: "function", function: { name: "pay", arguments: JSON.stringify(INPUT) } };
  const body = {
    messages: [
      { role: "user", content: parts.slice(0, 998) },
      { role: "assistant", content: TEXT, tool_calls: [{ id: "call_1", ...call }] },
    ],
  };
  const { body: sent } = await filterInput({ protocol: "chat_completions", body }, rulesOf("redact"), limits);
  expect(JSON.stringify(sent)).not.toContain("1111 1111 ");
});
