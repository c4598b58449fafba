import { describe, expect, it } from "vitest";
import { API_TYPES } from "@/lib/engine/protocols/vocabulary";
import { isIn, requestOf, sentMessages, testProtocol } from "./test-request";

const messages = [
  { role: "system", content: "Be kind" },
  { role: "user", content: "Hello" },
];

it("builds a body in every protocol with texts at the paths of the spans", () => {
  expect(requestOf("responses", "m", messages)).toEqual({ model: "m", input: messages });
  for (const protocol of ["chat_completions", "messages"] as const)
    expect(requestOf(protocol, "m", messages)).toEqual({ model: "m", messages });
  expect([
    isIn(["input", 1, "content"], 1),
    isIn(["messages", 0, "content", 0, "text"], 0),
    isIn(["input", 1, "content"], 0),
    isIn(["instructions"], 0),
  ]).toEqual([true, true, false, false]);
});

it("tests recorded requests of every API as Responses or Chat Completions", () => {
  expect(API_TYPES.map(testProtocol)).toEqual(["responses", ...Array<string>(5).fill("chat_completions")]);
});

describe("sentMessages", () => {
  it("reads strings and parts in every protocol", () => {
    expect(sentMessages({ messages })).toEqual(messages);
    expect(
      sentMessages({
        instructions: "Be kind",
        input: [
          {
            type: "message",
            role: "user",
            content: [
              { type: "input_text", text: "Hel" },
              { type: "input_text", text: "lo" },
            ],
          },
        ],
      }),
    ).toEqual([
      { role: "system", content: "Be kind" },
      { role: "user", content: "Hel\nlo" },
    ]);
    const text = (words: string) => ({ type: "text", text: words });
    const blocks = { role: "user", content: [text("Hel"), text("lo")] };
    for (const system of ["Be kind", [text("Be"), text("kind")]])
      expect(sentMessages({ system, messages: [blocks] })).toEqual([
        { role: "system", content: typeof system === "string" ? "Be kind" : "Be\nkind" },
        { role: "user", content: "Hel\nlo" },
      ]);
    expect(sentMessages({ input: "Hello" })).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("omits items without text", () => {
    expect(sentMessages({ input: [{ type: "item_reference", id: "x" }, null] })).toEqual([]);
    expect(sentMessages({})).toEqual([]);
  });
});
