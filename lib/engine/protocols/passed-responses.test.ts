import { describe, expect, it } from "vitest";
import { collected, heading, plain, relayed, SET_IN_USAGE, without } from "../../testing/lossless";
import { chatCompletion, chatStreamEncoder } from "./chat/stream-encoder";
import { ChatMessage } from "./contracts/chat-messages-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import { responsesStreamEncoder } from "./responses/stream-encoder";
import { OWN_OF_COMPLETION } from "./vocabulary";

type Body = Record<string, unknown>;

const same = { ...heading, isSameProtocol: true };
const usage = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const asSent = (given: Body): Body => {
  const { usage: counted, ...rest } = without(given, OWN_OF_COMPLETION);
  return counted
    ? { ...rest, usage: without(counted, SET_IN_USAGE) }
    : { ...rest, ...("usage" in given && { usage: null }) };
};

describe("a whole chat completion", () => {
  const passed = async (given: Body) => {
    const { accumulated, receipt } = await collected(given, "chat_completions");
    return asSent(plain(chatCompletion(same, accumulated, receipt)));
  };
  const completion = (message: Body, more: Body = {}) => ({
    id: "c",
    object: "chat.completion",
    created: 5,
    model: "m",
    system_fingerprint: "fp",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "hi", refusal: null, ...message },
        finish_reason: "stop",
        native_finish_reason: "stop",
        logprobs: null,
      },
    ],
    usage,
    ...more,
  });

  it.each<[string, Body]>([
    ["annotations without an entry", completion({ annotations: [] })],
    [
      "null for everything that isn't there",
      completion({ annotations: null, audio: null, function_call: null, reasoning_content: null, tool_calls: null }),
    ],
    ["an empty list of calls", completion({ tool_calls: [] })],
    ["a service tier of null", completion({}, { service_tier: null })],
    ["log probabilities without an entry", completion({}, { system_fingerprint: null })],
    [
      "the index and an empty content beside calls",
      completion({
        content: "",
        tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      }),
    ],
    ["a call without a type", completion({ tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] })],
  ])("keeps %s", async (_name, given) => {
    expect(await passed(given)).toEqual(asSent(given));
  });

  it("gets what clients rely on: ids of calls, arguments as text", async () => {
    const given = completion({ content: null, tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] });
    const [choice] = (await passed(given))["choices"] as { message: Body }[];
    expect(choice?.message["tool_calls"]).toEqual([
      { id: expect.stringMatching(/^call_/), function: { name: "f", arguments: '{"a":1}' } },
    ]);
  });

  it("has calls without a type that the next request may send back", () => {
    const call = { id: "a", function: { name: "f", arguments: "{}" } };
    const message = { role: "assistant", content: "", tool_calls: [call] };
    expect(ChatMessage.parse(message)).toEqual(message);
  });
});

describe("a chat completion stream", () => {
  const chunk = (choices: Body[], more: Body = {}) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 5,
    model: "m",
    service_tier: "default",
    system_fingerprint: null,
    obfuscation: "xy",
    choices,
    ...more,
  });
  const delta = (words: Body, finish_reason: string | null = null) => ({ index: 0, delta: words, finish_reason });
  const call = (fields: Body) => ({ tool_calls: [{ index: 0, ...fields }] });
  const streamed = async (events: readonly Body[], includesUsage = true) =>
    (await relayed(events, chatStreamEncoder(same, { includesUsage, echo: null }), "chat_completions")).map(asSent);

  it.each<[string, Body[]]>([
    [
      "usage with every field of its own chunk",
      [chunk([delta({ role: "assistant", content: "a" }, "stop")], { usage: null }), chunk([], { usage })],
    ],
    [
      "usage in the last chunk of the answer, without a further chunk",
      [chunk([delta({ role: "assistant", content: "a" })]), chunk([delta({ content: "" }, "stop")], { usage })],
    ],
    [
      "usage so far in every chunk",
      [
        chunk([delta({ role: "assistant", content: "a" })], { usage }),
        chunk([delta({ role: "assistant", content: "b" })], { usage }),
        chunk([delta({}, "stop")], { usage }),
      ],
    ],
    [
      "calls without a type, and what later pieces repeat",
      [
        chunk([
          delta({ role: "assistant", content: "", ...call({ id: "a", function: { name: "f", arguments: "{" } }) }),
        ]),
        chunk([
          delta({ role: "assistant", ...call({ id: "", type: "function", function: { name: "", arguments: "}" } }) }),
        ]),
        chunk([delta({ tool_calls: [], annotations: [] }, "tool_calls")], { usage }),
      ],
    ],
  ])("keeps %s", async (_name, events) => {
    expect(await streamed(events)).toEqual(events.map(asSent));
  });

  it("has no usage that the request didn't ask for", async () => {
    const events = [chunk([delta({ role: "assistant", content: "a" }, "stop")], { usage: null }), chunk([], { usage })];
    expect(await streamed(events, false)).toEqual([asSent(without(events[0], ["usage"]))]);
  });
});

describe("a Responses stream", () => {
  const body = ResponsesBody.parse({ model: "acme/one", input: "hi" });
  const response = {
    id: "resp_1",
    object: "response",
    status: "in_progress",
    model: "theirs",
    output: [],
    reasoning: { effort: "medium", summary: "detailed" },
    content_filters: [{ blocked: false, source_type: "prompt" }],
    moderation: { results: [] },
    tool_usage: { web_search: { num_requests: 0 } },
    usage: null,
  };
  const events: Body[] = [
    { type: "response.created", response, vendor: 1 },
    { type: "response.in_progress", response },
    { type: "response.brand_new", note: 1 },
    { type: "response.completed", response: { ...response, status: "completed" }, copilot_usage: { total: 3 } },
  ];
  const streamed = async (given: readonly Body[]) =>
    relayed(given, responsesStreamEncoder(same, body, null), "responses");
  const passed = { reasoning: response.reasoning, content_filters: response.content_filters };

  it("begins and ends with the events as sent, but for what Signalbox sets", async () => {
    const shown = await streamed(events);
    expect(shown.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    const own = { id: heading.id, model: heading.model };
    const fields = { ...passed, moderation: response.moderation, tool_usage: response.tool_usage };
    for (const event of [shown[0], shown[1], shown[3]])
      expect(event?.["response"]).toMatchObject({ ...fields, ...own });
    expect(shown[0]).toMatchObject({ vendor: 1, sequence_number: 0 });
    expect(shown[3]).toMatchObject({ copilot_usage: { total: 3 }, sequence_number: 3 });
  });

  it("begins with events of Signalbox if the upstream sends none", async () => {
    const shown = await streamed(events.slice(2));
    expect(shown.map(({ type }) => type).slice(0, 3)).toEqual([
      "response.created",
      "response.in_progress",
      "response.brand_new",
    ]);
  });
});
