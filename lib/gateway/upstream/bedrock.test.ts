import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import { REASONING, STREAMS, TEXT, WHOLE } from "../../engine/protocols/converse/golden-streams";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import { toReasoningBlocks } from "../../engine/protocols/converse/reasoning-details";
import { upstreamRequest } from "../../engine/protocols/upstream-request";
import {
  BEDROCK_KEYS,
  BEDROCK_REGION,
  bedrockUpstream,
  binaryEvent,
  type BedrockAnswer,
} from "../../testing/bedrock-upstream";
import { endpointOf } from "../../testing/endpoints";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW } from "../../testing/test-context";
import { upstreamServer } from "../../testing/upstream-server";
import { NO_TRACE } from "../../platform/telemetry/trace-context";
import { GenerationTrace } from "../record/generation-trace-service";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { readResponse } from "../../testing/read-response";
import { cases } from "../../testing/random";
import { callUpstream } from "./endpoint-client";

const MODEL = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const endpoint = endpointOf({ provider: { id: "p", protocol: "converse" }, upstreamModel: MODEL });

async function sumOf(response: Response) {
  const sum = newAccumulated();
  for await (const chunk of eachChunk(readResponse(response, "converse"))) accumulate(sum, chunk);
  return sum;
}

interface Received {
  model: string;
  operation: string;
  body: unknown;
}

/** Sends a chat request to a fake of Bedrock with the given response. */
async function exchange(
  answer: BedrockAnswer,
  fields: object = {},
  { named = BEDROCK_KEYS, region = BEDROCK_REGION, now = NOW } = {},
) {
  const received: Received[] = [];
  const { url } = await upstreamServer(bedrockUpstream(NOW, () => answer, received));
  const credentials = () => ({ apiKey: null, named, headers: { "x-team": "blue" } });
  const connections = new Map([["p", { baseUrl: url, kind: "bedrock" as const, settings: { region }, credentials }]]);
  const body = ChatCompletionsBody.parse({ model: "m/m", messages: [{ role: "user", content: "hé" }], ...fields });
  const request = upstreamRequest({ protocol: "chat_completions", body }, endpoint);
  const send = callUpstream(connections, TEST_SETTINGS, now, new GenerationTrace(NO_TRACE, 0));
  const response = await send(endpoint, request, new AbortController().signal, () => undefined);
  return { response, received };
}

describe("an exchange with Bedrock", () => {
  it("is signed, and has the model in its path", async () => {
    const { response, received } = await exchange({ body: WHOLE.TEXT }, { max_tokens: 100, temperature: 0.5 });
    expect(await sumOf(response)).toMatchObject({ content: "Héllo 😀", finishReason: "stop", serviceTier: "flex" });
    expect(received).toEqual([
      {
        model: MODEL,
        operation: "converse",
        body: {
          messages: [{ role: "user", content: [{ text: "hé" }] }],
          inferenceConfig: { maxTokens: 100, temperature: 0.5 },
        },
      },
    ]);
  });

  it("is streamed in binary events", async () => {
    const { response, received } = await exchange({ events: TEXT }, { stream: true });
    expect(await sumOf(response)).toMatchObject({ content: "Héllo 😀", finishReason: "stop", serviceTier: "flex" });
    expect(received[0]?.operation).toBe("converse-stream");
  });

  it("is signed with temporary credentials, too", async () => {
    const { response } = await exchange(
      { body: WHOLE.TEXT },
      {},
      { named: { ...BEDROCK_KEYS, session_token: "token+/=" } },
    );
    expect(response.status).toBe(200);
  });

  it.each([
    ["another secret", { named: { ...BEDROCK_KEYS, secret_access_key: "another-secret" } }, "a wrong signature"],
    ["another region", { region: "us-east-1" }, "the scope 20261120/us-east-1/bedrock/aws4_request"],
    ["no keys", { named: {} }, "no signature"],
    ["an old date", { now: new Date(NOW.getTime() - 3_600_000) }, "the date"],
  ])("is rejected with %s", async (_, given, problem) => {
    const { response } = await exchange({ body: WHOLE.TEXT }, {}, given);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(problem);
  });

  it("keeps the status and the message of an error", async () => {
    const { response } = await exchange({
      status: 429,
      errorType: "ThrottlingException",
      body: { message: "Too many" },
    });
    expect([response.status, await response.json()]).toEqual([429, { message: "Too many" }]);
  });
});

const binary = (parts: readonly Uint8Array<ArrayBuffer>[]) =>
  new Response(
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
    { headers: { "content-type": "application/vnd.amazon.eventstream" } },
  );
const bytesOf = (events: readonly object[]) => new Uint8Array(Buffer.concat(events.map(binaryEvent)));
const broken = async (response: Response) => {
  const error: unknown = await sumOf(response).catch((reason: unknown) => reason);
  if (!(error instanceof BrokenResponse)) throw new Error(`expected a broken answer, got ${String(error)}`);
  return error;
};

describe("a stream of Converse", () => {
  it.each(Object.keys(STREAMS) as (keyof typeof STREAMS)[])("%s says what the whole answer says", async (name) => {
    const { lists: _s, size: _ss, ...streamed } = await sumOf(binary([bytesOf(STREAMS[name])]));
    const { lists: _w, size: _ws, ...whole } = await sumOf(Response.json(WHOLE[name]));
    expect({ ...streamed, toolCalls: streamed.toolCalls.map(plain) }).toEqual({
      ...whole,
      toolCalls: whole.toolCalls.map(plain),
    });
  });

  it.each(Object.entries(STREAMS))("%s says the same however its bytes arrive", async (_, events) => {
    const bytes = bytesOf(events);
    const expected = await sumOf(binary([bytes]));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = borders.slice(1).map((border, index) => bytes.slice(borders[index], border));
        expect(await sumOf(binary(parts))).toEqual(expected);
      }),
      { numRuns: cases(60) },
    );
  });

  it("reports usage with the cache as part of the prompt", async () => {
    expect((await sumOf(binary([bytesOf(STREAMS.TOOLS)]))).usage).toEqual({
      prompt_tokens: 1500,
      completion_tokens: 40,
      total_tokens: 1540,
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });

  it("has reasoning that leads back to the same blocks", async () => {
    const { reasoning, lists } = await sumOf(binary([bytesOf(REASONING)]));
    expect(reasoning).toBe("First, then.");
    expect(toReasoningBlocks(lists.reasoning_details)).toEqual([
      { reasoningContent: { reasoningText: { text: "First, then.", signature: "c2VhbA==" } } },
      { reasoningContent: { redactedContent: "aGlkZGVu" } },
    ]);
  });

  it.each([
    [{ throttlingException: { message: "Slow down" } }, 429, "Slow down"],
    [{ validationException: { message: "Bad" } }, 400, "Bad"],
    [{ internalServerException: { message: "Oh" } }, 500, "Oh"],
    [{ serviceUnavailableException: {} }, 503, "The upstream reported an error"],
    [{ modelStreamErrorException: { message: "", originalMessage: "Inner", originalStatusCode: 500 } }, 424, "Inner"],
    [{ brandNewException: { message: "New" } }, null, "New"],
  ])("%j has the status %j", async (event, status, message) => {
    const error = await broken(binary([bytesOf([...TEXT.slice(0, 2), event])]));
    expect([error.status, error.message, error.isReported]).toEqual([status, message, true]);
  });

  it("is broken when it ends early, or is damaged", async () => {
    const bytes = bytesOf(TEXT);
    expect((await broken(binary([bytesOf(TEXT.slice(0, 3))]))).message).toBe(
      "The upstream's stream ended before the response was complete",
    );
    expect((await broken(binary([bytes.slice(0, 50)]))).message).toBe(
      "The upstream's stream ended in the middle of an event",
    );
    const damaged = bytes.slice();
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    expect((await broken(binary([damaged]))).message).toContain("stream is damaged");
    expect((await broken(binary([new Uint8Array(40)]))).message).toBe(
      "The upstream's response is not an AWS event stream",
    );
    expect((await broken(binary([new Uint8Array(40).fill(255)]))).message).toContain("longer than");
  });
});

const plain = (call: object) => {
  const { function: called } = call as { function: { name: string; arguments: string } };
  return [called.name, JSON.parse(called.arguments)];
};
