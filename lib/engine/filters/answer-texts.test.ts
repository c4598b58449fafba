import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerTexts, mergePieces, withoutLogprobs } from "./answer-texts";

const found = (value: unknown) =>
  [...answerTexts(value)].map(
    ({ path, text, form }) => `${path.join(".")}=${text}${form === "text" ? "" : ` [${form}]`}`,
  );

describe("answerTexts", () => {
  it("are all strings but those that the upstream's server sets", () => {
    expect(
      found({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        model: "openai/gpt-5",
        citations: ["https://a.example"],
        choices: [
          {
            finish_reason: "tool_calls",
            delta: {
              role: "assistant",
              content: "c",
              tool_calls: [{ id: "call_1", type: "function", function: { name: "mail", arguments: "{}" } }],
              audio: { id: "a", data: "UklG", transcript: "t" },
              images: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } }],
              tomorrow: { deep: ["x"] },
            },
          },
        ],
      }),
    ).toEqual([
      "citations.0=https://a.example",
      "choices.0.delta.content=c",
      "choices.0.delta.tool_calls.0.function.name=mail",
      "choices.0.delta.tool_calls.0.function.arguments={} [json]",
      "choices.0.delta.audio.data=UklG [media]",
      "choices.0.delta.audio.transcript=t",
      "choices.0.delta.images.0.image_url.url=data:image/png;base64,iVBO [media]",
      "choices.0.delta.tomorrow.deep.0=x",
    ]);
  });

  it("include every string with a space, under any name", () => {
    const stringsIn = (value: unknown): string[] =>
      typeof value === "string"
        ? [value]
        : typeof value === "object" && value !== null
          ? Object.values(value).flatMap(stringsIn)
          : [];
    const key = fc.constantFrom("id", "type", "status", "model", "text", "arguments", "result", "signature", "other");
    const value = fc.object({ key, values: [fc.constantFrom("two words", "word", "", 7, null)], withDate: false });
    fc.assert(
      fc.property(value, (given) => {
        expect([...answerTexts(given)].map(({ text }) => text).filter((text) => text.includes(" "))).toEqual(
          stringsIn(given).filter((text) => text.includes(" ")),
        );
      }),
    );
  });
});

it("mergePieces joins the pieces of streamed fields by index and type", () => {
  const pieces = [
    { reasoning_details: [{ type: "reasoning.text", index: 0, text: "ha", format: "f" }], annotations: [{ url: "a" }] },
    { reasoning_details: [{ type: "reasoning.text", index: 0, text: "ha", format: "f" }], annotations: [{ url: "a" }] },
    { reasoning_details: [{ type: "reasoning.encrypted", index: 0, data: "x" }], role: "assistant" },
  ];
  expect(pieces.reduce<unknown>((sum, piece) => mergePieces(sum, piece), {})).toEqual({
    reasoning_details: [
      { type: "reasoning.text", index: 0, text: "haha", format: "f" },
      { type: "reasoning.encrypted", index: 0, data: "x" },
    ],
    annotations: [{ url: "a" }, { url: "a" }],
    role: "assistant",
  });
});

it("withoutLogprobs removes log probabilities, whose tokens spell the text", () => {
  expect(withoutLogprobs({ parts: [{ text: "a", logprobs: [{ token: "a" }] }], logprobs: { content: [] } })).toEqual({
    parts: [{ text: "a", logprobs: [] }],
    logprobs: null,
  });
});
