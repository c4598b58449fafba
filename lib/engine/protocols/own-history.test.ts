import { describe, expect, it } from "vitest";
import { type UpstreamProtocol, PROTOCOLS } from "./vocabulary";
import { endpointOf } from "../../testing/endpoints";
import { collected, heading, plain, relayedChunks } from "../../testing/lossless";
import { StrictConverseBody } from "../../testing/strict-converse";
import { StrictGenerateContentBody } from "../../testing/strict-generate-content";
import { StrictMessagesBody } from "../../testing/strict-messages";
import { StrictChatBody, StrictResponsesBody } from "../../testing/strict-upstream";
import type { Protocol } from "../endpoint";
import { accumulate, newAccumulated } from "./accumulate";
import { ChatUpstreamReader } from "./chat/upstream-reader";
import { chatCompletion, chatStreamEncoder } from "./chat/stream-encoder";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { MessagesBody } from "./contracts/messages-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import type { InferenceRequest } from "./inference-request";
import { completeMessage, messagesStreamEncoder } from "./messages/stream-encoder";
import { gatheredMessage, gatherMessage, type GatheredMessage } from "./messages/whole-message";
import { completeResponse, responsesStreamEncoder } from "./responses/stream-encoder";
import { unconvertible, upstreamRequest } from "./upstream-request";

type Body = Record<string, unknown>;

const ARGUMENTS = '{"city":"Rome"}';
const called = { name: "weather", arguments: ARGUMENTS };

/** What each upstream answers: reasoning, text and a call, with what it adds of its own. */
const ANSWERS: Record<UpstreamProtocol, Body> = {
  chat_completions: {
    id: "c",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: "Looking",
          reasoning: "hm",
          tool_calls: [{ id: "call_1", type: "function", function: called }],
        },
      },
    ],
  },
  responses: {
    id: "r",
    object: "response",
    status: "completed",
    output: [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "abc" },
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Looking" }] },
      { type: "function_call", id: "fc_1", call_id: "call_1", ...called },
    ],
  },
  messages: {
    id: "m",
    type: "message",
    role: "assistant",
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      { type: "thinking", thinking: "hm", signature: "EqQBCg" },
      { type: "redacted_thinking", data: "EmwK" },
      { type: "text", text: "Looking" },
      { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Rome" } },
    ],
  },
  generate_content: {
    responseId: "r",
    candidates: [
      {
        finishReason: "STOP",
        content: {
          role: "model",
          parts: [
            { text: "hm", thought: true },
            { text: "Looking", thoughtSignature: "dGV4dA==" },
            { functionCall: { name: "weather", args: { city: "Rome" } }, thoughtSignature: "c2ln" },
          ],
        },
      },
    ],
  },
  converse: {
    output: {
      message: {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "hm", signature: "c2VhbA==" } } },
          { text: "Looking" },
          { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Rome" } } },
        ],
      },
    },
    stopReason: "tool_use",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  },
};
const UPSTREAMS = Object.keys(ANSWERS) as UpstreamProtocol[];
const MODELS: Record<UpstreamProtocol, string> = {
  chat_completions: "their-model",
  responses: "their-model",
  messages: "claude-sonnet-4-5-20250929",
  generate_content: "gemini-3-pro-preview",
  converse: "anthropic.claude-sonnet-4-5",
};
const STRICT = {
  chat_completions: StrictChatBody,
  responses: StrictResponsesBody,
  messages: StrictMessagesBody,
  generate_content: StrictGenerateContentBody,
  converse: StrictConverseBody,
};

const parameters = { type: "object", properties: { city: { type: "string" } } };
const CHAT = ChatCompletionsBody.parse({
  messages: [{ role: "user", content: "hi" }],
  tools: [{ type: "function", function: { name: "weather", parameters } }],
});
const RESPONSES = ResponsesBody.parse({ input: "hi", tools: [{ type: "function", name: "weather", parameters }] });
const MESSAGES = MessagesBody.parse({
  max_tokens: 9,
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "weather", input_schema: parameters }],
});
const receipt = { costUsd: 0, completedAt: 2 };

/** Returns the assistant's turn of an answer in a protocol, whole or put together of its stream. */
const ANSWERED: Record<Protocol, (from: UpstreamProtocol, stream: boolean) => Promise<Body>> = {
  chat_completions: async (from, stream) => {
    if (!stream) {
      const { accumulated } = await collected(ANSWERS[from], from);
      return plain(chatCompletion(heading, accumulated, receipt).choices[0]?.message);
    }
    const reader = new ChatUpstreamReader();
    const sum = newAccumulated();
    for (const event of await relayedChunks(
      ANSWERS[from],
      chatStreamEncoder(heading, { includesUsage: true, echo: null }),
      from,
    ))
      for (const chunk of reader.read(event)) accumulate(sum, chunk);
    return plain(chatCompletion(heading, sum, receipt).choices[0]?.message);
  },
  responses: async (from, stream) => {
    if (!stream)
      return plain(completeResponse(heading, RESPONSES, (await collected(ANSWERS[from], from)).accumulated, receipt));
    const events = await relayedChunks(ANSWERS[from], responsesStreamEncoder(heading, RESPONSES, null), from);
    return events.at(-1)?.["response"] as Body;
  },
  messages: async (from, stream) => {
    if (!stream)
      return plain(completeMessage(heading, MESSAGES, (await collected(ANSWERS[from], from)).accumulated, receipt));
    let sum: GatheredMessage | null = null;
    for (const event of await relayedChunks(ANSWERS[from], messagesStreamEncoder(heading, MESSAGES, null), from))
      sum = gatherMessage(sum, event as { type: string });
    return gatheredMessage(sum ?? { message: {}, blocks: new Map(), inputs: new Map() });
  },
};

type Turn = readonly [kind: string, protocol: Protocol, request: (answer: Body) => object];
const callOf = (answer: Body) => (answer["tool_calls"] as Body[])[0]?.["id"];
/** Requests with the turn in their history, as SDKs put it there. */
const TURNS: readonly Turn[] = [
  [
    "the message of an answer, as OpenAI's SDK appends it",
    "chat_completions",
    (answer) => ({
      ...CHAT,
      messages: [...CHAT.messages, answer, { role: "tool", tool_call_id: callOf(answer), content: "18" }],
    }),
  ],
  [
    "a named message, as LangChain's agents send it",
    "chat_completions",
    (answer) => ({
      ...CHAT,
      messages: [
        ...CHAT.messages,
        { ...answer, name: "model" },
        { role: "tool", tool_call_id: callOf(answer), name: "weather", content: "18" },
      ],
    }),
  ],
  [
    "output items",
    "responses",
    (answer) => {
      const output = answer["output"] as Body[];
      const { call_id } = output.find(({ type }) => type === "function_call") ?? {};
      const result = { type: "function_call_output", call_id, output: "18" };
      return { ...RESPONSES, input: [{ role: "user", content: "hi" }, ...output, result] };
    },
  ],
  [
    "content blocks",
    "messages",
    (answer) => {
      const content = answer["content"] as Body[];
      const { id } = content.find(({ type }) => type === "tool_use") ?? {};
      const result = { type: "tool_result", tool_use_id: id, content: "18" };
      const turns = [
        { role: "assistant", content },
        { role: "user", content: [result] },
      ];
      return { ...MESSAGES, messages: [...MESSAGES.messages, ...turns] };
    },
  ],
];
const CONTRACT = { chat_completions: ChatCompletionsBody, responses: ResponsesBody, messages: MessagesBody };

it("has requests of every protocol", () => {
  expect(new Set(TURNS.map(([, protocol]) => protocol))).toEqual(new Set(PROTOCOLS));
});

describe.each(UPSTREAMS)("an answer of a %s upstream in the next request's history", (from) => {
  describe.each([false, true])("with stream %j", (stream) => {
    it.each(TURNS)("is accepted by the same upstream: %s", async (_kind, protocol, next) => {
      const body = CONTRACT[protocol].parse(next(await ANSWERED[protocol](from, stream)));
      const request = { protocol, body } as InferenceRequest;
      const endpoint = endpointOf({
        provider: { protocol: from },
        upstreamModel: MODELS[from],
        supportedParameters: null,
      });
      expect(unconvertible(request, endpoint)).toEqual([]);
      const sent = plain(upstreamRequest(request, endpoint).body);
      expect(STRICT[from].safeParse(sent).error?.issues ?? []).toEqual([]);
    });

    it.each(UPSTREAMS.filter((to) => to !== from))("is accepted by a %s upstream, too", async (to) => {
      for (const [, protocol, next] of TURNS) {
        const body = CONTRACT[protocol].parse(next(await ANSWERED[protocol](from, stream)));
        const request = { protocol, body } as InferenceRequest;
        const endpoint = endpointOf({
          provider: { protocol: to },
          upstreamModel: MODELS[to],
          supportedParameters: null,
        });
        expect(unconvertible(request, endpoint)).toEqual([]);
        expect(STRICT[to].safeParse(plain(upstreamRequest(request, endpoint).body)).error?.issues ?? []).toEqual([]);
      }
    });
  });
});
