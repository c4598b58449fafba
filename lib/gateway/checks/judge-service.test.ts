import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import * as guardrails from "../../features/guardrails/service";
import { check as checkPolicy } from "../../features/policy-check/service";
import { effective } from "../../features/policy-check/effective-service";
import { explain } from "../../features/replay/why-service";
import { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Judge } from "../../engine/checks/contract";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { CHECK_TIMEOUT_MS } from "../../engine/checks/vocabulary";
import { createSandbox } from "../../server/bootstrap";
import { createKey, keyCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { createModel, createProvider } from "../../testing/providers";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { upstreamServer } from "../../testing/upstream-server";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { PlaygroundBody } from "../playground-contract";
import * as playground from "../playground-service";
import * as inference from "../service";

interface JudgeBody {
  messages: { role: string; content: string }[];
  temperature: number;
}

let world: World;
beforeAll(async () => {
  world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  await createSandbox(world.context.db, world.organizationId, NOW);
});

let judges = 0;

/** Creates a judge model at an upstream that responds with a content, or never for null; returns its requests. */
async function judgeModel(answer: string | null | 500) {
  const slug = `judges/${(judges += 1)}`;
  const received: JudgeBody[] = [];
  const { url } = await upstreamServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body) as JudgeBody);
      if (answer === null) return;
      if (answer === 500) return void response.writeHead(500).end("{}");
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: answer } }];
      const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
      const whole = { id: "x", object: "chat.completion", created: 0, model: slug, choices, usage };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
    });
  });
  const providerId = await createProvider(world, { slug: `judge-${judges}`, baseUrl: url });
  await createModel(world, { slug, providerId });
  return { slug, received };
}

/** Creates a key under a guardrail. */
async function guarded(fields: Partial<CreateGuardrailBody>) {
  const key = await createKey(world);
  return { guardrailId: await guardKey(world, key, fields), key };
}

/** Sends a request under a judge; returns its outcome, and the records of its key, with the request's last. */
async function send(
  judge: Judge,
  { chat = false, fields }: { chat?: boolean; fields?: Partial<CreateGuardrailBody> } = {},
) {
  const { key, guardrailId } = await guarded({ judges: [judge], ...fields });
  const context: Context = { ...world.context, headers: new Headers(), caller: keyCaller(world, key.id) };
  const input = "hello falcon";
  const sent = chat
    ? inference.createChatCompletion(context, {
        params: {},
        query: {},
        body: ChatCompletionsBody.parse({ model: "sandbox/echo", messages: [{ role: "user", content: input }] }),
      })
    : inference.createResponse(context, {
        params: {},
        query: {},
        body: ResponsesBody.parse({ model: "sandbox/echo", input }),
      });
  const outcome: unknown = await sent.catch((error: unknown) => error);
  const id = context.headers.get("x-generation-id") ?? "";
  const records = await world.context.db.generation.findMany({
    where: { keyId: key.id },
    include: { content: true, decisions: { orderBy: { position: "asc" } } },
  });
  const own = records.find((record) => record.id === id);
  const judged = records.filter((record) => record.id !== id);
  return { outcome, error: outcome instanceof ApiError ? outcome : null, own, judged, key, guardrailId };
}

const judgeOf = (model: string, fields: Partial<Judge> = {}): Judge => ({
  name: "tone",
  model,
  instructions: "No threats",
  action: "block",
  ...fields,
});

describe("a model as judge of answers", () => {
  it.each([false, true])("reads the answer, and is a generation of its own (chat %s)", async (chat) => {
    const { slug, received } = await judgeModel('{"score": 0.1}');
    const { outcome, own, judged } = await send(judgeOf(slug, { scope: "response" }), { chat });
    expect(JSON.stringify(outcome)).toContain("You said: hello falcon");
    expect(received.map(({ messages }) => messages[1]?.content.split("\n")[1])).toEqual(['["You said: hello falcon"]']);
    expect(judged).toMatchObject([
      { costMicroUsd: 2000n, metadata: { judge: "tone", judged_generation_id: own?.id, judged: "response" } },
    ]);
  });

  it("blocks, flags, and withholds the answer without a verdict", async () => {
    const { slug } = await judgeModel('{"score": 0.93}');
    const blocked = await send(judgeOf(slug, { scope: "response" }));
    expect(blocked.error).toMatchObject({ status: 403, message: "Response blocked by model judge: tone (score 0.93)" });
    expect(blocked.own).toMatchObject({
      status: "blocked",
      decisions: [{ field: "judges", action: "block", direction: "response" }],
    });
    const flagged = await send(judgeOf(slug, { scope: "both", action: "flag" }));
    expect(flagged.judged).toHaveLength(2);
    expect(flagged.own?.decisions.map(({ action, direction }) => `${action} ${direction}`)).toEqual([
      "flag null",
      "flag response",
    ]);
    const silent = await judgeModel(null);
    const withheld = await send(judgeOf(silent.slug, { scope: "response", timeout_ms: 400 }));
    expect(withheld.error).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(withheld.own?.status).toBe("failed");
  });

  it("whose request budgets deny withholds the answer with their denial", async () => {
    const { slug, received } = await judgeModel('{"score": 0}');
    const { error, own } = await send(judgeOf(slug, { scope: "response" }), { fields: { limit_usd: 0.000_001 } });
    expect(received).toHaveLength(0);
    expect(error).toMatchObject({ status: 403, metadata: { budgets: [{ limit_usd: 0.000_001 }] } });
    expect(own?.decisions.map(({ field, action, direction }) => `${field} ${action} ${direction}`)).toEqual([
      "judges error response",
      "limit_usd block response",
    ]);
  });
});

it("judges the requests of a draft in the playground, charged to the key", async () => {
  const { slug, received } = await judgeModel('{"score": 0.93}');
  const key = await createKey(world);
  const request = { model: "sandbox/echo", messages: [{ role: "user", content: "hello falcon" }] };
  const body = PlaygroundBody.parse({ key_hash: key.hash, request, draft: { judges: [judgeOf(slug)] } });
  const context = { ...world.context, headers: new Headers() };
  await expect(playground.send(context, { params: {}, query: {}, body })).rejects.toMatchObject({
    status: 403,
    message: "Request blocked by model judge: tone (score 0.93)",
  });
  expect(received).toHaveLength(1);
  const id = context.headers.get("x-generation-id") ?? "";
  const records = await world.context.db.generation.findMany({
    where: { keyId: key.id },
    include: { decisions: true },
    orderBy: { costMicroUsd: "asc" },
  });
  expect(records).toMatchObject([
    { id, status: "blocked", decisions: [{ scope: "draft", field: "judges", action: "block" }] },
    { model: slug, costMicroUsd: 2000n, metadata: { judge: "tone", judged_generation_id: id } },
  ]);
});

describe("a model as judge", () => {
  it.each([false, true])("allows, as a generation of its own that the budgets count (chat %s)", async (chat) => {
    const { slug, received } = await judgeModel('{"score": 0.1}');
    const fields = { limit_usd: 10, content_filters: [{ pattern: "falcon", label: "[P]", action: "redact" as const }] };
    const { outcome, own, judged, key } = await send(judgeOf(slug), { chat, fields });
    expect(JSON.stringify(outcome)).toContain("You said: hello [P]");
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ temperature: 0, messages: [{ role: "system" }, { role: "user" }] });
    expect(received[0]?.messages[1]?.content.split("\n")[1]).toBe('["hello [P]"]');
    expect(judged).toMatchObject([
      {
        status: "succeeded",
        model: slug,
        costMicroUsd: 2000n,
        metadata: { judge: "tone", judged_generation_id: own?.id },
      },
    ]);
    const { data } = await effective(world.context, { params: {}, query: { key_hash: key.hash }, body: undefined });
    const total = [own, ...judged].reduce((sum, record) => sum + Number(record?.costMicroUsd ?? 0), 0);
    expect(data.fields.limit_usd[0]?.spent_usd).toBeCloseTo(total / 1e6, 9);
    expect(data.fields.judges).toMatchObject([{ name: "tone", model: slug, threshold: 0.5, action: "block" }]);
  });

  it("blocks", async () => {
    const { slug } = await judgeModel('{"score": 0.93}');
    const { error, own, judged } = await send(judgeOf(slug));
    expect(error).toMatchObject({ status: 403, message: "Request blocked by model judge: tone (score 0.93)" });
    expect(own).toMatchObject({
      status: "blocked",
      decisions: [{ field: "judges", rule: "tone", action: "block", reason: "score 0.93" }],
    });
    expect(judged).toHaveLength(1);
  });

  it("flags", async () => {
    const { slug } = await judgeModel('{"score": 0.93}');
    const { own } = await send(judgeOf(slug, { action: "flag" }));
    expect(own).toMatchObject({ status: "succeeded", decisions: [{ field: "judges", action: "flag" }] });
  });

  it.each<[string, string | null | 500, RegExp, timeoutMs?: number]>([
    ["garbage", "I think it is fine", /The judge's response isn't valid JSON/],
    ["an error", 500, /tone \(/],
    ["no answer", null, /No response within 0\.4 s/, 400],
  ])("without a verdict rejects the request: %s", async (_, answer, reason, timeoutMs = CHECK_TIMEOUT_MS.max) => {
    const { slug } = await judgeModel(answer);
    const { error, own } = await send(judgeOf(slug, { timeout_ms: timeoutMs }));
    expect(error?.status).toBe(503);
    expect(error?.message).toMatch(/^The request was not sent: no verdict from model judge: tone \(/);
    expect(error?.message).toMatch(reason);
    expect(own).toMatchObject({ status: "failed", decisions: [{ field: "judges", action: "error" }] });
  });

  it("isn't judged itself, and is limited by budgets, providers and retention, but not by models", async () => {
    const { slug, received } = await judgeModel('{"score": 0}');
    const models = await send(judgeOf(slug), { fields: { allowed_models: ["sandbox/echo"] } });
    expect(models.own?.status).toBe("succeeded");
    for (const as_of of ["then", "now"] as const) {
      const query = { id: models.judged[0]?.id ?? "", as_of };
      const { data } = await explain(world.context, { params: {}, query, body: undefined });
      expect(data).toMatchObject({ is_same: true, obstacle: null });
    }
    expect(received).toHaveLength(1);
    const providers = await send(judgeOf(slug), { fields: { allowed_providers: ["sandbox"] } });
    expect(providers.error?.message).toMatch(/No endpoints found/);
    const budget = await send(judgeOf(slug), { fields: { limit_usd: 0 } });
    expect(received).toHaveLength(1);
    expect(budget.error).toMatchObject({ status: 403, metadata: { budgets: [{ limit_usd: 0 }] } });
    expect(budget.error?.message).toMatch(/^Budget exhausted: the lifetime limit of \$0\.00/);
    expect(budget.error?.headers?.["retry-after"]).toBeUndefined();
    expect(budget.own).toMatchObject({
      status: "blocked",
      errorStatus: 403,
      content: { input: { messages: [{ content: "[BLOCKED]" }] } },
    });
    expect(budget.own?.decisions.map(({ field, action }) => `${field} ${action}`)).toEqual([
      "judges error",
      "limit_usd block",
    ]);
    const query = { id: budget.own?.id ?? "", as_of: "then" as const };
    const { data } = await explain(world.context, { params: {}, query, body: undefined });
    expect(data).toMatchObject({ recorded: { outcome: "budget_exhausted" }, obstacle: { code: "not_checked" } });
  });

  it("is re-evaluated by its recorded score, and not called by a policy check", async () => {
    const { slug, received } = await judgeModel('{"score": 0.93}');
    const { own, guardrailId } = await send(judgeOf(slug));
    const why = async () =>
      (await explain(world.context, { params: {}, query: { id: own?.id ?? "", as_of: "now" }, body: undefined })).data;
    expect(await why()).toMatchObject({ verdict: { outcome: "blocked" }, is_same: true });
    const change = (fields: Partial<Judge>) =>
      guardrails.update(world.context, {
        params: { id: guardrailId },
        query: {},
        body: { judges: [judgeOf(slug, fields)] },
      });
    await change({ action: "flag" });
    expect(await why()).toMatchObject({ verdict: { outcome: "flagged" } });
    await change({ instructions: "Something else" });
    expect(await why()).toMatchObject({ obstacle: { code: "not_checked" } });
    const { data } = await checkPolicy(world.context, {
      params: {},
      query: {},
      body: {
        request: { model: "sandbox/echo", input: "hello" },
        protocol: "responses",
        drafts_only: true,
        guardrails: [{ judges: [judgeOf(slug)] }],
      },
    });
    expect(data).toMatchObject({ outcome: "allowed", decisions: [{ field: "judges", rule: "tone", action: "skip" }] });
    expect(received).toHaveLength(1);
  });
});
