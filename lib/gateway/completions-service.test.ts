import { text } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { uuidv7 } from "../platform/ids";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testWorld, type World } from "../testing/test-context";
import { startUpstream } from "../testing/upstream";
import { upstreamServer } from "../testing/upstream-server";
import * as guardrails from "../features/guardrails/service";
import { CompletionsBody } from "./completions-contract";
import { TextCompletion } from "../engine/protocols/contracts/text-completion-contract";
import * as completions from "./completions-service";

let world: World;
let context: Context;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  context = { ...world.context, caller: keyCaller(world, (await createKey(world)).id) };
});

const fresh = (): Context => ({ ...context, headers: new Headers() });
const create = (request: object, at = fresh()) =>
  completions.create(at, { params: {}, query: {}, body: CompletionsBody.parse(request) });
const stored = ({ headers, db }: Context) =>
  db.generation.findFirstOrThrow({ where: { id: headers.get("x-generation-id") ?? "" }, include: { content: true } });

it.each(["hello big world", ["hello big world"], encode("hello big world"), [encode("hello big world")]])(
  "the prompt %j is a user message, and is recorded",
  async (prompt) => {
    const at = fresh();
    const answer = TextCompletion.parse(await create({ model: "sandbox/echo", prompt, echo: false }, at));
    expect(answer).toMatchObject({
      id: at.headers.get("x-generation-id"),
      object: "text_completion",
      model: "sandbox/echo",
      choices: [{ index: 0, text: "You said: hello big world", finish_reason: "stop", logprobs: null }],
      usage: { prompt_tokens: 3, completion_tokens: 5, cost: 0.000009 },
    });
    const row = await stored(at);
    expect(row.apiType).toBe("completions");
    expect(row.content).toMatchObject({
      input: { messages: [{ role: "user", content: "hello big world" }] },
      completion: "You said: hello big world",
    });
  },
);

/** Reads the data of a stream's events, until `most` have arrived. */
async function dataOf(answer: Awaited<ReturnType<typeof create>>, most = Infinity): Promise<string[]> {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => data.push(event.data) });
  for await (const events of answer.content) {
    parser.feed(events);
    if (data.length >= most) break;
  }
  return data;
}
const eventsIn = (data: readonly string[]) =>
  data.filter((one) => one !== "[DONE]").map((one) => TextCompletion.parse(JSON.parse(one)));

it("is streamed", async () => {
  const at = fresh();
  const answer = await create(
    { model: "sandbox/echo", prompt: "one two", max_tokens: 3, stream: true, stream_options: { include_usage: true } },
    at,
  );
  const data = await dataOf(answer);
  expect(data.at(-1)).toBe("[DONE]");
  const events = eventsIn(data);
  const choices = events.flatMap((event) => event.choices);
  expect(choices.map(({ text }) => text).join("")).toBe("You said: one");
  expect(choices.at(-1)?.finish_reason).toBe("length");
  expect(events.at(-1)?.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 3 });
  expect(await stored(at)).toMatchObject({ status: "succeeded", streamed: true });
});

it("has every choice of n; numbers that aren't tokens are refused by name", async () => {
  const { choices } = TextCompletion.parse(await create({ model: "sandbox/echo", prompt: "one", n: 2 }));
  expect(choices.map(({ index, text }) => [index, text])).toEqual([
    [0, "You said: one"],
    [1, "You said: one"],
  ]);
  const refused = await failure(create({ model: "sandbox/echo", prompt: [9_999_999] }));
  expect([refused.status, JSON.stringify(refused.metadata)]).toEqual([400, expect.stringContaining("prompt")]);
});

describe("several prompts", () => {
  const request = { model: "sandbox/echo", session_id: "" };
  const several = (fields: object, session_id: string) => ({ ...request, session_id, ...fields });
  const recorded = (sessionId: string) =>
    context.db.generation.findMany({ where: { sessionId }, include: { content: true }, orderBy: { id: "asc" } });

  it.each<[string, unknown]>([
    ["texts", ["one", "two three"]],
    ["token numbers", [encode("one"), encode("two three")]],
  ])("of %s have their choices in order, summed usage, and a generation each", async (name, prompt) => {
    const at = fresh();
    const answer = TextCompletion.parse(await create(several({ prompt, n: 2 }, name), at));
    expect(answer.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, "You said: one"],
      [1, "You said: one"],
      [2, "You said: two three"],
      [3, "You said: two three"],
    ]);
    const rows = await recorded(name);
    expect(rows).toHaveLength(2);
    const sum = (values: readonly (number | bigint | null)[]) => values.reduce((a: number, b) => a + Number(b), 0);
    expect(answer.usage).toMatchObject({
      prompt_tokens: sum(rows.map((row) => row.tokensPrompt)),
      completion_tokens: sum(rows.map((row) => row.tokensCompletion)),
      cost: sum(rows.map((row) => row.costMicroUsd)) / 1_000_000,
    });
    expect(rows.map(({ id }) => id)).toContain(answer.id);
    expect(at.headers.get("x-generation-id")).toBe(answer.id);
    const prompts = rows.map(({ content }) => JSON.stringify(content?.input)).toSorted();
    expect(prompts).toEqual([expect.stringContaining('"one"'), expect.stringContaining('"two three"')]);
  });

  it("are streamed together, with one end", async () => {
    const fields = { prompt: ["one", "two three"], stream: true, stream_options: { include_usage: true } };
    const data = await dataOf(await create(several(fields, "streamed")));
    expect(data.indexOf("[DONE]")).toBe(data.length - 1);
    const events = eventsIn(data);
    const textAt = (at: number) =>
      events.flatMap(({ choices }) => choices.filter(({ index }) => index === at).map(({ text }) => text)).join("");
    expect([textAt(0), textAt(1)]).toEqual(["You said: one", "You said: two three"]);
    expect(events.filter(({ usage }) => usage)).toMatchObject([{ choices: [], usage: { prompt_tokens: 3 } }]);
    const rows = await recorded("streamed");
    expect(rows.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
  });

  it("that aren't read to their end are recorded as cancelled", async () => {
    const answer = await create(several({ prompt: ["one two three", "four five six"], stream: true }, "left"));
    await dataOf(answer, 1);
    expect((await recorded("left")).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  });

  it.each([false, true])("fail with the first one that has no answer (stream: %s)", async (stream) => {
    const { db } = context;
    const name = `failed ${stream}`;
    const { id } = await db.guardrail.create({
      data: {
        id: uuidv7(NOW),
        workspaceId: world.workspaceId,
        name,
        contentFilterBuiltins: [{ slug: "ssn", action: "block", scan_scope: "all_messages", scope: "request" }],
      },
    });
    await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
    const at = fresh();
    const error = await failure(create(several({ prompt: ["one", "ssn 536-22-8726"], stream }, name), at));
    await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: null } });
    expect(error.status).toBe(403);
    const rows = await recorded(name);
    expect(rows.map(({ status }) => status).toSorted()).toEqual(["blocked", stream ? "cancelled" : "succeeded"]);
    expect(rows.find(({ status }) => status === "blocked")?.id).toBe(at.headers.get("x-generation-id"));
  });

  it("end with the first stream that fails", async () => {
    const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const upstream = await startUpstream((received, response) => {
      void text(received).then((body) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(delta("begun"));
        if (body.includes("breaks")) setTimeout(() => response.destroy(), 50);
      });
    });
    const providerId = await createProvider(world, { baseUrl: upstream.baseUrl });
    await createModel(world, { slug: "acme/failing", providerId });
    const at = { ...fresh(), settings: { ...context.settings, allowPrivateUpstreams: true } };
    const fields = { model: "acme/failing", prompt: ["waits", "breaks"], stream: true };
    const data = await dataOf(await create(several(fields, "broken"), at));
    upstream.stop();
    expect(data).not.toContain("[DONE]");
    expect(JSON.parse(data.at(-1) ?? "")).toMatchObject({ error: { code: 502, status: 502 } });
    expect((await recorded("broken")).map(({ status }) => status).toSorted()).toEqual(["cancelled", "failed"]);
  });

  it("have at most 128 choices", async () => {
    const refused = await failure(create(several({ prompt: ["a", "b"], n: 65 }, "many")));
    expect([refused.status, JSON.stringify(refused.metadata)]).toEqual([400, expect.stringContaining('"n"')]);
  });
});

it("guardrails apply", async () => {
  const { db } = context;
  const { id } = await db.guardrail.create({
    data: {
      id: uuidv7(NOW),
      workspaceId: world.workspaceId,
      name: "G",
      contentFilterBuiltins: [
        { slug: "email", action: "redact", scan_scope: "all_messages", scope: "request" },
        { slug: "ssn", action: "block", scan_scope: "all_messages", scope: "request" },
      ],
    },
  });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  expect(await create({ model: "sandbox/echo", prompt: "ann@example.com" })).toMatchObject({
    choices: [{ text: "You said: [EMAIL]" }],
  });
  expect((await failure(create({ model: "sandbox/echo", prompt: "ssn 536-22-8726" }))).status).toBe(403);
});

it.each([
  ["an empty list", { prompt: [] }],
  ["more prompts than 32", { prompt: Array<string>(33).fill("a") }],
  ["a suffix", { prompt: "a", suffix: "b" }],
  ["fewer candidates than choices", { prompt: "a", n: 3, best_of: 2 }],
  ["the best of a stream", { prompt: "a", best_of: 2, stream: true }],
  ["more alternatives than 5", { prompt: "a", logprobs: 6 }],
  ["log probabilities of an echoed prompt", { prompt: "a", echo: true, logprobs: 1 }],
])("%s is refused", (_name, body) => {
  expect(CompletionsBody.safeParse({ model: "sandbox/echo", ...body }).success).toBe(false);
});

describe("filters of answers", () => {
  const PATTERN = { pattern: "PROJECT-[A-Z]{1,9}", label: "[P]", scope: "response" as const };
  const answering = async (action: "redact" | "block") => {
    const filtered = await testWorld();
    await createSandbox(filtered.context.db, filtered.organizationId, NOW);
    const body = { name: "Answers", content_filters: [{ ...PATTERN, action }] };
    const { id } = (await guardrails.create(filtered.context, { params: {}, query: {}, body })).data;
    await filtered.context.db.workspace.update({
      where: { id: filtered.workspaceId },
      data: { defaultGuardrailId: id },
    });
    const caller = keyCaller(filtered, (await createKey(filtered)).id);
    return { world: filtered, at: () => ({ ...filtered.context, caller, headers: new Headers() }) };
  };
  const upstreamOf = async ({ world: filtered }: Awaited<ReturnType<typeof answering>>, content: string) => {
    const { url } = await upstreamServer((request, response) => {
      let sent = "";
      request.on("data", (chunk: Buffer) => (sent += chunk.toString()));
      request.on("end", () => {
        if (!(JSON.parse(sent) as { stream: boolean }).stream) {
          const choices = [0, 1].map((index) => ({ index, message: { content }, finish_reason: "stop" }));
          response.setHeader("content-type", "application/json").end(JSON.stringify({ id: "1", choices }));
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const letter of content)
          for (const index of [0, 1])
            response.write(
              `data: ${JSON.stringify({ id: "1", choices: [{ index, delta: { content: letter } }] })}\n\n`,
            );
        response.end("data: [DONE]\n\n");
      });
    });
    const providerId = await createProvider(filtered, { slug: "acme", baseUrl: url });
    await createModel(filtered, { slug: "acme/one", providerId });
  };
  const textsOf = async (answer: Awaited<ReturnType<typeof create>>): Promise<string[]> => {
    const chunks =
      answer instanceof EventStream
        ? (await dataOf(answer)).flatMap((data) => (data === "[DONE]" ? [] : [JSON.parse(data) as TextCompletion]))
        : [answer];
    const choices = chunks.flatMap((chunk) => chunk.choices);
    return [0, 1].map((index) => choices.flatMap((one) => (one.index === index ? one.text : [])).join(""));
  };
  const request = { model: "acme/one", echo: true, n: 2 };

  it.each([
    ["in the prompt", "On PROJECT-FALCON: ", "fine", "On [P]: fine"],
    ["over the prompt and the completion", "On PROJECT-", "FALCON, fine", "On [P][P], fine"],
  ])("redact a value %s that is echoed", async (_name, prompt, content, expected) => {
    const scene = await answering("redact");
    await upstreamOf(scene, content);
    for (const stream of [false, true])
      expect(await textsOf(await create({ ...request, prompt, stream }, scene.at()))).toEqual([expected, expected]);
  });

  it.each([false, true])("block a value in the prompt that is echoed (stream: %s)", async (stream) => {
    const scene = await answering("block");
    await upstreamOf(scene, "fine");
    const prompt = "On PROJECT-FALCON: ";
    expect(await failure(create({ ...request, prompt, stream }, scene.at()))).toMatchObject({ status: 403 });
    expect(await textsOf(await create({ ...request, prompt, echo: false }, scene.at()))).toEqual(["fine", "fine"]);
  });
});
