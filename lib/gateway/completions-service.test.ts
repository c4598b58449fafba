import { createParser } from "eventsource-parser";
import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { beforeAll, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { uuidv7 } from "../platform/ids";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { NOW, testWorld, type World } from "../testing/test-context";
import { CompletionsBody, TextCompletion } from "./completions-contract";
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

it("is streamed", async () => {
  const at = fresh();
  const answer = await create(
    { model: "sandbox/echo", prompt: "one two", max_tokens: 3, stream: true, stream_options: { include_usage: true } },
    at,
  );
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => data.push(event.data) });
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) parser.feed(decoder.decode(bytes));
  expect(data.at(-1)).toBe("[DONE]");
  const events = data.slice(0, -1).map((one) => TextCompletion.parse(JSON.parse(one)));
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
  ["several prompts", { prompt: ["a", "b"] }],
  ["best_of", { prompt: "a", best_of: 2 }],
  ["echo", { prompt: "a", echo: true }],
  ["a suffix", { prompt: "a", suffix: "b" }],
  ["logprobs", { prompt: "a", logprobs: 1 }],
])("%s is refused", (_name, body) => {
  expect(CompletionsBody.safeParse({ model: "sandbox/echo", ...body }).success).toBe(false);
});
