import { describe, expect, it } from "vitest";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { Message } from "../../engine/protocols/contracts/messages-result-contract";
import { STREAMS, WHOLE } from "../../engine/protocols/converse/golden-streams";
import type { MessageEvent } from "../../engine/protocols/response-chunk";
import { gatheredMessage, gatherMessage, type GatheredMessage } from "../../engine/protocols/messages/whole-message";
import { completeMessage, messagesStreamEncoder } from "../../engine/protocols/messages/stream-encoder";
import { collect, relay, type Report } from "../../engine/protocols/observe";
import { unconvertible, upstreamRequest } from "../../engine/protocols/upstream-request";
import { NO_TRACE } from "../../platform/telemetry/trace-context";
import { BEDROCK_KEYS, BEDROCK_REGION, bedrockUpstream, type BedrockAnswer } from "../../testing/bedrock-upstream";
import { endpointOf } from "../../testing/endpoints";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW } from "../../testing/test-context";
import { upstreamServer } from "../../testing/upstream-server";
import { GenerationTrace } from "../record/generation-trace-service";
import { readResponse } from "../../testing/read-response";
import { callUpstream } from "./endpoint-client";

const MODEL = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const endpoint = endpointOf({ provider: { id: "p", protocol: "converse" }, upstreamModel: MODEL });
const heading = { id: "gen-1", created: 1, model: "m/m", isByok: false };
const report: Report = async () => ({ costUsd: 0, completedAt: 2 });
const { signal } = new AbortController();
const PNG = "iVBORw0KGgo=";

/** Sends a Messages request to a fake of Bedrock that is as strict as Converse, and reads the response as a client. */
async function exchange(answer: BedrockAnswer, fields: object) {
  const received: { operation: string; body: unknown }[] = [];
  const { url } = await upstreamServer(bedrockUpstream(NOW, () => answer, received as never));
  const credentials = () => ({ apiKey: null, named: BEDROCK_KEYS, headers: {} });
  const settings = { region: BEDROCK_REGION };
  const connections = new Map([["p", { baseUrl: url, kind: "bedrock" as const, settings, credentials }]]);
  const body = MessagesBody.parse({
    model: "m/m",
    max_tokens: 4000,
    messages: [{ role: "user", content: "hé" }],
    ...fields,
  });
  expect(unconvertible({ protocol: "messages", body }, endpoint)).toEqual([]);
  const send = callUpstream(connections, TEST_SETTINGS, NOW, new GenerationTrace(NO_TRACE, 0));
  const response = await send(
    endpoint,
    upstreamRequest({ protocol: "messages", body }, endpoint),
    signal,
    () => undefined,
  );
  expect(response.status).toBe(200);
  const chunks = readResponse(response, "converse");
  if (!body.stream) {
    const { accumulated, receipt } = await collect(chunks, signal, report);
    return { received, message: Message.parse(completeMessage(heading, body, accumulated, receipt)) };
  }
  let text = "";
  for await (const piece of relay(chunks, messagesStreamEncoder(heading, body, null), signal, report)) text += piece;
  let gathered: GatheredMessage | null = null;
  for (const [, json = ""] of text.matchAll(/^data: (\{.*)$/gm))
    gathered = gatherMessage(gathered, JSON.parse(json) as MessageEvent);
  return { received, message: Message.parse(gathered && gatheredMessage(gathered)) };
}

const both = [false, true] as const;
const answerOf = (name: keyof typeof STREAMS, stream: boolean): BedrockAnswer =>
  stream ? { events: STREAMS[name] } : { body: WHOLE[name] };

describe.each(both)("a Messages request to Converse, streamed: %s", (stream) => {
  it("has its settings, system, documents and images", async () => {
    const { received, message } = await exchange(answerOf("TEXT", stream), {
      stream,
      temperature: 0.5,
      top_k: 4,
      stop_sequences: ["END"],
      system: [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
            { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: PNG } },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" } },
            { type: "text", text: "see" },
          ],
        },
      ],
    });
    expect(received).toMatchObject([
      {
        operation: stream ? "converse-stream" : "converse",
        body: {
          system: [{ text: "be kind" }],
          inferenceConfig: { maxTokens: 4000, temperature: 0.5, stopSequences: ["END"] },
          additionalModelRequestFields: { top_k: 4 },
          messages: [
            {
              role: "user",
              content: [
                { image: { format: "png", source: { bytes: PNG } } },
                { document: { format: "pdf", name: "a", source: { bytes: PNG } } },
                { text: "plain" },
                { text: "see" },
              ],
            },
          ],
        },
      },
    ]);
    expect(message).toMatchObject({
      id: "gen-1",
      content: [{ type: "text", text: "Héllo 😀" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 12, output_tokens: 5 },
    });
  });

  it("calls tools, and returns their results with the thinking that was signed", async () => {
    const tools = [
      { name: "weather", description: "d", input_schema: { type: "object" } },
      { name: "time", input_schema: { type: "object" } },
    ];
    const request = { stream, tools, tool_choice: { type: "any" } };
    const { message } = await exchange(answerOf("TOOLS", stream), request);
    expect(message).toMatchObject({
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "tooluse_1", name: "weather", input: { city: "Bern" } },
        { type: "tool_use", id: "tooluse_2", name: "time", input: {} },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 200, cache_read_input_tokens: 1000, cache_creation_input_tokens: 300 },
    });
    const thought = (await exchange(answerOf("REASONING", stream), { stream })).message.content.slice(0, 2);
    expect(thought).toMatchObject([
      { thinking: "First, then.", signature: "c2VhbA==" },
      { data: "bedrock-converse-v1..aGlkZGVu" },
    ]);
    const { received } = await exchange(answerOf("TEXT", stream), {
      stream,
      tools,
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: [
        { role: "user", content: "hé" },
        { role: "assistant", content: [...thought, ...message.content] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "tooluse_1", content: "sunny" },
            {
              type: "tool_result",
              tool_use_id: "tooluse_2",
              content: [{ type: "text", text: "noon" }],
              is_error: true,
            },
            { type: "text", text: "go on" },
          ],
        },
      ],
    });
    expect(received).toMatchObject([
      {
        body: {
          toolConfig: { tools: [{ toolSpec: { name: "weather" } }, { toolSpec: { name: "time" } }] },
          messages: [
            { role: "user" },
            {
              role: "assistant",
              content: [
                { reasoningContent: { reasoningText: { text: "First, then.", signature: "c2VhbA==" } } },
                { reasoningContent: { redactedContent: "aGlkZGVu" } },
                { text: "Let me look." },
                { toolUse: { toolUseId: "tooluse_1", input: { city: "Bern" } } },
                { toolUse: { toolUseId: "tooluse_2" } },
              ],
            },
            {
              role: "user",
              content: [
                { toolResult: { toolUseId: "tooluse_1", content: [{ text: "sunny" }] } },
                { toolResult: { toolUseId: "tooluse_2", content: [{ text: "Error: noon" }] } },
                { text: "go on" },
              ],
            },
          ],
        },
      },
    ]);
  });
});

it.each([
  ["a document by address", [{ type: "document", source: { type: "url", url: "https://a.example/a.pdf" } }]],
  ["an image by address", [{ type: "image", source: { type: "url", url: "https://a.example/a.png" } }]],
])("Converse isn't sent %s", (_name, content) => {
  const body = MessagesBody.parse({ max_tokens: 9, messages: [{ role: "user", content }] });
  expect(unconvertible({ protocol: "messages", body }, endpoint).map(({ path }) => path.join("."))).toEqual([
    "messages.0",
  ]);
});
