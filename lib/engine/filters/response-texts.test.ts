import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePieces } from "../protocols/merge-pieces";
import { responseTexts, withoutLogprobs } from "./response-texts";

const found = (value: unknown) =>
  [...responseTexts(value)].map(
    ({ path, text, form }) => `${path.join(".")}=${text}${form === "text" ? "" : ` [${form}]`}`,
  );

describe("responseTexts", () => {
  it("are all strings and names that the protocols don't define", () => {
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
    ).toMatchInlineSnapshot(`
      [
        "id=chatcmpl-1",
        "object=chat.completion.chunk",
        "model=openai/gpt-5",
        "citations.0=https://a.example",
        "choices.0.finish_reason=tool_calls",
        "choices.0.delta.content=c",
        "choices.0.delta.tool_calls.0.id=call_1",
        "choices.0.delta.tool_calls.0.function.name=mail",
        "choices.0.delta.tool_calls.0.function.arguments={} [json]",
        "choices.0.delta.audio.id=a",
        "choices.0.delta.audio.data=UklG [media]",
        "choices.0.delta.audio.transcript=transcript [name]",
        "choices.0.delta.audio.transcript=t",
        "choices.0.delta.images=images [name]",
        "choices.0.delta.images.0.image_url.url=data:image/png;base64,iVBO [media]",
        "choices.0.delta.tomorrow=tomorrow [name]",
        "choices.0.delta.tomorrow.deep=deep [name]",
        "choices.0.delta.tomorrow.deep.0=x",
      ]
    `);
  });

  it("are long numbers, ids of any length, and everything that only claims to be encrypted", () => {
    const id = "msg_68af4030baa48193b0b43b4c2a176a1a";
    const sealed = Buffer.from(Array.from({ length: 96 }, (_, index) => (index * 37) % 256)).toString("base64");
    expect(
      found({
        type: "reasoning",
        id,
        item_id: "PROJECT-FALCON",
        call_id: id,
        encrypted_content: sealed,
        signature: "PROJECT-FALCON",
        data: { title: 4111111111111111, index: 12 },
        usage: { total_tokens: 12345678 },
      }),
    ).toEqual([
      `id=${id}`,
      "item_id=PROJECT-FALCON",
      `call_id=${id}`,
      "signature=PROJECT-FALCON",
      "data.title=4111111111111111 [number]",
    ]);
  });

  it("leave out what the vendor encrypted by place and type, and not by name", () => {
    const sealed = "PROJECT-FALCON.card.4111-1111-1111-1111.please_remember_this_for_later_use";
    const detail = { type: "reasoning.encrypted", data: sealed };
    const given = {
      output: [
        { type: "reasoning", encrypted_content: sealed },
        { type: "message", content: [{ type: "output_text", data: sealed, signature: sealed }] },
      ],
      item: { type: "compaction", encrypted_content: sealed },
      content_block: { type: "tool_use", input: { ...detail, signature: sealed, nested: [detail] } },
      delta: { type: "signature_delta", signature: sealed },
      reasoning_details: [detail, { type: "reasoning.text", text: "t", signature: sealed, data: sealed }],
      tool_calls: [{ extra_content: { google: { thought_signature: sealed } }, thought_signature: sealed }],
      encrypted_content: sealed,
    };
    expect([...responseTexts(given)].filter(({ text }) => text === sealed).map(({ path }) => path.join("."))).toEqual([
      "output.1.content.0.data",
      "output.1.content.0.signature",
      "content_block.input.data",
      "content_block.input.signature",
      "content_block.input.nested.0.data",
      "reasoning_details.1.data",
      "tool_calls.0.thought_signature",
      "encrypted_content",
    ]);
  });

  it("are read as media only where an answer has media", () => {
    const url = "data:image/png;base64,iVBO";
    expect(
      found({
        content_block: { type: "tool_use", input: { url, data: "iVBO", result: "iVBO" } },
        item: { type: "image_generation_call", result: "iVBO" },
        text: url,
      }).filter((text) => text.includes("iVBO")),
    ).toEqual([
      `content_block.input.url=${url}`,
      "content_block.input.data=iVBO",
      "content_block.input.result=iVBO",
      "item.result=iVBO [media]",
      `text=${url}`,
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
        expect([...responseTexts(given)].map(({ text }) => text).filter((text) => text.includes(" "))).toEqual(
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
