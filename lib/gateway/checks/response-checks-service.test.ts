import { text as textOf } from "node:stream/consumers";
import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import type { CheckRequest } from "../../engine/checks/wire-contract";
import type { Protocol } from "../../engine/endpoint";
import { itemEvents } from "../../engine/protocols/responses/item-events";
import { check as checkPolicy } from "../../features/policy-check/service";
import { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { EventStream } from "../../platform/http/event-stream";
import { PROTOCOLS } from "../../engine/protocols/vocabulary";
import type { ExternalCheck } from "../../engine/checks/contract";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { CHECK_TIMEOUT_MS } from "../../engine/checks/vocabulary";
import { createSandbox } from "../../server/bootstrap";
import { createKey, keyCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { createModel, createProvider } from "../../testing/providers";
import { answers, receiver } from "../../testing/receiver";
import { TEST_SETTINGS } from "../../testing/context";
import { everyNth } from "../../testing/random";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CHECKED, expectReevaluated } from "../../testing/verdicts";
import { upstreamServer } from "../../testing/upstream-server";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { create as createMessage } from "../messages-service";
import * as inference from "../service";

let world: World;
beforeAll(async () => {
  world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  await createSandbox(world.context.db, world.organizationId, NOW);
});

const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
const ANSWER = "Ada lives in Paris. ".repeat(20).trim();
const CLEAN = ANSWER.replaceAll("Ada", "[NAME]");
const chunkOf = (fields: object) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "m", ...fields })}\n\n`;

const PLACE = { item_id: "m", output_index: 0, content_index: 0 };
const part = { type: "output_text", text: ANSWER, annotations: [], logprobs: [] };
const item = { type: "message", id: "m", role: "assistant", status: "completed", content: [part] };
const completed = {
  id: "r",
  object: "response",
  status: "completed",
  output: [item],
  usage: { input_tokens: 1000, output_tokens: 500, total_tokens: 1500 },
};
const RESPONSES_STREAM = [
  ...(ANSWER.match(/[^]{1,7}/g) ?? []).map((delta) => ({ type: "response.output_text.delta", ...PLACE, delta })),
  ...itemEvents(item as never, 0).filter(({ type }) => type.endsWith(".done")),
  { type: "response.completed", response: completed },
];

const message = {
  id: "msg",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: ANSWER }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1000, output_tokens: 500 },
};
const MESSAGES_STREAM = [
  { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...(ANSWER.match(/[^]{1,7}/g) ?? []).map((text) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text },
  })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 500 } },
  { type: "message_stop" },
];

/** Whole responses and streams of upstreams that always respond alike. */
const SAID = {
  responses: [completed, RESPONSES_STREAM],
  messages: [message, MESSAGES_STREAM],
} as const;

/** Creates a model whose upstream speaks a protocol and responds with ANSWER, at 2,000 micro-USD. */
let models = 0;
async function answeringModel(protocol: Protocol, content = ANSWER) {
  const slug = `acme/${(models += 1)}`;
  const { url } = await upstreamServer((request, response) => {
    void textOf(request).then((body) => {
      const { stream } = JSON.parse(body) as { stream?: boolean };
      const type = stream ? "text/event-stream" : "application/json";
      response.writeHead(200, { "content-type": type });
      if (protocol !== "chat_completions") {
        const [whole, events] = SAID[protocol];
        if (!stream) return response.end(JSON.stringify(whole));
        for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        return response.end();
      }
      const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content } };
      if (!stream)
        return response.end(JSON.stringify({ id: "x", object: "chat.completion", choices: [choice], usage }));
      for (const piece of content.match(content === ANSWER ? /[^]{1,7}/g : /[^]{1,4096}/g) ?? [])
        response.write(chunkOf({ choices: [{ index: 0, delta: { content: piece } }] }));
      response.write(chunkOf({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
      return response.end(`${chunkOf({ choices: [], usage })}data: [DONE]\n\n`);
    });
  });
  const providerId = await createProvider(world, { slug: `acme-${models}`, baseUrl: url });
  await world.context.db.provider.update({ where: { id: providerId }, data: { protocol } });
  await createModel(world, { slug, providerId });
  return slug;
}

interface Sending {
  caller: Protocol;
  stream: boolean;
  fields?: Partial<CreateGuardrailBody>;
  overrides?: Partial<Context>;
}

function ask(context: Context, caller: Protocol, fields: object): Promise<unknown> {
  const input = { params: {}, query: {} };
  const messages = [{ role: "user", content: "hello" }];
  switch (caller) {
    case "chat_completions":
      return inference.createChatCompletion(context, {
        ...input,
        body: ChatCompletionsBody.parse({ ...fields, messages }),
      });
    case "responses":
      return inference.createResponse(context, { ...input, body: ResponsesBody.parse({ ...fields, input: "hello" }) });
    case "messages":
      return createMessage(context, { ...input, body: MessagesBody.parse({ ...fields, messages, max_tokens: 500 }) });
  }
}

/** Sends a request of a key under checks of responses; returns the caller's response and the record. */
async function send(model: string, checks: ExternalCheck[], { caller, stream, fields, overrides }: Sending) {
  const key = await createKey(world);
  const guardrailId = await guardKey(world, key, {
    external_checks: checks.map((check) => ({ scope: "response" as const, ...check })),
    ...fields,
  });
  const context: Context = {
    ...world.context,
    headers: new Headers(),
    caller: keyCaller(world, key.id),
    client: { ...world.context.client, wantsMetadata: true },
    ...overrides,
  };
  const outcome: unknown = await ask(context, caller, { model, stream }).catch((error: unknown) => error);
  const said =
    outcome instanceof EventStream
      ? await textOf(outcome.body)
      : outcome instanceof Error
        ? ""
        : JSON.stringify(outcome);
  const row = await world.context.db.generation.findFirstOrThrow({
    where: { id: context.headers.get("x-generation-id") ?? "" },
    include: { content: true, decisions: { orderBy: { position: "asc" } } },
  });
  return { said, error: outcome instanceof ApiError ? outcome : null, row, guardrailId, key };
}

const answering = (answer: unknown) => receiver((response) => answers(200, JSON.stringify(answer))(response));
const decisionsOf = ({ row }: Pick<Awaited<ReturnType<typeof send>>, "row">) =>
  row.decisions.map(({ field, rule, action, direction }) => [direction, field, rule, action].join(" "));

const WAYS = PROTOCOLS.flatMap((upstream) =>
  PROTOCOLS.flatMap((caller) => [false, true].map((stream) => [upstream, caller, stream] as const)),
);
/** Every fifth has each protocol as upstream and as caller, whole and streamed. */
const TESTED_WAYS = everyNth(5, WAYS);

/** Paths of a response's text, as a check receives them. */
const PATHS: Readonly<Record<Protocol, (string | number)[]>> = {
  chat_completions: ["choices", 0, "message", "content"],
  responses: ["output", 0, "content", 0, "text"],
  messages: ["content", 0, "text"],
};

describe.each(TESTED_WAYS)("an answer of a %s upstream to a %s request, streamed: %s", (upstream, caller, stream) => {
  it("is judged whole, then sent", async () => {
    const { url, received } = await answering({ action: "allow" });
    const model = await answeringModel(upstream);
    const { said, row } = await send(model, [{ name: "tone", url }], { caller, stream });
    expect(said).toContain(ANSWER);
    expect(received).toHaveLength(1);
    const body = JSON.parse(received[0]?.body ?? "") as CheckRequest;
    expect(body).toMatchObject({ type: "response", models: [model], generation_id: row.id });
    expect(body.texts.map(({ text }) => text)).toContain(ANSWER);
    expect(new Set(body.texts.map(({ text }) => text)).size).toBe(body.texts.length);
    expect(body.texts.find(({ text }) => text === ANSWER)?.path).toEqual(PATHS[upstream]);
    expect(row).toMatchObject({ status: "succeeded", costMicroUsd: 2000n, decisions: [] });
    expect(row.content).toMatchObject({ completion: ANSWER });
  });

  it.each([
    ["signalbox", { action: "block", reason: "too rude" }],
    ["litellm", { action: "BLOCKED", blocked_reason: "too rude" }],
  ] as const)("is blocked before the first byte, charged, and not stored: %s", async (format, verdict) => {
    const { url, received } = await answering(verdict);
    const model = await answeringModel(upstream);
    const { said, error, row, guardrailId } = await send(model, [{ name: "tone", url, format }], { caller, stream });
    expect(said).toBe("");
    if (format === "litellm")
      expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ input_type: "response", litellm_call_id: row.id });
    expect(error).toMatchObject({
      status: 403,
      message: "Response blocked by external check: tone (too rude)",
      metadata: {
        blocked_by: [{ guardrail_id: guardrailId, field: "external_checks", rule: "tone", direction: "response" }],
      },
    });
    const { pipeline } = error?.metadata?.["service_metadata"] as { pipeline: { type: string; summary: string }[] };
    expect(pipeline.at(-1)?.summary).toBe("tone: blocked in the answer by Guard");
    expect(row).toMatchObject({ status: "blocked", costMicroUsd: 2000n, errorStatus: 403 });
    expect(decisionsOf({ row })).toEqual(["response external_checks tone block"]);
    expect(row.decisions[0]).toMatchObject({ withheld: ANSWER.length });
    expect(JSON.stringify(row.content)).not.toContain("Paris");
    const reserved = async () => {
      const { _sum } = await world.context.db.budgetLease.aggregate({
        where: { budget: { sourceId: guardrailId } },
        _sum: { reservedMicroUsd: true },
      });
      return _sum.reservedMicroUsd ?? 0n;
    };
    await expect.poll(reserved).toBe(0n);
  });

  it("is redacted in every event", async () => {
    const judge = await receiver((response, nth) => {
      const body = JSON.parse(judge.received[nth - 1]?.body ?? "") as CheckRequest;
      const texts = body.texts.flatMap(({ text }, index) =>
        text.includes("Ada") ? [{ index, text: text.replaceAll("Ada", "[NAME]") }] : [],
      );
      answers(200, JSON.stringify({ action: "redact", texts }))(response);
    });
    const model = await answeringModel(upstream);
    const { said, row } = await send(model, [{ name: "names", url: judge.url }], { caller, stream });
    expect(said).toContain(CLEAN);
    expect(said).not.toContain("Ada");
    expect(row).toMatchObject({ status: "succeeded", costMicroUsd: 2000n, content: { completion: CLEAN } });
    expect(decisionsOf({ row })).toEqual(["response external_checks names redact"]);
    expect(row.decisions[0]?.spans).toMatchObject([{ start: 0 }]);
  });

  it.each<[string, (response: ServerResponse) => unknown, RegExp, timeoutMs?: number]>([
    ["no answer", () => undefined, /No response within 0\.3 s/, 300],
    ["an error", answers(500, "oops"), /The endpoint returned status 500/],
    ["nonsense", answers(200, '{"action":"fine"}'), /The response isn't valid: action/],
  ])("is withheld without a verdict: %s", async (_, answer, reason, timeoutMs = CHECK_TIMEOUT_MS.max) => {
    const { url } = await receiver((response) => answer(response));
    const model = await answeringModel(upstream);
    const { said, error, row } = await send(model, [{ name: "c", url, timeout_ms: timeoutMs }], { caller, stream });
    expect(said).toBe("");
    expect(error).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      metadata: { reason: "external_check_unavailable", unavailable: [{ rule: "c", direction: "response" }] },
    });
    expect(error?.message).toMatch(/^The response was withheld: no verdict from external check: c \(/);
    expect(error?.message).toMatch(reason);
    expect(row).toMatchObject({ status: "failed", costMicroUsd: 2000n, errorStatus: 503 });
    expect(decisionsOf({ row })).toEqual(["response external_checks c error"]);
    expect(JSON.stringify(row.content)).not.toContain("Paris");
  });

  it("is cancelled with its cost when the client disconnects meanwhile", async () => {
    const client = new AbortController();
    const { url } = await receiver(() => client.abort());
    const model = await answeringModel(upstream);
    const sending = { caller, stream, overrides: { signal: client.signal } };
    const { said, row } = await send(model, [{ name: "c", url }], sending);
    expect(said).toBe("");
    expect(row).toMatchObject({ status: "cancelled", costMicroUsd: 2000n });
    expect(JSON.stringify(row.content)).not.toContain("Paris");
  });
});

describe("a check of requests and answers", () => {
  it("is called twice, after the filters of each", async () => {
    const { url, received } = await answering({ action: "allow" });
    const { row } = await send("sandbox/echo", [{ name: "both", url, scope: "both" }], {
      caller: "chat_completions",
      stream: true,
      fields: { content_filters: [{ pattern: "hello", label: "[HI]", action: "redact", scope: "response" }] },
    });
    expect(row.status).toBe("succeeded");
    const bodies = received.map(({ body }) => JSON.parse(body) as CheckRequest);
    expect(bodies.map(({ type, texts }) => [type, texts[0]?.text])).toEqual([
      ["request", "hello"],
      ["response", "You said: [HI]"],
    ]);
  });

  it("isn't called with an answer that the filters block", async () => {
    const { url, received } = await answering({ action: "allow" });
    const { error } = await send("sandbox/echo", [{ name: "late", url }], {
      caller: "chat_completions",
      stream: true,
      fields: { content_filters: [{ pattern: "hello", label: "[HI]", action: "block", scope: "response" }] },
    });
    expect(error?.message).toBe("Response blocked by content filter: [HI]");
    expect(received).toHaveLength(0);
  });
});

it("an answer longer than a check may read is blocked", async () => {
  const { url, received } = await answering({ action: "allow" });
  const model = await answeringModel("chat_completions", "word ".repeat(250_000));
  const { error, row } = await send(model, [{ name: "c", url }], { caller: "chat_completions", stream: true });
  expect(error?.status).toBe(403);
  expect(error?.message).toMatch(/more than 1048576 characters would have to be held back/);
  expect(row.status).toBe("blocked");
  expect(row.costMicroUsd).toBeGreaterThan(0n);
  expect(received).toHaveLength(0);
});

it.each(CHECKED)("the recorded verdict on an answer is re-evaluated without a call: %s", async (outcome, answer) => {
  const { url, received } = await answering(answer);
  const { row, guardrailId } = await send("sandbox/echo", [{ name: "c", url }], { caller: "responses", stream: true });
  await expectReevaluated(world.context, { id: row.id, guardrailId }, outcome, { name: "c", url, scope: "both" });
  expect(received).toHaveLength(1);
});

describe("a policy check with an answer", () => {
  const dryRun = (body: object) =>
    checkPolicy(world.context, {
      params: {},
      query: {},
      body: {
        request: { model: "sandbox/echo", input: "hello" },
        protocol: "responses",
        drafts_only: true,
        answer: "Ada said hello",
        ...body,
      },
    }).then(({ data }) => data);

  it("calls the endpoint as a dry run", async () => {
    const { url, received } = await answering({ action: "redact", texts: [{ index: 0, text: "[NAME] said hello" }] });
    const draft = { guardrails: [{ external_checks: [{ name: "c", url, scope: "response" as const }] }] };
    expect(await dryRun(draft)).toMatchObject({
      outcome: "redacted",
      answer: "[NAME] said hello",
      decisions: [{ scope: "draft", field: "external_checks", rule: "c", action: "redact", direction: "response" }],
    });
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      type: "response",
      dry_run: true,
      generation_id: null,
      models: ["sandbox/echo"],
      texts: [{ text: "Ada said hello" }],
    });
  });

  it("takes given verdicts for requests, answers, or both", async () => {
    const { url, received } = await answering({ action: "allow" });
    const draft = { guardrails: [{ external_checks: [{ name: "c", url, scope: "both" as const }] }] };
    const messages = ["block", { response: "block" }, { request: "block" }, { response: "unavailable" }].map(
      async (verdict) => (await dryRun({ ...draft, check_verdicts: { c: verdict } })).message,
    );
    expect(await Promise.all(messages)).toEqual([
      "Request blocked by external check: c",
      "Response blocked by external check: c",
      "Request blocked by external check: c",
      "The response was withheld: no verdict from external check: c (Simulated by the policy test)",
    ]);
    expect(received).toHaveLength(0);
  });
});
