import { describe, expect, it } from "vitest";
import type { ResponseChunk, ResponseEvent } from "../protocols/response-chunk";
import { accumulate, calledOf, newAccumulated } from "../protocols/accumulate";
import { MessagesUpstreamReader } from "../protocols/messages/upstream-reader";
import { wholeEvents } from "../protocols/messages/whole-events";
import { gatheredMessage, gatherMessage, type GatheredMessage } from "../protocols/messages/whole-message";
import { ResponsesUpstreamReader } from "../protocols/responses/upstream-reader";
import { heldResponse } from "./held-response";

const accumulated = (chunks: readonly ResponseChunk[]) => {
  const sum = newAccumulated();
  for (const chunk of chunks) accumulate(sum, chunk);
  return sum;
};
const changed = (chunks: readonly ResponseChunk[], change: (text: string) => string) => {
  const { leaves, written } = heldResponse(chunks);
  return written(leaves.map((leaf) => ({ ...leaf, text: change(leaf.text) })));
};

describe("a held chat completion", () => {
  const chunks: ResponseChunk[] = [
    { id: "chatcmpl-1", choices: [{ index: 0, delta: { reasoning: "think" }, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: "hello Ada" }, finish_reason: null }] },
    {
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              { index: 0, id: "call_1", type: "function", function: { name: "mail", arguments: '{"to":"Ada"}' } },
            ],
            annotations: [{ type: "url_citation", ada: "Ada" }],
          },
          finish_reason: "stop",
        },
      ],
    },
  ];

  it("has every text with its place in the answer, and no words of the server", () =>
    expect(heldResponse(chunks).leaves.map(({ path, text, form }) => `${path.join(".")} ${form} ${text}`)).toEqual([
      "choices.0.message.reasoning text think",
      "choices.0.message.content text hello Ada",
      "choices.0.message.tool_calls.0.function.name text mail",
      'choices.0.message.tool_calls.0.function.arguments json {"to":"Ada"}',
      "choices.0.message.annotations.0.ada name ada",
      "choices.0.message.annotations.0.ada text Ada",
    ]));

  it("is written with new texts, and shared without any", () => {
    const { content, reasoning, toolCalls } = accumulated(changed(chunks, (text) => text.replace("Ada", "[X]")));
    expect({ content, reasoning, call: toolCalls[0]?.function }).toEqual({
      content: "hello [X]",
      reasoning: "think",
      call: { name: "mail", arguments: '{"to":"[X]"}' },
    });
    expect(changed(chunks, (text) => text)).toEqual(chunks);
  });
});

describe("a held Responses stream", () => {
  const place = { output_index: 0, item_id: "fc_1" };
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "mail", arguments: '{"to":"Ada"}' };
  const events: ResponseEvent[] = [
    { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
    { type: "response.function_call_arguments.delta", ...place, delta: '{"to":"Ada"}' },
    { type: "response.function_call_arguments.done", ...place, arguments: '{"to":"Ada"}' },
    { type: "response.tomorrow", output_index: 0, note: "Ada" },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r", status: "completed", output: [item] } },
  ];
  const reader = new ResponsesUpstreamReader();
  const chunks = events.flatMap((event) => reader.read(event));

  it("has each text once, with the form of its strictest place", () =>
    expect(
      heldResponse(chunks)
        .leaves.filter(({ text }) => text.includes("Ada"))
        .map(({ path, text, form }) => `${path.join(".")} ${form} ${text}`),
    ).toEqual(['output.0.function_call_arguments json {"to":"Ada"}', "output.0.note text Ada"]));

  it("is written in every event and in the chunks that are read from them", () => {
    const written = changed(chunks, (text) => text.replaceAll("Ada", "[X]"));
    expect(JSON.stringify(written)).not.toContain("Ada");
    expect(written.map(({ responseEvent }) => responseEvent?.type)).toEqual(events.map(({ type }) => type));
    expect(accumulated(written).toolCalls.map((call) => calledOf(call).words)).toEqual(['{"to":"[X]"}']);
  });
});

describe("a held message", () => {
  const reader = new MessagesUpstreamReader();
  const chunks = wholeEvents({
    id: "msg_1",
    model: "Ada",
    content: [
      { type: "thinking", thinking: "Who is Ada?", signature: "c2lnbmF0dXJl" },
      { type: "thinking", thinking: "Who?", signature: "c2lnbmVk" },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Ada" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ title: "Ada's page" }] },
      { type: "text", text: "hello Ada", citations: [{ type: "web_search_result_location", cited_text: "Ada" }] },
    ],
    stop_reason: "end_turn",
  }).flatMap((event) => reader.read(event));
  const content = (given: readonly ResponseChunk[]) => {
    let sum: GatheredMessage | null = null;
    for (const { messageEvent } of given) if (messageEvent) sum = gatherMessage(sum, messageEvent);
    return sum && gatheredMessage(sum)["content"];
  };

  it("has every text with its place in the message, without the fields that Signalbox sets", () =>
    expect(
      heldResponse(chunks)
        .leaves.filter(({ text }) => text.includes("Ada"))
        .map(({ path, text, form }) => `${path.join(".")} ${form} ${text}`),
    ).toEqual([
      "content.0.thinking text Who is Ada?",
      'content.2.input json {"query":"Ada"}',
      "content.3.content.0.title text Ada's page",
      "content.4.text text hello Ada",
      "content.4.citation.cited_text text Ada",
    ]));

  it("is written with new texts, and without the signature of thinking that they change", () => {
    const written = changed(chunks, (text) => text.replaceAll("Ada", "[X]"));
    expect(content(written)).toEqual([
      { type: "thinking", thinking: "Who is [X]?", signature: "" },
      { type: "thinking", thinking: "Who?", signature: "c2lnbmVk" },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "[X]" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ title: "[X]'s page" }] },
      { type: "text", text: "hello [X]", citations: [{ type: "web_search_result_location", cited_text: "[X]" }] },
    ]);
    expect(accumulated(written).content).toBe("hello [X]");
    expect(changed(chunks, (text) => text)).toEqual(chunks);
  });
});
