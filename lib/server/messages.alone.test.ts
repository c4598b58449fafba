import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as tokens from "@/app/v1/messages/count_tokens/route";
import * as messages from "@/app/v1/messages/route";
import { uuidv7 } from "../platform/ids";
import { createKey } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testDatabase, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { createSandbox } from "./bootstrap";

let world: World;
let key: string;
let client: Anthropic;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

beforeEach(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  ({ text: key } = await createKey(world));
  client = clientOf({ apiKey: key });
});

/** The official client, whose requests reach the route handlers without a server. */
const clientOf = (options: ConstructorParameters<typeof Anthropic>[0]) =>
  new Anthropic({
    baseURL: "http://signalbox.test",
    maxRetries: 0,
    ...options,
    fetch: (url, init) => {
      const request = new Request(url, init);
      const { pathname } = new URL(request.url);
      return (pathname === "/v1/messages" ? messages : tokens).POST(request, {});
    },
  });

const said = { role: "user" as const, content: "hello big world" };

describe("the official client", () => {
  it("creates a message", async () => {
    const message = await client.messages.create({ model: "sandbox/echo", max_tokens: 50, messages: [said] });
    expect(message).toMatchObject({
      type: "message",
      role: "assistant",
      model: "sandbox/echo",
      content: [{ type: "text", text: "You said: hello big world" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(message._request_id).toBeTruthy();
  });

  it("streams a message with reasoning", async () => {
    const stream = client.messages.stream({ model: "sandbox/reasoner", max_tokens: 50, messages: [said] });
    const types: string[] = [];
    stream.on("streamEvent", ({ type }) => types.push(type));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: expect.stringContaining("3 words") as unknown },
      { type: "text", text: "You said: hello big world" },
    ]);
    expect(message).toMatchObject({ stop_reason: "end_turn", usage: { input_tokens: 3 } });
    expect(types.at(0)).toBe("message_start");
    expect(types.at(-1)).toBe("message_stop");
  });

  it("calls a tool, and sends its result", async () => {
    const weather = {
      name: "weather",
      input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
    };
    const ask = { model: "sandbox/echo", max_tokens: 50, tools: [weather], tool_choice: { type: "any" as const } };
    const [whole, streamed] = await Promise.all([
      client.messages.create({ ...ask, messages: [said] }),
      client.messages.stream({ ...ask, messages: [said] }).finalMessage(),
    ]);
    const call = { type: "tool_use", name: "weather", input: { city: expect.any(String) as unknown } };
    for (const message of [whole, streamed])
      expect(message).toMatchObject({ content: [call], stop_reason: "tool_use" });
    const [used] = whole.content;
    if (used?.type !== "tool_use") throw new Error("expected a call");
    const answer = await client.messages.create({
      ...ask,
      tool_choice: { type: "auto" },
      messages: [
        said,
        { role: "assistant", content: whole.content },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: used.id, content: "sunny" },
            { type: "text", text: "And now?" },
          ],
        },
      ],
    });
    expect(answer.content).toMatchObject([{ type: "text", text: "You said: And now?" }]);
  });

  it("counts tokens", async () => {
    const count = await client.messages.countTokens({ model: "sandbox/echo", system: "Be kind", messages: [said] });
    expect(count.input_tokens).toBeGreaterThan(5);
  });

  it("may use features in beta, and a bearer token", async () => {
    const bearer = clientOf({ apiKey: null, authToken: key });
    const message = await bearer.beta.messages.create({
      model: "sandbox/echo",
      max_tokens: 50,
      betas: ["context-management-2025-06-27"],
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      messages: [said],
    });
    expect(message.content).toMatchObject([{ type: "text", text: "You said: hello big world" }]);
  });
});

describe("errors have the classes and the shape of Anthropic's API", () => {
  const failing = async (status: number, headers: Record<string, string> = {}) => {
    const { url } = await upstreamServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ error: { message: "not today", type: "some_error" } }));
    });
    const providerId = await createProvider(world, { slug: `p${status}`, baseUrl: url });
    await createModel(world, { slug: `acme/${status}`, providerId });
    return `acme/${status}`;
  };
  const errorOf = async (work: PromiseLike<unknown>) =>
    Promise.resolve(work).then(
      () => expect.unreachable(),
      (error: unknown) => error as APIError,
    );
  const ask = (model: string, at = client) => at.messages.create({ model, max_tokens: 9, messages: [said] });

  it.each([
    [400, 400, BadRequestError, "invalid_request_error"],
    [404, 404, NotFoundError, "not_found_error"],
    [413, 413, APIError, "request_too_large"],
    [429, 429, RateLimitError, "rate_limit_error"],
    [529, 529, APIError, "overloaded_error"],
    [500, 502, APIError, "api_error"],
  ])("an upstream's %i is %i", async (given, status, errorClass, type) => {
    const error = await errorOf(ask(await failing(given)));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ status, type });
    expect(error.requestID).toBe((error.error as { request_id: string }).request_id);
  });

  it("an unknown key is a 401, and an unknown model a 404", async () => {
    const unknown = await errorOf(ask("sandbox/echo", clientOf({ apiKey: "sb-v1-unknown" })));
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(unknown.error).toMatchObject({ type: "error", error: { type: "authentication_error" } });
    expect(await errorOf(ask("nobody/nothing"))).toMatchObject({ status: 404, type: "not_found_error" });
  });

  it("names every invalid field", async () => {
    const error = await errorOf(
      client.messages.create({ model: "sandbox/echo", messages: [{ role: "user", content: 1 }] } as never),
    );
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(error.message).toContain("messages[0].content");
    const missing = await errorOf(client.messages.create({ model: "sandbox/echo", messages: [said] } as never));
    expect(missing.message).toContain("max_tokens: is required");
  });

  it("a filter's block is a 403", async () => {
    const { db } = world.context;
    const { id } = await db.guardrail.create({
      data: {
        id: uuidv7(NOW),
        workspaceId: world.workspaceId,
        name: "G",
        contentFilterBuiltins: [{ slug: "email", action: "block", scan_scope: "all_messages", scope: "request" }],
      },
    });
    await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
    for (const part of [
      { messages: [{ role: "user" as const, content: "ada@example.com" }] },
      { messages: [said], system: "ada@example.com" },
      {
        messages: [
          {
            role: "user" as const,
            content: [
              {
                type: "document" as const,
                title: "ada@example.com",
                source: { type: "text" as const, media_type: "text/plain" as const, data: "x" },
              },
            ],
          },
        ],
      },
    ])
      expect(await errorOf(client.messages.create({ model: "sandbox/echo", max_tokens: 9, ...part }))).toMatchObject({
        status: 403,
        type: "permission_error",
      });
  });
});
