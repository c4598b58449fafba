import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import { costMicroUsd } from "../engine/routing/price";
import { tokensOf } from "../engine/routing/request-size";
import * as guardrails from "../features/guardrails/service";
import { EventStream } from "../platform/http/event-stream";
import { BillingUpstream } from "../testing/billing-upstream";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { answers, receiver } from "../testing/receiver";
import { TEST_SETTINGS } from "../testing/context";
import { testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { endGenerations } from "./record/open-generations-service";
import { createChatCompletion } from "./service";
import { countTokens as countRecorded } from "./tokens/count-service";

const PROMPT = "What is the answer to life, the universe and everything?";
const MODELS = ["whole", "slow", "silent", "torn", "busy", "cut", "open", "unreported", "templated", "down"];

interface AskedModels {
  model: string;
  models?: string[];
  [field: string]: unknown;
}

/** Actions of a caller on a request, and its record. */
interface Case {
  request: AskedModels;
  /** Reads a stream up to this text, then disconnects. */
  until?: string;
  /** Disconnects while the upstream works on the request. */
  leaves?: boolean;
  /** The response of a check of responses. */
  judged?: string;
  record: { status: string; usageEstimated: boolean };
}

const reported = { status: "succeeded", usageEstimated: false };
const left = { status: "cancelled", usageEstimated: true };
const CASES: [string, Case][] = [
  ["whole", { request: { model: "whole" }, record: reported }],
  [
    "blocked by a check of its answer",
    { request: { model: "whole" }, judged: '{"action":"block"}', record: { ...reported, status: "blocked" } },
  ],
  [
    "streamed, without a verdict on its answer",
    { request: { model: "whole", stream: true }, judged: "?", record: { ...reported, status: "failed" } },
  ],
  ["streamed", { request: { model: "whole", stream: true }, record: reported }],
  [
    "streamed without usage",
    { request: { model: "unreported", stream: true }, record: { ...reported, usageEstimated: true } },
  ],
  ["with n > 1", { request: { model: "whole", n: 3 }, record: reported }],
  ["cut", { request: { model: "cut", stream: true }, record: { status: "failed", usageEstimated: true } }],
  [
    "abandoned before it is answered, answered later",
    { request: { model: "slow" }, leaves: true, record: { status: "cancelled", usageEstimated: false } },
  ],
  ["abandoned before the first byte", { request: { model: "silent", stream: true }, leaves: true, record: left }],
  ["abandoned after the first byte", { request: { model: "open", stream: true }, until: "is ", record: left }],
  ["failed over after an error", { request: { model: "busy", models: ["whole"] }, record: reported }],
  ["failed over after a refused connection", { request: { model: "down", models: ["whole"] }, record: reported }],
  ["failed over after a timeout", { request: { model: "silent", models: ["whole"], stream: true }, record: reported }],
  ["failed everywhere", { request: { model: "busy" }, record: { status: "failed", usageEstimated: false } }],
  [
    "failed by a timeout",
    { request: { model: "silent", stream: true }, record: { status: "failed", usageEstimated: true } },
  ],
];

/** Families of models, with the number of tokens that their vendors bill for a text. */
const FAMILIES: [string, (text: string) => number][] = [
  ["gpt-4o", countTokens],
  ["acme", (text) => tokensOf([text]).expected],
];

async function scene([family, countText]: (typeof FAMILIES)[number], limitMicroUsd = 5_000_000n) {
  // On a busy machine, loading a vocabulary takes longer than a count may; the count is estimated then.
  if (family === "gpt-4o") await expect.poll(async () => (await countRecorded(family, ["warm"])).isExact).toBe(true);
  const upstream = await BillingUpstream.start(countText);
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const providerId = await createProvider(world, { baseUrl: upstream.url });
  const { url } = await upstreamServer(() => undefined);
  const closed = await createProvider(world, { slug: "down", baseUrl: url.replace(/\d+$/, "1") });
  for (const model of MODELS)
    await createModel(world, { slug: `${family}:${model}`, providerId: model === "down" ? closed : providerId });
  const { id } = await createKey(world);
  const caller = { ...keyCaller(world, id), limit: { ...NO_KEY_LIMIT, limitMicroUsd } };
  const client = new AbortController();
  const upstreamTimeouts = { connect: 1000, firstByte: 1000, idle: 1000, abandoned: 1000 };
  const context = {
    ...world.context,
    caller,
    headers: new Headers(),
    signal: client.signal,
    settings: { ...world.context.settings, allowPrivateUpstreams: true, upstreamTimeouts },
  };
  const bodyOf = ({ model, models = [], ...request }: AskedModels) =>
    ChatCompletionsBody.parse({
      messages: [{ role: "user", content: PROMPT }],
      ...request,
      model: `${family}:${model}`,
      models: models.map((name) => `${family}:${name}`),
    });
  return { world, upstream, context, client, bodyOf };
}

/** Sets a check of responses that responds with a text. */
async function judgeAnswers({ context, workspaceId }: World, answer: string): Promise<void> {
  const { url } = await receiver(answers(200, answer));
  const { data } = await guardrails.create(context, {
    params: {},
    query: {},
    body: { name: "Answers", external_checks: [{ name: "tone", url, scope: "response" }] },
  });
  await context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: data.id } });
}

/** Returns the amount that running requests of a key have reserved. */
async function reservedBy({ db, caller: { keyId } }: Awaited<ReturnType<typeof scene>>["context"]) {
  const { _sum } = await db.budgetLease.aggregate({
    where: { budget: { subjectId: keyId } },
    _sum: { reservedMicroUsd: true },
  });
  return _sum.reservedMicroUsd ?? 0n;
}

const PRICES = { prompt: "1", completion: "2", request: "0" };
const billedBy = ({ bills }: BillingUpstream) => bills.reduce((sum, bill) => sum + costMicroUsd(PRICES, bill), 0n);

const patient = { connect: 60_000, firstByte: 60_000, idle: 60_000, abandoned: 60_000 };
/** Models that don't respond or don't end, so that a timeout ends the request unless its caller does. */
const ENDLESS: readonly unknown[] = ["silent", "open"];

describe.each(FAMILIES)("the ledger equals what the upstream bills for a request to %s", (...family) => {
  it.each(CASES)("%s", async (_name, { request, until, leaves, judged, record }) => {
    const { world, upstream, context: impatient, client, bodyOf } = await scene(family);
    const settings = { ...impatient.settings, upstreamTimeouts: patient };
    const isEndedByCaller = leaves === true || until !== undefined;
    const context = ENDLESS.includes(request.model) && !isEndedByCaller ? impatient : { ...impatient, settings };
    if (judged !== undefined) await judgeAnswers(world, judged);
    if (leaves) void upstream.working.then(() => client.abort());
    const answer = await createChatCompletion(context, { params: {}, query: {}, body: bodyOf(request) }).catch(
      () => null,
    );
    if (answer instanceof EventStream) {
      const decoder = new TextDecoder();
      let text = "";
      for await (const bytes of answer.body) {
        text += decoder.decode(bytes, { stream: true });
        if (until !== undefined && text.includes(until)) break;
      }
    }
    const billed = billedBy(upstream);
    const id = context.headers.get("x-generation-id") ?? "";
    expect(await context.db.generation.findFirst({ where: { id } })).toMatchObject({ costMicroUsd: billed, ...record });
    const { _sum } = await context.db.budget.aggregate({
      where: { subjectId: context.caller.keyId },
      _sum: { spentMicroUsd: true },
    });
    expect(_sum.spentMicroUsd).toBe(billed);
    await expect.poll(() => reservedBy(context)).toBe(0n);
  });
});

describe("a server that stops charges what an upstream is working on", () => {
  it.each([
    ["abandoned before it is answered", { model: "silent" }, true, "cancelled"],
    ["waiting for its answer", { model: "silent" }, false, "failed"],
    ["waiting for its first event", { model: "silent", stream: true }, false, "failed"],
  ])("in a request %s", async (_name, request, leaves, status) => {
    const { upstream, context, client, bodyOf } = await scene(FAMILIES[0] as (typeof FAMILIES)[number]);
    const settings = { ...context.settings, upstreamTimeouts: patient };
    const answered = createChatCompletion(
      { ...context, settings },
      { params: {}, query: {}, body: bodyOf(request) },
    ).catch(() => null);
    await upstream.working;
    if (leaves) client.abort();
    await endGenerations(5000);
    const id = context.headers.get("x-generation-id") ?? "";
    const recorded = await context.db.generation.findFirst({ where: { id } });
    expect(recorded).toMatchObject({ status, usageEstimated: true });
    // Part of a response that isn't streamed has been generated; its size is an estimate.
    expect(recorded?.costMicroUsd).toBeGreaterThanOrEqual(billedBy(upstream));
    await expect.poll(() => reservedBy(context)).toBe(0n);
    await answered;
  });

  it("in a stream whose caller still reads", async () => {
    const { upstream, context, bodyOf } = await scene(FAMILIES[0] as (typeof FAMILIES)[number]);
    const settings = { ...context.settings, upstreamTimeouts: patient };
    const body = bodyOf({ model: "open", stream: true });
    const answer = await createChatCompletion({ ...context, settings }, { params: {}, query: {}, body });
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const text = new Response(answer.body).text();
    await expect.poll(() => upstream.bills.length).toBe(1);
    await endGenerations(5000);
    const id = context.headers.get("x-generation-id") ?? "";
    const recorded = { status: "failed", costMicroUsd: billedBy(upstream), usageEstimated: true };
    expect(await context.db.generation.findFirst({ where: { id } })).toMatchObject(recorded);
    expect(await text).toContain('"error"');
  });
});

it("of sixty requests at once on a budget of five, admits no more than five, though the upstream adds a template", async () => {
  const family = FAMILIES[0] as (typeof FAMILIES)[number];
  const ask = ({ context, bodyOf }: Awaited<ReturnType<typeof scene>>) =>
    createChatCompletion(
      { ...context, headers: new Headers() },
      { params: {}, query: {}, body: bodyOf({ model: "templated", max_tokens: 10 }) },
    ).catch(() => null);
  const alone = await scene(family);
  await ask(alone);
  const crowded = await scene(family, 5n * billedBy(alone.upstream));
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(crowded)));
  const admitted = answers.filter((answer) => answer !== null).length;
  expect(admitted).toBe(crowded.upstream.bills.length);
  expect(admitted).toBeGreaterThan(0);
  expect(admitted).toBeLessThanOrEqual(5);
});
