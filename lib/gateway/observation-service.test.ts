import fc from "fast-check";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { observations } from "../features/observations/service";
import { update } from "../features/guardrails/service";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { CreateGuardrailBody } from "../records/guardrails/contract";
import * as generations from "../records/generations/service";
import { createKey, keyCaller } from "../testing/factories";
import { guardKey } from "../testing/guardrails";
import { createModel, createProvider } from "../testing/providers";
import { testWorld, type World } from "../testing/test-context";
import { failure } from "../testing/expect-failure";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import * as inference from "./service";

const PIECES = ["Write to a", "da@exam", "ple.com, the ticket is PROJ-1", "234."];
const ANSWER = PIECES.join("");
const received: string[] = [];

/** Answers everything with the same text, streamed if the request asks for it. */
const upstream = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    received.push(body);
    const isStreamed = (JSON.parse(body) as { stream?: boolean }).stream === true;
    const head = { id: "c", created: 1, model: "m" };
    const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
    response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
    if (!isStreamed) {
      const message = { role: "assistant", content: ANSWER };
      response.end(
        JSON.stringify({
          ...head,
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage,
        }),
      );
      return;
    }
    for (const content of PIECES)
      response.write(
        `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`,
      );
    const end = {
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage,
    };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
});
beforeAll(() => new Promise<void>((listening) => void upstream.listen(0, "127.0.0.1", listening)));
afterAll(() => void upstream.close());

const MODEL = "acme/one";

async function worldWith(fields: Partial<CreateGuardrailBody> | null) {
  const world = await testWorld();
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  await createModel(world, { slug: MODEL, providerId: await createProvider(world, { baseUrl }) });
  const key = await createKey(world);
  const guardrail = fields && (await guardKey(world, key, fields));
  return {
    world,
    guardrail,
    at: (): Context => ({ ...world.context, caller: keyCaller(world, key.id), headers: new Headers() }),
  };
}

const MESSAGES = [{ role: "user", content: "My number is 4242 4242 4242 4242, write to bob@example.com" }];

async function send(at: Context, fields: object = {}): Promise<string> {
  const body = ChatCompletionsBody.parse({ model: MODEL, messages: MESSAGES, ...fields });
  const answer = await inference.createChatCompletion(at, { params: {}, query: {}, body });
  if (!(answer instanceof EventStream)) return JSON.stringify(answer);
  const parts: Uint8Array[] = [];
  for await (const bytes of answer.body) parts.push(bytes);
  return Buffer.concat(parts).toString();
}

const decisionsOf = async (world: World, { headers }: Context) => {
  const query = { id: headers.get("x-generation-id") ?? "" };
  const { data } = await generations.get(world.context, { params: {}, body: undefined, query });
  return {
    status: data.status,
    decisions: data.decisions.map(({ field, rule, action, direction = "request" }) => [field, rule, action, direction]),
  };
};

const builtin = (
  slug: "email" | "credit-card",
  action: "block" | "redact",
  scope: "request" | "response" = "request",
) => ({
  content_filter_builtins: [{ slug, action, scope }],
});

it.each<[string, Partial<CreateGuardrailBody>, unknown[][]]>([
  ["a block", builtin("credit-card", "block"), [["content_filter_builtins", "credit-card", "would_block", "request"]]],
  ["a redaction", builtin("email", "redact"), [["content_filter_builtins", "email", "would_redact", "request"]]],
  [
    "a block of the answer",
    builtin("email", "block", "response"),
    [["content_filter_builtins", "email", "would_block", "response"]],
  ],
  [
    "a pattern of the answer",
    { content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "redact", scope: "response" }] },
    [["content_filters", "[TICKET]", "would_redact", "response"]],
  ],
  [
    "the loss of every endpoint",
    { allowed_providers: ["other"] },
    [["allowed_providers", `${MODEL} by acme`, "would_block", "request"]],
  ],
  ["a spent budget", { limit_usd: 0 }, [["limit_usd", "lifetime limit of $0.00", "would_block", "request"]]],
  ["nothing", { allowed_models: [MODEL] }, []],
])("records %s, and lets the request pass", async (_, fields, expected) => {
  const { world, at } = await worldWith({ ...fields, mode: "observe" });
  for (const stream of [false, true]) {
    const context = at();
    expect(await send(context, { stream })).toContain("PROJ-1");
    expect(await decisionsOf(world, context)).toEqual({ status: "succeeded", decisions: expected });
  }
});

it("counts what it would have done by rule and key, and enforces from the next request", async () => {
  const fields = { ...builtin("credit-card", "block"), ignored_models: [MODEL], mode: "observe" as const };
  const { world, guardrail, at } = await worldWith(fields);
  for (let request = 0; request < 3; request += 1) await send(at());
  const params = { id: guardrail ?? "" };
  const later = { ...world.context, now: new Date(world.context.now.getTime() + 60_000) };
  const { data } = await observations(later, { params, query: {}, body: undefined });
  expect(data).toMatchObject({
    requests: 3,
    rules: [
      { field: "content_filter_builtins", rule: "credit-card", action: "would_block", requests: 3, keys: 1 },
      { field: "ignored_models", rule: null, action: "would_block", requests: 3, keys: 1 },
    ],
    keys: [{ requests: 3 }],
  });
  await update(world.context, { params, query: {}, body: { mode: "enforce" } });
  expect(await failure(send(at()))).toMatchObject({ status: 403 });
});

const action = fc.constantFrom("block" as const, "redact" as const);
const guardrail = fc.record({
  content_filter_builtins: fc.uniqueArray(
    fc.record({
      slug: fc.constantFrom("email" as const, "credit-card" as const),
      action,
      scope: fc.constantFrom("request" as const, "response" as const, "both" as const),
    }),
    { selector: ({ slug }) => slug, maxLength: 2 },
  ),
  content_filters: fc.array(
    fc.record({
      pattern: fc.constantFrom("PROJ-[0-9]+", "the", "[0-9]{4}"),
      action,
      scope: fc.constantFrom("both" as const, "response" as const),
    }),
    { maxLength: 3 },
  ),
  ignored_models: fc.constantFrom<(string[] | null)[]>(null, [MODEL]),
  allowed_providers: fc.constantFrom<(string[] | null)[]>(null, ["other"], ["acme"]),
  enforce_zdr_other: fc.constantFrom(null, true),
  limit_usd: fc.constantFrom(null, 0, 5),
});

it("never changes a byte of a request or an answer", async () => {
  const ids = /gen-[\w-]+|req-[\w-]+|chatcmpl-[\w-]+/g;
  const free = await worldWith(null);
  const seen = async (at: () => Context, stream: boolean) => {
    const before = received.length;
    const answer = await send(at(), { stream });
    return { answer: answer.replaceAll(ids, "id"), sent: received.slice(before) };
  };
  const plain = { whole: await seen(free.at, false), streamed: await seen(free.at, true) };
  await fc.assert(
    fc.asyncProperty(guardrail, async (fields) => {
      const { at } = await worldWith({ ...fields, mode: "observe" });
      expect(await seen(at, false)).toEqual(plain.whole);
      expect(await seen(at, true)).toEqual(plain.streamed);
    }),
    { numRuns: 25 },
  );
});

it("takes a request that is to be stored for one without zero data retention", async () => {
  const { world, at } = await worldWith({ enforce_zdr_other: true, mode: "observe" });
  await world.context.db.provider.updateMany({ where: { slug: "acme" }, data: { zdr: true } });
  const decided = async (store: boolean) => {
    const context = at();
    await send(context, { store });
    return (await decisionsOf(world, context)).decisions;
  };
  expect(await decided(false)).toEqual([]);
  expect(await decided(true)).toEqual([["enforce_zdr_other", `${MODEL} by acme`, "would_block", "request"]]);
});
