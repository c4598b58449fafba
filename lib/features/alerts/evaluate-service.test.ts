import { expect, it, vi } from "vitest";
import { rollUp } from "../analytics/rollup-service";
import { deliverNotification } from "../../records/notifications/delivery-service";
import { answers, receiver } from "../../testing/receiver";
import { uuidv7 } from "../../platform/ids";
import { logger } from "../../platform/logger";
import { createKey, createWorkspace } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateAlertBody, UpdateAlertBody } from "./contract";
import { evaluateAlerts } from "./evaluate-service";
import { create, listFirings, update } from "./service";

const none = { query: {}, params: {}, body: undefined };
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const PRIVATE = { allowPrivateUpstreams: true };

const worldOf = async () => {
  const world = await testWorld();
  return { ...world, context: { ...world.context, settings: { ...world.context.settings, ...PRIVATE } } };
};

const ruleOf = async ({ context }: World, body: Record<string, unknown>) =>
  (await create(context, { ...none, body: CreateAlertBody.parse({ name: "Rule", ...body }) })).data;

const evaluate = ({ context: { db, settings } }: World, now: Date) => evaluateAlerts(db, settings, now);

const firings = async ({ context }: World) =>
  (await listFirings(context, { ...none, query: { offset: 0, limit: 50 } })).data;

async function requests(world: World, count: number, given: Parameters<typeof createGeneration>[1]) {
  for (let made = 0; made < count; made++) await createGeneration(world, given);
}

it("fires once although several processes evaluate, then resolves", async () => {
  const world = await worldOf();
  await ruleOf(world, {
    kind: "error_rate",
    threshold: 50,
    min_requests: 4,
    slack_url: "http://127.0.0.1:9/slack",
  });
  await requests(world, 2, { createdAt: at(-5), status: "succeeded" });
  await requests(world, 1, { createdAt: at(-5), status: "failed" });
  await evaluate(world, NOW);
  expect(await firings(world)).toEqual([]);
  await requests(world, 1, { createdAt: at(-1), status: "failed" });
  await rollUp(world.context.db);
  await Promise.all([evaluate(world, at(1)), evaluate(world, at(1)), evaluate(world, at(1))]);
  expect(await firings(world)).toMatchObject([
    {
      state: "firing",
      value: 50,
      message: "50% of requests failed in 15 minutes (threshold: 50%)",
      notifications: [{ channel: "slack", type: "alert.fired", status: "pending" }],
    },
  ]);
  await Promise.all([evaluate(world, at(16)), evaluate(world, at(16))]);
  expect(await firings(world)).toMatchObject([
    {
      state: "resolved",
      resolved_at: at(16).toISOString(),
      notifications: [{ type: "alert.fired" }, { type: "alert.resolved" }],
    },
  ]);
});

it("repeats a notification only after the quiet period", async () => {
  const world = await worldOf();
  await ruleOf(world, {
    kind: "latency_p95",
    threshold: 1000,
    min_requests: 1,
    quiet_minutes: 10,
    window_minutes: 60,
    slack_url: "http://127.0.0.1:9/slack",
  });
  await requests(world, 1, { createdAt: at(-1), generationTimeMs: 5000 });
  for (const minute of [0, 1, 9, 10, 11]) await evaluate(world, at(minute));
  expect((await firings(world))[0]?.notifications).toHaveLength(2);
});

it("measures the time to first token apart from the duration", async () => {
  const world = await worldOf();
  await ruleOf(world, { kind: "time_to_first_token_p95", threshold: 1000, min_requests: 2 });
  await requests(world, 1, { createdAt: at(-1), latencyMs: 2000, generationTimeMs: 9000 });
  await evaluate(world, NOW);
  expect(await firings(world)).toEqual([]);
  await requests(world, 1, { createdAt: at(-1), latencyMs: 100, generationTimeMs: 9000 });
  await evaluate(world, NOW);
  const [firing] = await firings(world);
  expect(firing?.message).toContain("The p95 of the time to first token is");
  expect(Math.abs((firing?.value ?? 0) / 2000 - 1)).toBeLessThan(0.03);
});

it("judges a spike against the usual number of blocked requests", async () => {
  const world = await worldOf();
  await ruleOf(world, { kind: "block_spike", threshold: 3, window_minutes: 60 });
  // 48 in 24 hours are two in each.
  await requests(world, 48, { createdAt: at(-300), status: "blocked" });
  await requests(world, 5, { createdAt: at(-5), status: "blocked" });
  await evaluate(world, NOW);
  expect(await firings(world)).toEqual([]);
  await requests(world, 1, { createdAt: at(-5), status: "blocked" });
  await evaluate(world, NOW);
  expect(await firings(world)).toMatchObject([
    { value: 6, message: "6 requests blocked in 60 minutes (threshold: 3 requests)" },
  ]);
});

it.each(["counted", "added up"])("judges a guardrail's spike by what it blocked itself, %s", async (how) => {
  const world = await worldOf();
  const { db } = world.context;
  const id = uuidv7(NOW);
  await db.guardrail.create({ data: { id, workspaceId: world.workspaceId, name: "G", createdAt: NOW } });
  await ruleOf(world, { kind: "block_spike", threshold: 2, window_minutes: 60, guardrail_id: id });
  const record = async (action: string) => {
    const createdAt = at(-5);
    const generationId = await createGeneration(world, { createdAt, status: "blocked" });
    await db.decision.create({
      data: { createdAt, generationId, position: 0, scope: "key", guardrailId: id, field: "f", action, spans: [] },
    });
  };
  for (const action of ["flag", "flag", "block"]) await record(action);
  if (how === "added up") await rollUp(db);
  await evaluate(world, NOW);
  expect(await firings(world)).toEqual([]);
  await record("block");
  await evaluate(world, NOW);
  expect(await firings(world)).toMatchObject([{ value: 2 }]);
});

it("fires for each failing provider, counting skipped and recovered attempts", async () => {
  const world = await worldOf();
  await ruleOf(world, { kind: "provider_down", threshold: 80, min_requests: 3 });
  const attempt = (provider: string, status: number | null, error: string | null) => ({
    provider,
    provider_name: provider,
    model: "m",
    status,
    latency_ms: 1,
    error,
  });
  await requests(world, 3, {
    createdAt: at(-5),
    attempts: [attempt("down", 503, "unavailable"), attempt("up", 200, null)],
  });
  await requests(world, 3, {
    createdAt: at(-5),
    providerSlug: "lone",
    attempts: [{ provider_name: "Lone", status: 503, latency_ms: 1, error: "unavailable" }],
  });
  await requests(world, 1, { createdAt: at(-4), attempts: [attempt("down", null, "skipped: circuit open")] });
  await requests(world, 3, { createdAt: at(-4), attempts: [attempt("refusing", 400, "bad request")] });
  await evaluate(world, NOW);
  const fired = await firings(world);
  expect(fired.toSorted((a, b) => (a.message < b.message ? -1 : 1))).toMatchObject([
    { value: 100, message: "100% of attempts at down failed in 15 minutes (threshold: 80%)" },
    { value: 100, message: "100% of attempts at lone failed in 15 minutes (threshold: 80%)" },
  ]);
});

it("fires for each budget that reaches the share of its limit", async () => {
  const world = await worldOf();
  const { db } = world.context;
  const { id: keyId, hash } = await createKey(world, { name: "ci" });
  await db.key.update({ where: { id: keyId }, data: { limitMicroUsd: 10_000_000n } });
  await ruleOf(world, { kind: "budget", threshold: 80, key_hash: hash });
  const spend = (microUsd: bigint) =>
    db.budget.upsert({
      where: { id: keyId },
      create: {
        id: keyId,
        sourceId: keyId,
        subject: "key",
        subjectId: keyId,
        window: "lifetime",
        windowStart: new Date(0),
        spentMicroUsd: microUsd,
        updatedAt: NOW,
      },
      update: { spentMicroUsd: microUsd },
    });
  await spend(7_900_000n);
  await evaluate(world, NOW);
  expect(await firings(world)).toEqual([]);
  await spend(8_500_000n);
  await evaluate(world, at(1));
  expect(await firings(world)).toMatchObject([
    { value: 85, message: "Own limit, key ci: 85% of the limit is used (threshold: 80%)" },
  ]);
});

it("evaluates the rules after one that fails, and fails", async () => {
  const world = await worldOf();
  const logged = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const failing = { kind: "error_rate", threshold: 50, min_requests: 1, slack_url: "http://127.0.0.1:9/slack" };
  const broken = await ruleOf(world, failing);
  const intact = await ruleOf(world, { ...failing, slack_url: undefined });
  await world.context.db.alertRule.update({
    where: { id: broken.id },
    data: { slackCiphertext: "not encrypted" },
  });
  await requests(world, 1, { createdAt: at(-1), status: "failed" });
  try {
    await expect(evaluate(world, NOW)).rejects.toThrow(`alert rules failed: ${broken.id}`);
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ step: broken.id }), "alert rules failed");
    expect(await firings(world)).toMatchObject([{ alert_id: intact.id, state: "firing" }]);
  } finally {
    // Other tests evaluate every rule of the shared database.
    await world.context.db.alertRule.delete({ where: { id: broken.id } });
    logged.mockRestore();
  }
});

it("fires for each deprecated model in use that retires within the threshold, until nobody uses it", async () => {
  const world = await worldOf();
  const { context, organizationId } = world;
  const providerId = uuidv7(NOW);
  const openai = { slug: "openai", name: "OpenAI", baseUrl: "https://api.openai.com/v1" };
  await context.db.provider.create({ data: { id: providerId, organizationId, ...openai } });
  for (const name of ["gpt-4", "gpt-4o", "o3"]) {
    const [id, slug] = [uuidv7(NOW), `openai/${name}`];
    const endpoints = { create: { id: uuidv7(NOW), providerId, upstreamModel: name } };
    const model = { id, organizationId, slug, canonicalSlug: slug, name, vendor: "openai", endpoints };
    await context.db.model.create({ data: model });
  }
  const key = await createKey(world, { name: "CI" });
  const days = (value: number) => new Date(NOW.getTime() + value * 24 * 60 * MINUTE_MS);
  for (const model of ["openai/gpt-4", "openai/gpt-4o"])
    await requests(world, 1, { model, keyId: key.id, createdAt: at(-1) });
  const left = Math.ceil((Date.parse("2027-01-14T00:00:00.000Z") - NOW.getTime()) / (24 * 60 * MINUTE_MS));
  const { id } = await ruleOf(world, { kind: "deprecated_model", threshold: left - 1 });
  const other = await createWorkspace(world);
  await ruleOf(world, { kind: "deprecated_model", threshold: 1000, workspace_id: other });
  const fired = async () => (await firings(world)).map(({ state, value, message }) => [state, value, message]);
  await evaluate(world, NOW);
  const retired = [
    "firing",
    0,
    `openai/gpt-4 is retired and is still in use (threshold: ${left - 1} days). Retirement: 2026-10-23. Replacement: gpt-5.6-sol. Used by CI`,
  ];
  expect(await fired()).toEqual([retired]);
  await evaluate(world, days(1));
  const retiring = [
    "firing",
    left - 1,
    `openai/gpt-4o retires in ${left - 1} days and is still in use (threshold: ${left - 1} days). Retirement: 2027-01-14. Replacement: gpt-6-luna. Used by CI`,
  ];
  expect(await fired()).toEqual([retiring, retired]);
  await update(context, { ...none, params: { id }, body: UpdateAlertBody.parse({ threshold: 1 }) });
  await evaluate(world, days(1.1));
  expect((await fired()).map(([state]) => state)).toEqual(["resolved", "firing"]);
  await evaluate(world, days(8));
  expect((await fired()).map(([state]) => state)).toEqual(["resolved", "resolved"]);
});

it("resolves without a notification when the rule is disabled", async () => {
  const world = await worldOf();
  const rule = await ruleOf(world, { kind: "block_spike", threshold: 1, slack_url: "http://127.0.0.1:9/slack" });
  await requests(world, 1, { createdAt: at(-1), status: "blocked" });
  await evaluate(world, NOW);
  await update(world.context, { ...none, params: { id: rule.id }, body: UpdateAlertBody.parse({ enabled: false }) });
  await evaluate(world, at(1));
  expect(await firings(world)).toMatchObject([{ state: "resolved", notifications: [{ type: "alert.fired" }] }]);
});

it("keeps a message that a stopping process didn't send, retries until Slack accepts it, and then forgets it", async () => {
  const { url, received } = await receiver((response, nth) =>
    answers(nth === 1 ? 500 : 200, nth === 1 ? "" : "ok")(response),
  );
  const world = await worldOf();
  await ruleOf(world, { kind: "block_spike", threshold: 1, slack_url: url });
  await requests(world, 1, { createdAt: at(-1), status: "blocked" });
  await evaluate(world, NOW);
  const { db, settings } = world.context;
  const attempt = async () => {
    const row = await db.notification.findFirstOrThrow({ where: { organizationId: world.organizationId } });
    const due = row.nextAttemptAt ?? NOW;
    const context = { db, settings, clock: () => due, signal: new AbortController().signal };
    await deliverNotification(context, { notification_id: row.id, due_at: due.toISOString() });
    return db.notification.findUniqueOrThrow({ where: { id: row.id } });
  };
  const { id, nextAttemptAt } = await db.notification.findFirstOrThrow({
    where: { organizationId: world.organizationId },
  });
  const stopping = { db, settings, clock: () => NOW, signal: AbortSignal.abort(new Error("the process is stopping")) };
  const due_at = nextAttemptAt?.toISOString() ?? "";
  await expect(deliverNotification(stopping, { notification_id: id, due_at })).rejects.toThrow("stopping");
  expect(await db.notification.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "pending", tries: 0 });
  expect(await attempt()).toMatchObject({ status: "pending", tries: 1 });
  expect(await attempt()).toMatchObject({
    status: "delivered",
    tries: 2,
    payloadCiphertext: null,
    nextAttemptAt: null,
  });
  expect(JSON.parse(received[1]?.body ?? "")).toMatchObject({
    text: "Firing: Rule: 1 request blocked in 15 minutes (threshold: 1 request)",
  });
  expect((await firings(world))[0]?.notifications[0]).toMatchObject({
    status: "delivered",
    attempts: [{ status: 500 }, { status: 200, answer: "ok" }],
  });
});
