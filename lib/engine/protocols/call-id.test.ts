import { describe, expect, it } from "vitest";
import { readResponse } from "../../testing/read-response";
import { endpointOf } from "../../testing/endpoints";
import type { UpstreamProtocol } from "./vocabulary";
import { accumulate, newAccumulated } from "./accumulate";
import { eachChunk } from "./chunk-batches";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { MessagesBody } from "./contracts/messages-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import type { InferenceRequest } from "./inference-request";
import { upstreamRequest } from "./upstream-request";

const call = { type: "function", function: { name: "f", arguments: "{}" } };
const toolUse = { type: "tool_use", name: "f", input: {} };

/** Answers with two calls without ids, of upstreams that give their answers no id either. */
const ANSWERS: Readonly<Record<UpstreamProtocol, object>> = {
  chat_completions: { choices: [{ index: 0, message: { tool_calls: [call, call] }, finish_reason: "tool_calls" }] },
  responses: {
    status: "completed",
    output: ["", ""].map((call_id) => ({ type: "function_call", call_id, name: "f", arguments: "{}" })),
  },
  messages: { content: [toolUse, toolUse], stop_reason: "tool_use" },
  generate_content: {
    candidates: [
      { content: { parts: [{ functionCall: { name: "f" } }, { functionCall: { name: "f" } }] }, finishReason: "STOP" },
    ],
  },
  converse: {
    output: { message: { content: [{ toolUse: { name: "f" } }, { toolUse: { name: "f" } }] } },
    stopReason: "tool_use",
  },
};

async function idsOf(protocol: UpstreamProtocol, answer: object): Promise<string[]> {
  const sum = newAccumulated();
  for await (const chunk of eachChunk(readResponse(Response.json(answer), protocol))) accumulate(sum, chunk);
  return sum.toolCalls.map(({ id }) => id);
}

describe("ids of calls that an upstream sends without one", () => {
  it.each(Object.entries(ANSWERS))("differ between calls and between answers of %s", async (protocol, answer) => {
    const ids = [
      ...(await idsOf(protocol as UpstreamProtocol, answer)),
      ...(await idsOf(protocol as UpstreamProtocol, answer)),
    ];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[\w-]{10,40}$/);
  });

  it("differ from each other if the upstream gives two calls one id", async () => {
    const same = { ...call, id: "call_0" };
    const [first, second] = await idsOf("chat_completions", {
      choices: [{ index: 0, message: { tool_calls: [same, same] }, finish_reason: "tool_calls" }],
    });
    expect(first).toBe("call_0");
    expect(second).not.toBe("call_0");
  });

  it("are short in an answer with a long id", async () => {
    const [id = ""] = await idsOf("chat_completions", { id: "x".repeat(85), ...ANSWERS.chat_completions });
    expect(id.length).toBeLessThanOrEqual(40);
  });
});

const LONG = ["a", "b"].map((end) => `call_${"x".repeat(79)}${end}`);
const [FIRST = "", SECOND = ""] = LONG;
const REQUESTS: readonly InferenceRequest[] = [
  {
    protocol: "chat_completions",
    body: ChatCompletionsBody.parse({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: LONG.map((id) => ({ ...call, id })) },
        ...LONG.map((id) => ({ role: "tool", tool_call_id: id, content: id === FIRST ? "1" : "2" })),
      ],
    }),
  },
  {
    protocol: "responses",
    body: ResponsesBody.parse({
      input: [
        { role: "user", content: "hi" },
        ...LONG.map((call_id) => ({ type: "function_call", call_id, name: "f", arguments: "{}" })),
        ...LONG.map((call_id) => ({ type: "function_call_output", call_id, output: call_id === FIRST ? "1" : "2" })),
      ],
    }),
  },
  {
    protocol: "messages",
    body: MessagesBody.parse({
      max_tokens: 9,
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: LONG.map((id) => ({ ...toolUse, id })) },
        {
          role: "user",
          content: LONG.map((id) => ({ type: "tool_result", tool_use_id: id, content: id === FIRST ? "1" : "2" })),
        },
      ],
    }),
  },
];

/** Ids in a request's body, in their order. */
const idsIn = (body: object, names: RegExp): string[] =>
  [...JSON.stringify(body).matchAll(names)].map(([, id = ""]) => id);

const cases = REQUESTS.flatMap((request) =>
  (["chat_completions", "responses", "converse"] as const).map((to) => [request.protocol, to, request] as const),
);

it.each(cases)(
  "ids of 85 characters of %s are short for %s, and pair calls with their results",
  (_from, protocol, request) => {
    const { body } = upstreamRequest(request, endpointOf({ provider: { protocol } }));
    const ids = idsIn(body, /"(?:id|tool_call_id|call_id|toolUseId)":"(call_x[^"]*)"/g);
    expect(ids).toHaveLength(4);
    const [first = "", second = "", ...results] = ids;
    expect(first).not.toBe(second);
    expect(results).toEqual([first, second]);
    const most = protocol === "chat_completions" ? 40 : 64;
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(most);
    expect(JSON.stringify(body)).not.toContain(SECOND);
  },
);
