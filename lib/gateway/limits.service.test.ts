import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ApiError } from "../platform/api-error";
import { CreateLimitBody, Limit, UpdateLimitBody } from "../records/limits/contract";
import * as limits from "../records/limits/service";
import { TEST_SETTINGS } from "../testing/context";
import { createKey, createMember, createWorkspace, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { createChatCompletion } from "./service";

const ANSWER = {
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
};
/** At 1 and 2 USD per million tokens. */
const COST_USD = 0.00003;
/** Later than any other request here: reservations end an hour after them by the latest time that this process knows. */
const LATEST = new Date("2027-01-01T10:00:00Z");

interface Sender {
  keyId?: string;
  userId?: string;
  workspaceId?: string;
  tags?: string[];
  endUser?: string;
  at?: Date;
  body?: object;
}

/** Creates two models of two providers, whose upstream waits for `answerAll` if it is held up. */
async function scene() {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  let isHeldUp = false;
  let arrived = 0;
  let answerAll: () => void = () => undefined;
  let answered = Promise.resolve();
  const { url } = await upstreamServer((request, response) => {
    request.resume().on("end", () => {
      arrived += 1;
      const reply = () => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWER));
      if (isHeldUp) void answered.then(reply);
      else reply();
    });
  });
  for (const slug of ["acme", "other"]) {
    const providerId = await createProvider(world, { slug, baseUrl: url });
    await createModel(world, { slug: `${slug}/one`, providerId });
  }
  const key = await createKey(world);
  const limit = (body: object) =>
    limits.create(world.context, {
      params: {},
      query: {},
      body: CreateLimitBody.parse({ name: `Limit ${Math.random()}`, metric: "spend", amount: COST_USD, ...body }),
    });
  const send = async ({ at = NOW, endUser, body = {}, ...who }: Sender = {}) => {
    const headers = new Headers();
    const parsed = ChatCompletionsBody.parse({
      model: "acme/one",
      messages: [{ role: "user", content: "Hi" }],
      max_tokens: 10,
      ...body,
    });
    const context = {
      ...world.context,
      now: at,
      headers,
      caller: { ...keyCaller(world, key.id), ...who },
      client: { ...world.context.client, ...(endUser !== undefined && { endUser }) },
    };
    const error = await createChatCompletion(context, { params: {}, query: {}, body: parsed }).then(
      () => null,
      (failure: unknown) => (failure instanceof ApiError ? failure : Promise.reject(failure as Error)),
    );
    return { status: error?.status ?? 200, error, headers, id: headers.get("x-generation-id") ?? "" };
  };
  const holdUp = () => {
    isHeldUp = true;
    answered = new Promise((resolve) => (answerAll = resolve));
    return {
      arrived: () => arrived,
      end: () => {
        isHeldUp = false;
        answerAll();
      },
    };
  };
  const statuses = async (senders: readonly Sender[]) => {
    const found: number[] = [];
    for (const sender of senders) found.push((await send(sender)).status);
    return found;
  };
  return { world, key, limit, send, statuses, holdUp };
}

const decisionsOf = async ({ world }: Awaited<ReturnType<typeof scene>>, id: string) =>
  (await world.context.db.decision.findMany({ where: { generationId: id }, orderBy: { position: "asc" } })).map(
    ({ scope, field, rule, action }) => `${scope} ${field} ${action}: ${rule}`,
  );

describe("a spending limit", () => {
  it("of the organization counts every request, and is explained", async () => {
    const here = await scene();
    await here.limit({ name: "All", subject_type: "organization", reset_interval: "daily" });
    expect((await here.send()).status).toBe(200);
    const { status, error, id } = await here.send({ userId: "another" });
    expect([status, error?.message]).toEqual([
      403,
      'Budget exhausted: the daily limit of $0.00003 of limit "All" (the organization) is reached: $0.00003 spent; resets at 2026-11-21T00:00:00.000Z',
    ]);
    expect(error?.metadata).toMatchObject({
      budgets: [{ scope: "organization", limit_name: "All", spend_usd: COST_USD }],
    });
    expect(await decisionsOf(here, id)).toEqual([
      'organization limit_usd block: daily limit of $0.00003 of limit "All" (the organization)',
    ]);
  });

  it("of a workspace, of tags, members, keys and pools of keys counts only these", async () => {
    const here = await scene();
    const { world, key } = here;
    const other = await createWorkspace(world);
    const [second, third] = [await createKey(world), await createKey(world)];
    const userId = await createMember(world);
    const cases: [string, object, counted: Sender, other: Sender][] = [
      ["workspace", { subject_ids: [world.workspaceId] }, {}, { workspaceId: other }],
      ["tag", { subject_ids: ["team:search"] }, { tags: ["a", "team:search"] }, { tags: ["a"] }],
      ["member", { subject_ids: [world.adminId] }, {}, { userId }],
      ["key", { subject_ids: [key.hash] }, {}, { keyId: second.id }],
      ["keys", { subject_ids: [key.hash, second.hash] }, {}, { keyId: third.id }],
    ];
    for (const [subject_type, body, counted, uncounted] of cases) {
      const { data } = await here.limit({ subject_type, ...body });
      expect(await here.statuses([counted, counted, uncounted]), subject_type).toEqual([200, 403, 200]);
      if (subject_type === "keys") expect((await here.send({ keyId: second.id })).status, "shared").toBe(403);
      await limits.remove(world.context, { params: { id: data.id }, query: {}, body: undefined });
    }
  });

  it("of each end user counts them separately, and one that is named has its own", async () => {
    const here = await scene();
    await here.limit({ subject_type: "end_user", reset_interval: "monthly" });
    await here.limit({ subject_type: "end_user", subject_ids: ["vip"], amount: 1, reset_interval: "monthly" });
    expect(await here.statuses([{ endUser: "eve" }, { endUser: "eve" }, { endUser: "bob" }, {}])).toEqual([
      200, 403, 200, 200,
    ]);
    expect(await here.statuses([{ endUser: "vip" }, { endUser: "vip" }])).toEqual([200, 200]);
    const named = [{ user: "eve" }, { safety_identifier: "eve" }].map((body) => ({ body, endUser: "someone" }));
    expect(await here.statuses(named)).toEqual([403, 403]);
    const unnamed = [{ user: "" }, { user: "", safety_identifier: "" }].map((body) => ({ body, endUser: "eve" }));
    expect(await here.statuses(unnamed), "an empty name in the body").toEqual([403, 403]);
    const long = "x".repeat(1000);
    expect(await here.statuses([1, 2].map(() => ({ body: { safety_identifier: long } })))).toEqual([200, 403]);
    expect(await here.statuses([1, 2].map(() => ({ body: { safety_identifier: "\0" } })))).toEqual([200, 403]);
  });

  it("of a model or provider excludes it, and others serve", async () => {
    const here = await scene();
    await here.limit({ name: "Acme", subject_type: "provider", subject_ids: ["acme"], reset_interval: "daily" });
    await here.limit({ name: "Models", subject_type: "model", reset_interval: "daily", amount: 2 * COST_USD });
    const both = { body: { models: ["acme/one", "other/one"] } };
    expect(await here.statuses([both, both, {}])).toEqual([200, 200, 403]);
    const { status, id } = await here.send(both);
    expect(status).toBe(200);
    expect(await decisionsOf(here, id)).toEqual([
      'organization limit_usd exclude: daily limit of $0.00003 of limit "Acme" (provider acme)',
    ]);
    const blocked = await here.send(both);
    expect(blocked.status).toBe(403);
    expect(await decisionsOf(here, blocked.id)).toEqual([
      'organization limit_usd block: daily limit of $0.00006 of limit "Models" (model other/one)',
      'organization limit_usd block: daily limit of $0.00003 of limit "Acme" (provider acme)',
    ]);
  });

  it("counts by the day of its time zone", async () => {
    const here = await scene();
    await here.limit({ subject_type: "organization", reset_interval: "daily", time_zone: "America/New_York" });
    const at = (time: string) => ({ at: new Date(time) });
    expect(
      await here.statuses([at("2026-11-20T10:00:00Z"), at("2026-11-21T04:59:59Z"), at("2026-11-21T05:00:00Z")]),
    ).toEqual([200, 403, 200]);
  });

  it("carries over what a period left, once", async () => {
    const here = await scene();
    await here.limit({ subject_type: "organization", reset_interval: "daily", amount: 2 * COST_USD, carry_over: true });
    const day = (number: number, requests: number) =>
      Array.from({ length: requests }, () => ({ at: new Date(`2026-11-${number}T12:00:00Z`) }));
    expect(await here.statuses(day(20, 1)), "created during the day").toEqual([200]);
    expect(await here.statuses(day(21, 3)), "the day before was not complete").toEqual([200, 200, 403]);
    expect(await here.statuses(day(22, 1))).toEqual([200]);
    expect(await here.statuses(day(23, 4)), "one more than two").toEqual([200, 200, 200, 403]);
    const [again = {}] = day(23, 1);
    const { error } = await here.send(again);
    expect(error?.message).toContain("daily limit of $0.00009 of ");
    expect(error?.message).toContain(": $0.00009 spent;");
    expect(error?.metadata).toMatchObject({ budgets: [{ limit_usd: 3 * COST_USD, spend_usd: 3 * COST_USD }] });
    expect(await here.statuses(day(24, 3)), "nothing was left").toEqual([200, 200, 403]);
    expect(await here.statuses(day(26, 5)), "an unused day, but not two").toEqual([200, 200, 200, 200, 403]);
  });

  it("doesn't carry over from a period in which it was another one", async () => {
    const here = await scene();
    const body = { subject_type: "organization", reset_interval: "daily", amount: 2 * COST_USD, carry_over: true };
    const { data } = await here.limit(body);
    const at = (time: string) => new Date(time);
    expect(await here.statuses([{ at: at("2026-11-22T12:00:00Z") }])).toEqual([200]);
    const change = (time: string, changes: object) =>
      limits.update(
        { ...here.world.context, now: at(time) },
        { params: { id: data.id }, query: {}, body: UpdateLimitBody.parse(changes) },
      );
    await change("2026-11-23T00:30:00Z", { amount: 3 * COST_USD });
    const day = (number: number, requests: number) =>
      Array.from({ length: requests }, () => ({ at: at(`2026-11-${number}T12:00:00Z`) }));
    expect(await here.statuses(day(23, 4)), "the new amount, and nothing of the old one").toEqual([200, 200, 200, 403]);
    await change("2026-11-24T00:30:00Z", { carry_over: false });
    await change("2026-11-26T00:30:00Z", { carry_over: true });
    expect(await here.statuses(day(26, 4)), "turned on during the day").toEqual([200, 200, 200, 403]);
    await change("2026-11-26T13:00:00Z", { name: "Renamed" });
    expect(await here.statuses(day(28, 7)), "of the 27th").toEqual([200, 200, 200, 200, 200, 200, 403]);
  });

  it("excludes models without a known price, as it can't count them", async () => {
    const here = await scene();
    const { db } = here.world.context;
    await db.endpoint.updateMany({
      where: { provider: { slug: "acme", organizationId: here.world.organizationId } },
      data: { priceSource: "unknown", pricePrompt: "0", priceCompletion: "0" },
    });
    await here.limit({ subject_type: "model", subject_ids: ["other/one"], amount: 1 });
    expect((await here.send()).status, "another model").toBe(200);
    await here.limit({ subject_type: "model", subject_ids: ["acme/one"], amount: 1 });
    expect(await here.send()).toMatchObject({
      status: 403,
      error: { metadata: { reason: "unpriced_model" } },
    });
  });
});

describe("a rate limit", () => {
  it("of requests answers 429 until the next minute, with what is left", async () => {
    const here = await scene();
    await here.limit({ name: "Rate", subject_type: "key", metric: "requests", amount: 2, reset_interval: "minutely" });
    const first = await here.send({ at: new Date("2026-11-20T10:00:15Z") });
    expect(["limit", "remaining", "reset"].map((name) => first.headers.get(`x-ratelimit-${name}-requests`))).toEqual([
      "2",
      "1",
      "45s",
    ]);
    await here.send({ at: new Date("2026-11-20T10:00:20Z") });
    const third = await here.send({ at: new Date("2026-11-20T10:00:30Z") });
    expect(third).toMatchObject({
      status: 429,
      error: {
        headers: { "retry-after": "30" },
        metadata: { limits: [{ limit_name: "Rate", counted_per: "key", used: 2, limit: 2 }], retry_after: 30 },
      },
    });
    expect(third.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    expect(await decisionsOf(here, third.id)).toEqual([
      'organization limit_requests block: limit of 2 requests per minute of limit "Rate" (this key)',
    ]);
    expect((await here.send({ at: new Date("2026-11-20T10:01:00Z") })).status).toBe(200);
  });

  it("of tokens reserves the most that a request may use, and counts what it used", async () => {
    const here = await scene();
    const limit = { subject_type: "organization", metric: "tokens", amount: 50, reset_interval: "minutely" };
    const { id: sourceId } = (await here.limit(limit)).data;
    const first = await here.send();
    expect(first.headers.get("x-ratelimit-limit-tokens")).toBe("50");
    expect(Number(first.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(40);
    expect(await here.statuses([{}, {}, {}])).toEqual([200, 200, 429]);
    const budget = await here.world.context.db.budget.findFirstOrThrow({ where: { sourceId } });
    expect(budget.spentMicroUsd).toBe(60n);
  });

  it("of tokens is shown while a request reserves more than any model writes", async () => {
    const here = await scene();
    const limit = { subject_type: "organization", metric: "tokens", amount: 50, reset_interval: "minutely" };
    const { data } = await here.limit(limit);
    const { arrived, end } = here.holdUp();
    const running = here.send({ at: LATEST, body: { max_tokens: Number.MAX_SAFE_INTEGER } });
    await expect.poll(arrived).toBe(1);
    const shown = await limits.get(
      { ...here.world.context, now: LATEST },
      { params: { id: data.id }, query: {}, body: undefined },
    );
    expect(Limit.parse(shown.data).closest).toMatchObject({ reserved: 1e12, remaining: 0 });
    end();
    await running;
  });

  it("of concurrent requests counts those that run", async () => {
    const here = await scene();
    await here.limit({
      subject_type: "end_user",
      metric: "concurrent_requests",
      amount: 2,
    });
    const { arrived, end } = here.holdUp();
    const send = (endUser: string) => here.send({ at: LATEST, endUser });
    const running = [send("eve"), send("eve")];
    await expect.poll(arrived).toBe(2);
    expect(await send("eve")).toMatchObject({
      status: 429,
      error: { headers: { "retry-after": "1" } },
    });
    const other = send("bob");
    await expect.poll(arrived).toBe(3);
    end();
    expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await send("eve")).status).toBe(200);
  });

  it("of a provider lets another one serve", async () => {
    const here = await scene();
    await here.limit({
      subject_type: "provider",
      subject_ids: ["acme"],
      metric: "requests",
      amount: 1,
      reset_interval: "minutely",
    });
    const both = { body: { models: ["acme/one", "other/one"] } };
    expect(await here.statuses([both, {}, both])).toEqual([200, 429, 200]);
    const spend = { metric: "spend", amount: 0, reset_interval: "daily" };
    await here.limit({ ...spend, subject_type: "provider", subject_ids: ["acme"] });
    expect((await here.send()).status, "never free again today").toBe(403);
    await here.limit({ ...spend, subject_type: "model", subject_ids: ["other/one"] });
    expect((await here.send(both)).status, "no endpoint is").toBe(403);
  });
});
