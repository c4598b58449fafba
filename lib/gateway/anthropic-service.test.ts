import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import * as providers from "../records/providers/service";
import { API_KEY, anthropicUpstream, type AnthropicAnswer } from "../testing/anthropic-upstream";
import { createKey, keyCaller } from "../testing/factories";
import { PLAIN, THINKING, TOOLS, WHOLE } from "../testing/golden-messages";
import { createModel } from "../testing/providers";
import { streamedEvents } from "../testing/streamed-events";
import { testWorld, type World } from "../testing/test-context";
import { create as createMessage } from "./messages-service";
import * as inference from "./service";

type Body = Record<string, unknown>;

let world: World;
let key: string;
let count = 0;

beforeAll(async () => {
  world = await testWorld();
  key = (await createKey(world)).id;
});

/** Creates a model at an upstream that accepts only what Anthropic's API accepts. */
async function modelAt(
  answer: AnthropicAnswer | ((body: Body) => AnthropicAnswer),
  headers: Record<string, string> = {},
) {
  const upstream = await anthropicUpstream(typeof answer === "function" ? answer : () => answer);
  count += 1;
  const slug = `anthropic-${count}`;
  const body = { slug, name: slug, base_url: upstream.url, kind: "anthropic" as const, api_key: API_KEY, headers };
  await providers.create(world.context, { params: {}, query: {}, body });
  const { id } = await world.context.db.provider.findFirstOrThrow({ where: { slug } });
  const model = `${slug}/claude-sonnet-4-5`;
  await createModel(world, { slug: model, providerId: id });
  return { ...upstream, model };
}

const fresh = (): Context => ({ ...world.context, caller: keyCaller(world, key), headers: new Headers() });
const send = <Service extends (context: Context, input: never) => unknown>(service: Service, body: object) =>
  service(fresh(), { params: {}, query: {}, body: { stream: false, ...body } } as never) as ReturnType<Service>;

const messages = [{ role: "user" as const, content: "hi" }];
const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];

describe("a provider of kind `anthropic`", () => {
  it("answers chat completions, with cache figures and cost", async () => {
    const { model, taken, problems } = await modelAt({ message: WHOLE }, { "anthropic-beta": "context-1m-2025-08-07" });
    const answer = (await send(inference.createChatCompletion, { model, messages, tools, user: "ada" })) as Body;
    expect(problems).toEqual([]);
    expect(taken[0]?.headers["anthropic-beta"]).toBe("context-1m-2025-08-07");
    expect(taken[0]?.body).toMatchObject({
      model,
      max_tokens: 64_000,
      stream: false,
      tools: [{ name: "get_weather" }],
    });
    expect(answer).toMatchObject({
      model,
      choices: [{ finish_reason: "tool_calls", message: { content: "It is 18°C.", reasoning: "Let me see." } }],
      usage: {
        prompt_tokens: 1230,
        completion_tokens: 60,
        prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 200 },
        cost: 0.00135,
      },
    });
    const stored = await world.context.db.generation.findFirstOrThrow({ where: { id: String(answer["id"]) } });
    expect(stored).toMatchObject({ status: "succeeded", tokensPrompt: 1230, tokensCompletion: 60 });
  });

  it("streams to chat completions and to Responses clients, and takes its thinking back", async () => {
    const { model, taken, problems } = await modelAt((body) => ({
      events: body["thinking"] ? THINKING : body["tools"] ? TOOLS : PLAIN,
    }));
    const plain = await streamedEvents(await send(inference.createChatCompletion, { model, messages, stream: true }));
    expect(JSON.stringify(plain)).toContain('"content":"Hello"');
    const called = await streamedEvents(
      await send(inference.createChatCompletion, { model, messages, tools, stream: true }),
    );
    expect(JSON.stringify(called)).toContain('"id":"toolu_01"');
    const first = { model, input: "27 * 453?", reasoning: { effort: "high" }, stream: true, store: false };
    const thought = (await streamedEvents(await send(inference.createResponse, first))).at(-1)?.["response"] as Body;
    expect(thought).toMatchObject({ status: "completed", output: [{ type: "reasoning" }, {}, { type: "message" }] });
    const input = [
      { role: "user", content: "27 * 453?" },
      ...(thought["output"] as Body[]),
      { role: "user", content: "?" },
    ];
    await streamedEvents(await send(inference.createResponse, { ...first, input }));
    expect(problems).toEqual([]);
    expect((taken.at(-1)?.body["messages"] as Body[])[1]).toMatchObject({
      content: [{ type: "thinking", thinking: "Let me solve this step by step." }, { type: "redacted_thinking" }, {}],
    });
  });

  it.each<[string, AnthropicAnswer, number, object]>([
    [
      "an invalid request",
      {
        status: 400,
        error: { type: "invalid_request_error", message: "prompt is too long", details: { error_code: "too_long" } },
      },
      400,
      { message: "prompt is too long" },
    ],
    [
      "an unknown model",
      { status: 404, error: { type: "not_found_error", message: "model: x" } },
      404,
      { message: "model: x" },
    ],
    [
      "too large a request",
      { status: 413, error: { type: "request_too_large", message: "too large" } },
      413,
      { message: "too large" },
    ],
    [
      "a rate limit",
      { status: 429, error: { type: "rate_limit_error", message: "slow down" }, headers: { "retry-after": "7" } },
      429,
      { message: "slow down" },
    ],
    ["an overload", { status: 529, error: { type: "overloaded_error", message: "Overloaded" } }, 529, {}],
    [
      "an overload at the stream's start",
      { events: [...PLAIN.slice(0, 1), { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }] },
      529,
      {},
    ],
    ["a wrong key", { status: 401, error: { type: "authentication_error", message: "invalid x-api-key" } }, 502, {}],
  ])("keeps the class of %s", async (_name, answer, status, error) => {
    const { model } = await modelAt(answer);
    await expect(send(inference.createChatCompletion, { model, messages })).rejects.toMatchObject({ status, ...error });
  });

  it("passes events to Messages clients, and their features in beta to the upstream", async () => {
    const { model, taken, problems } = await modelAt({ events: THINKING }, { "anthropic-beta": "one-2025-01-01" });
    const client = { ...world.context.client, anthropicBeta: "two-2025-01-01,three-2025-01-01" };
    const body = { model, max_tokens: 100, messages, stream: true };
    const answer = await createMessage({ ...fresh(), client }, { params: {}, query: {}, body });
    const events = await streamedEvents(answer);
    expect(problems).toEqual([]);
    expect(taken[0]?.headers["anthropic-beta"]).toBe("one-2025-01-01,two-2025-01-01,three-2025-01-01");
    const ofBlocks = (all: readonly Body[]) => all.filter(({ type }) => String(type).startsWith("content_block"));
    expect(ofBlocks(events)).toEqual(ofBlocks(THINKING));
  });

  it("receives nothing that it can't take", async () => {
    const { model, taken } = await modelAt({ message: WHOLE });
    await expect(send(inference.createChatCompletion, { model, messages, n: 2, seed: 1 })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["n"] }] },
    });
    expect(taken).toEqual([]);
  });
});
