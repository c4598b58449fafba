import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { itemEvents } from "../engine/protocols/responses/item-events";
import type { OutputItem } from "../engine/protocols/contracts/responses-result-contract";
import * as contentAccess from "../features/content-access/service";
import { purgeExpired } from "../features/retention/service";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { startObjectStorage } from "../testing/object-storage";
import { failure } from "../testing/expect-failure";
import { createKey, keyCaller } from "../testing/factories";
import { guardKey } from "../testing/guardrails";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testWorld, type World } from "../testing/test-context";
import { startUpstream } from "../testing/upstream";
import * as inference from "./service";

type Body = Record<string, unknown>;
type Protocol = "responses" | "chat_completions" | "messages";

const TEXT = "Hello from ada@example.com";
const CALL = { call_id: "call_1", name: "weather", arguments: '{"city":"Rome"}' };
const output = (id: string): OutputItem[] => [
  { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: "sealed" },
  {
    type: "message",
    id: `msg_${id}`,
    role: "assistant",
    status: "completed",
    phase: "commentary",
    content: [{ type: "output_text", text: TEXT, annotations: [], logprobs: [{ token: "Hello", logprob: -1 }] }],
  },
  { type: "function_call", id: `fc_${id}`, status: "completed", ...CALL },
  { type: "web_search_call", id: `ws_${id}`, status: "completed", action: { type: "search", query: "Rome" } },
];

const ANSWERS: Readonly<Record<Protocol, (id: string) => Body>> = {
  responses: (id) => ({ id: `resp_${id}`, object: "response", status: "completed", output: output(id), usage: null }),
  chat_completions: (id) => ({
    id,
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: TEXT,
          tool_calls: [
            { id: CALL.call_id, type: "function", function: { name: CALL.name, arguments: CALL.arguments } },
          ],
        },
      },
    ],
  }),
  messages: (id) => ({
    id,
    type: "message",
    role: "assistant",
    content: [
      { type: "text", text: TEXT },
      { type: "tool_use", id: CALL.call_id, name: CALL.name, input: JSON.parse(CALL.arguments) as object },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

const received: Body[] = [];
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let count = 0;
let fixedId: string | null = null;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const body = JSON.parse(text) as Body;
      received.push(body);
      const id = fixedId ?? `upstream${++count}`;
      const path = request.url ?? "";
      const protocol = path.endsWith("/responses")
        ? "responses"
        : path.endsWith("/messages")
          ? "messages"
          : "chat_completions";
      const answer = ANSWERS[protocol](id);
      const isStream = body["stream"] === true && protocol === "responses";
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      const events = [
        ...output(id).flatMap((item, index) => itemEvents(item, index)),
        { type: "response.completed", response: answer },
      ];
      response.end(
        isStream ? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") : JSON.stringify(answer),
      );
    });
  });
});
afterAll(() => upstream.stop());

async function modelAt(world: World, protocol: Protocol): Promise<string> {
  const providerId = await createProvider(world, { slug: `p${++count}`, baseUrl: upstream.baseUrl, protocol });
  const slug = `refs/${++count}`;
  await createModel(world, { slug, providerId });
  return slug;
}

const withKey = async (world: World): Promise<Context & { key: Awaited<ReturnType<typeof createKey>> }> => {
  const key = await createKey(world);
  return { ...world.context, caller: keyCaller(world, key.id), headers: new Headers(), key };
};

/** Sends a request, and returns the output of its response. */
async function respond(context: Context, request: Body): Promise<OutputItem[]> {
  const answer = await inference.createResponse(context, { params: {}, query: {}, body: ResponsesBody.parse(request) });
  if (!(answer instanceof EventStream)) return answer.output;
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) text += decoder.decode(bytes, { stream: true });
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Body);
  return events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item as OutputItem);
}

const user = (content: string) => ({ role: "user", content });
const idOf = (items: readonly OutputItem[], type: string) => String(items.find((item) => item.type === type)?.["id"]);
const reference = (id: string) => ({ type: "item_reference", id });
const result = { type: "function_call_output", call_id: CALL.call_id, output: "sunny" };

/** The second turn of a conversation, with references to every item of the first. */
const secondTurn = (items: readonly OutputItem[]) => [
  user("hi"),
  ...items.filter(({ type }) => type !== "web_search_call").map(({ id }) => reference(String(id))),
  result,
  user("and tomorrow?"),
];
const recordedInput = async ({ db, headers }: Context) => {
  const id = headers.get("x-generation-id") ?? "";
  return (await db.generationContent.findFirstOrThrow({ where: { generationId: id } })).input;
};

const WHOLE = {
  responses: (body: Body) => body["input"],
  chat_completions: (body: Body) => body["messages"],
  messages: (body: Body) => body["messages"],
} as const;
const SENT: Readonly<Record<Protocol, unknown[]>> = {
  responses: [
    user("hi"),
    { type: "message", role: "assistant", content: [{ type: "output_text", text: TEXT }] },
    { type: "function_call", ...CALL },
    result,
    user("and tomorrow?"),
  ],
  chat_completions: [
    user("hi"),
    { role: "assistant", content: TEXT, tool_calls: [{ id: CALL.call_id, function: { name: CALL.name } }] },
    { role: "tool", content: "sunny" },
    user("and tomorrow?"),
  ],
  messages: [
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "text", text: TEXT },
        { type: "tool_use", id: CALL.call_id, name: CALL.name, input: { city: "Rome" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result" }, { type: "text", text: "and tomorrow?" }] },
  ],
};

describe("a reference to an item of an earlier answer", () => {
  it.each(
    (["responses", "chat_completions", "messages"] as const).flatMap((protocol) =>
      [false, true].map((stream) => [protocol, stream ? "streamed" : "whole", stream] as const),
    ),
  )("is sent whole to a %s upstream after a %s answer", async (protocol, _name, stream) => {
    const world = await testWorld();
    const model = await modelAt(world, protocol);
    const context = await withKey(world);
    const first = await respond(context, { model, input: "hi", stream });
    await respond(context, { model, input: secondTurn(first), stream });
    expect(WHOLE[protocol](received.at(-1) ?? {})).toMatchObject(SENT[protocol]);
    expect(await recordedInput(context)).toMatchObject({ messages: SENT.chat_completions });
  });

  it("is sent without the id and the log probabilities of the item", async () => {
    const world = await testWorld();
    const model = await modelAt(world, "responses");
    const context = await withKey(world);
    const first = await respond(context, { model, input: "hi" });
    const ids = ["message", "web_search_call"].map((type) => reference(idOf(first, type)));
    await respond(context, { model, input: [user("hi"), ...ids, user("more")] });
    expect(received.at(-1)?.["input"]).toEqual([
      user("hi"),
      {
        type: "message",
        role: "assistant",
        status: "completed",
        phase: "commentary",
        content: [{ type: "output_text", text: TEXT, annotations: [] }],
      },
      output(idOf(first, "web_search_call").slice(3))[3],
      user("more"),
    ]);
  });

  it("passes content filters", async () => {
    const world = await testWorld();
    const model = await modelAt(world, "chat_completions");
    const context = await withKey(world);
    const first = await respond(context, { model, input: "hi" });
    await guardKey(world, context.key, {
      content_filter_builtins: [{ slug: "email", action: "redact", scope: "request" }],
    });
    await respond(context, { model, input: [reference(idOf(first, "message")), user("more")] });
    expect(received.at(-1)?.["messages"]).toMatchObject([{ content: "Hello from [EMAIL]" }, user("more")]);
  });

  it("counts like the item sent whole", async () => {
    const world = await testWorld();
    const model = await modelAt(world, "chat_completions");
    const context = await withKey(world);
    const first = await respond(context, { model, input: "hi" });
    const prompts: (number | null)[] = [];
    for (const item of [reference(idOf(first, "message")), { role: "assistant", content: TEXT }]) {
      await respond(context, { model, input: [item, user("more")] });
      const { headers, db } = context;
      const id = headers.get("x-generation-id") ?? "";
      prompts.push((await db.generation.findFirstOrThrow({ where: { id } })).tokensPrompt);
    }
    expect(prompts[0]).toBe(prompts[1]);
    expect(prompts[0]).toBeGreaterThan(5);
  });

  it("has what a filter left of the answer", async () => {
    const world = await testWorld();
    const model = await modelAt(world, "responses");
    const context = await withKey(world);
    await guardKey(world, context.key, {
      content_filter_builtins: [{ slug: "email", action: "redact", scope: "response" }],
    });
    for (const stream of [false, true]) {
      const first = await respond(context, { model, input: "hi", stream });
      await respond(context, { model, input: [reference(idOf(first, "message")), user("more")] });
      expect(JSON.stringify(received.at(-1))).toContain("Hello from [EMAIL]");
    }
  });

  it("is found in the object storage", async () => {
    const storage = await startObjectStorage();
    const world = await testWorld();
    const settings = { ...world.context.settings, contentStore: "s3" as const, contentBucket: storage.settings };
    const context = { ...(await withKey(world)), settings };
    const model = await modelAt(world, "responses");
    const first = await respond(context, { model, input: "hi" });
    await respond(context, { model, input: secondTurn(first) });
    expect(received.at(-1)?.["input"]).toMatchObject(SENT.responses);
    await storage.close();
  });
});

describe("a reference that can't be resolved is a 400 that says what to set", () => {
  const REFUSED = {
    status: 400,
    metadata: {
      issues: [
        {
          path: ["input", 0],
          code: "not_stored",
          message: expect.stringContaining("providerOptions.openai.store") as string,
        },
      ],
    },
  };
  const answered = async (world: World, model?: string) => {
    const context = await withKey(world);
    const of = model ?? (await modelAt(world, "responses"));
    const first = await respond(context, { model: of, input: "hi" });
    const refer = (by: Context = context, type = "message") =>
      respond(by, { model: of, input: [reference(idOf(first, type)), user("more")] });
    return { context, refer, first };
  };

  it("to an item of another key's answer", async () => {
    const world = await testWorld();
    const { refer } = await answered(world);
    expect(await failure(refer(await withKey(world)))).toMatchObject(REFUSED);
    expect(await failure(refer(await withKey(await testWorld())))).toMatchObject(REFUSED);
  });

  it("to an answer that wasn't logged", async () => {
    const world = await testWorld();
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentLogging: false } });
    const { context, refer } = await answered(world);
    expect(await failure(refer())).toMatchObject(REFUSED);
    const { caller, db } = context;
    expect(await db.responseItem.count({ where: { keyId: caller.kind === "key" ? caller.keyId : "" } })).toBe(0);
  });

  it("to a content that was deleted, or is past its retention", async () => {
    const world = await testWorld();
    const { context, refer, first } = await answered(world);
    const later = { ...context, now: new Date(NOW.getTime() + 2 * 24 * 60 * 60_000) };
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentRetentionDays: 1 } });
    expect(await failure(refer(later))).toMatchObject(REFUSED);
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentRetentionDays: null } });
    const place = await context.db.responseItem.findFirstOrThrow({ where: { itemId: idOf(first, "message") } });
    await contentAccess.remove(world.context, { params: {}, query: { id: place.generationId }, body: undefined });
    expect(await failure(refer())).toMatchObject(REFUSED);
  });

  it("to an id that several answers have", async () => {
    const world = await testWorld();
    const model = await modelAt(world, "responses");
    fixedId = `same${++count}`;
    const { context, refer } = await answered(world, model);
    await refer();
    await respond(context, { model, input: "again" });
    fixedId = null;
    expect(await failure(refer())).toMatchObject(REFUSED);
  });

  it("30 days after the answer", async () => {
    const world = await testWorld();
    const { context, refer } = await answered(world);
    await purgeExpired(world.context.db, new Date(NOW.getTime() + 29 * 24 * 60 * 60_000));
    await refer();
    await purgeExpired(world.context.db, new Date(NOW.getTime() + 31 * 24 * 60 * 60_000));
    expect(await failure(refer(context))).toMatchObject(REFUSED);
  });

  it("twice, or to more than a request may have", async () => {
    const { context, refer, first } = await answered(await testWorld());
    const input = [reference(idOf(first, "message")), reference(idOf(first, "message"))];
    const issues = [{ path: ["input", 1], message: "repeats a reference" }];
    expect(await failure(respond(context, { model: "a/b", input }))).toMatchObject({
      status: 400,
      metadata: { issues },
    });
    const settings = { ...context.settings, maxBodyBytes: 10 };
    expect(await failure(refer({ ...context, settings }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["input"], code: "too_big" }] },
    });
  });
});
