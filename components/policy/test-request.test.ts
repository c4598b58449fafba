import { describe, expect, it } from "vitest";
import { isIn, requestOf, sentMessages } from "./test-request";

const messages = [
  { role: "system", content: "Be kind" },
  { role: "user", content: "Hello" },
];

it("makes a body of either protocol, whose texts stand where spans say", () => {
  expect(requestOf("responses", "m", messages)).toEqual({ model: "m", input: messages });
  expect(requestOf("chat_completions", "m", messages)).toEqual({ model: "m", messages });
  expect([
    isIn(["input", 1, "content"], 1),
    isIn(["messages", 0, "content", 0, "text"], 0),
    isIn(["input", 1, "content"], 0),
    isIn(["instructions"], 0),
  ]).toEqual([true, true, false, false]);
});

describe("sentMessages", () => {
  it("reads texts and parts of both protocols", () => {
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
    expect(sentMessages({ input: "Hello" })).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("leaves out what has no text", () => {
    expect(sentMessages({ input: [{ type: "item_reference", id: "x" }, null] })).toEqual([]);
    expect(sentMessages({})).toEqual([]);
  });
});
