import { Webhook as Verifier } from "standardwebhooks";
import { expect, it, vi } from "vitest";
import * as auditEvents from "../../platform/audit/service";
import { answers, receiver } from "../../testing/receiver";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateWebhookBody } from "./contract";
import { deliver, type DeliveryContext } from "./delivery-service";
import { get as getDelivery, redeliver, test } from "./deliveries-service";
import { create, get, rotate, update } from "./service";

const none = { query: {}, params: {}, body: undefined };

/** Creates a webhook with a pending test event. */
async function sent(url: string) {
  const world = await testWorld();
  const { context } = world;
  const { data: webhook, secret } = await create(context, {
    ...none,
    body: CreateWebhookBody.parse({ url, events: ["key.created"] }),
  });
  const { data: delivery } = await test(context, { ...none, params: { id: webhook.id } });
  return { world, webhook, secret, id: delivery.id };
}

const courierOf = ({ context }: World, now = NOW, given: Partial<DeliveryContext> = {}): DeliveryContext => ({
  db: context.db,
  settings: context.settings,
  clock: () => now,
  signal: new AbortController().signal,
  ...given,
});

/** Makes the due attempt at its due time. */
async function attempt(world: World, id: string): Promise<void> {
  const { nextAttemptAt } = await world.context.db.webhookDelivery.findUniqueOrThrow({ where: { id } });
  if (nextAttemptAt)
    await deliver(courierOf(world, nextAttemptAt), { delivery_id: id, due_at: nextAttemptAt.toISOString() });
}

const read = async ({ context }: World, webhookId: string, id: string) =>
  (await getDelivery(context, { ...none, params: { id: webhookId, delivery_id: id } })).data;
const webhookOf = async ({ context }: World, id: string) => (await get(context, { ...none, params: { id } })).data;

it("sends deliveries that the official library verifies, byte for byte", async () => {
  const { url, received } = await receiver(answers(200, "thanks"));
  const { world, webhook, secret, id } = await sent(url);
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  await attempt(world, id);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "webhook.test",
    timestamp: NOW.toISOString(),
  });
  expect(() => new Verifier(secret).verify(body.replace("test", "tesd"), headers as Record<string, string>)).toThrow(
    "No matching signature",
  );
  vi.useRealTimers();
  expect(headers).toMatchObject({ "webhook-id": id, "content-type": "application/json" });
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "delivered",
    next_attempt_at: null,
    body,
    attempts: [{ at: NOW.toISOString(), status: 200, answer: "thanks", error: null }],
  });
});

it("signs with both secrets during a rotation's grace period, then only with the new one", async () => {
  const { url, received } = await receiver(answers(204));
  const { world, webhook, secret: old, id } = await sent(url);
  const { context } = world;
  const { secret } = await rotate(context, { ...none, params: { id: webhook.id }, body: { grace_seconds: 60 } });
  await attempt(world, id);
  const late = new Date(NOW.getTime() + 60_000);
  await redeliver({ ...context, now: late }, { ...none, params: { id: webhook.id, delivery_id: id } });
  await attempt(world, id);
  const verifies = (by: string, nth: number) => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    try {
      new Verifier(by).verify(received[nth]?.body ?? "", received[nth]?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    } finally {
      vi.useRealTimers();
    }
  };
  expect([verifies(old, 0), verifies(secret, 0), verifies(old, 1), verifies(secret, 1)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

it("retries a 500 after 5 s with the same id", async () => {
  const { url, received } = await receiver((response, nth) =>
    response.writeHead(nth === 1 ? 500 : 200).end("x".repeat(3000)),
  );
  const { world, webhook, id } = await sent(url);
  await attempt(world, id);
  expect(await webhookOf(world, webhook.id)).toMatchObject({ failing_since: NOW.toISOString(), enabled: true });
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "pending",
    next_attempt_at: "2026-11-20T10:00:05.000Z",
    attempts: [{ status: 500, error: "The receiver returned 500", answer: "x".repeat(1024) }],
  });
  await attempt(world, id);
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "delivered",
    attempts: [{ status: 500 }, { status: 200 }],
  });
  expect(await webhookOf(world, webhook.id)).toMatchObject({ failing_since: null });
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

it("gives up after seven attempts", async () => {
  const { url, received } = await receiver(answers(503));
  const { world, webhook, id } = await sent(url);
  for (let count = 0; count < 9; count++) await attempt(world, id);
  expect(received).toHaveLength(7);
  expect(await read(world, webhook.id, id)).toMatchObject({ status: "failed", next_attempt_at: null });
  expect(await webhookOf(world, webhook.id)).toMatchObject({ enabled: true });
});

it("disables a webhook after three days of failures and drops pending deliveries", async () => {
  const { url, received } = await receiver(answers(500));
  const { world, webhook, id } = await sent(url);
  const { context } = world;
  await context.db.webhook.update({
    where: { id: webhook.id },
    data: { failingSince: new Date(NOW.getTime() - 3 * 24 * 3_600_000) },
  });
  await attempt(world, id);
  expect(await webhookOf(world, webhook.id)).toMatchObject({
    enabled: false,
    disabled_reason: "All deliveries failed for three days",
  });
  expect(await read(world, webhook.id, id)).toMatchObject({ status: "failed" });
  await context.db.webhookDelivery.update({
    where: { id },
    data: { status: "pending", type: "key.created", nextAttemptAt: NOW },
  });
  await attempt(world, id);
  expect(received).toHaveLength(1);
  expect(await read(world, webhook.id, id)).toMatchObject({ status: "failed", next_attempt_at: null });
});

it("disables a webhook on 410", async () => {
  const { url } = await receiver(answers(410));
  const { world, webhook, id } = await sent(url);
  await attempt(world, id);
  expect(await webhookOf(world, webhook.id)).toMatchObject({
    enabled: false,
    disabled_reason: "The receiver returned 410 Gone",
  });
  const { data } = await auditEvents.list(world.context, { ...none, query: { limit: 1, action: "webhook.disable" } });
  expect(data).toMatchObject([
    {
      actor: { type: "system", id: null, name: "Signalbox" },
      target: { id: webhook.id },
      before: { enabled: true },
      after: { enabled: false },
      request_id: id,
      created_at: NOW.toISOString(),
    },
  ]);
  expect(await read(world, webhook.id, id)).toMatchObject({ status: "failed" });
});

it("doesn't follow redirects", async () => {
  const { url: elsewhere, received } = await receiver(answers(200));
  const { url } = await receiver(answers(307, "", { location: elsewhere }));
  const { world, webhook, id } = await sent(url);
  await attempt(world, id);
  expect(received).toEqual([]);
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "pending",
    attempts: [{ status: 307, error: "The receiver redirects (307); redirects aren't followed" }],
  });
});

it("never calls private addresses where that is off, even when already stored", async () => {
  const { url, received } = await receiver(answers(200));
  const { world, webhook, id } = await sent(url);
  const settings = { ...world.context.settings, allowPrivateUpstreams: false };
  await deliver(courierOf(world, NOW, { settings }), { delivery_id: id, due_at: NOW.toISOString() });
  expect(received).toEqual([]);
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "pending",
    attempts: [{ status: null, error: expect.stringMatching(/^The URL must start with https/) as string }],
  });
});

it("aborts a hanging receiver after ten seconds, but waits for a slow one", async () => {
  const { url, received } = await receiver(() => undefined);
  const slow = await receiver((response) => {
    setTimeout(() => response.writeHead(200).end(), 300);
  });
  const [hanging, heard] = [await sent(url), await sent(slow.url)];
  await attempt(heard.world, heard.id);
  const overdue = new AbortController();
  const deadline = vi.spyOn(AbortSignal, "timeout").mockReturnValue(overdue.signal);
  const attempted = attempt(hanging.world, hanging.id);
  await expect.poll(() => received.length).toBe(1);
  expect(deadline.mock.calls).toEqual([[10_000]]);
  deadline.mockRestore();
  overdue.abort(new DOMException("overdue", "TimeoutError"));
  await attempted;
  expect(await read(hanging.world, hanging.webhook.id, hanging.id)).toMatchObject({
    status: "pending",
    attempts: [{ status: null, error: "No response within 10 s" }],
  });
  expect(await read(heard.world, heard.webhook.id, heard.id)).toMatchObject({ status: "delivered" });
});

it("counts responses that can't be stored, or break off, by their status", async () => {
  const odd = await receiver(answers(200, "a\u0000b"));
  const broken = await receiver((response) => {
    response.writeHead(200, { "content-length": 100 }).write("half");
    setTimeout(() => response.destroy(), 50);
  });
  for (const { url, answer } of [
    { url: odd.url, answer: "a\ufffdb" },
    { url: broken.url, answer: null },
  ]) {
    const { world, webhook, id } = await sent(url);
    await attempt(world, id);
    expect(await read(world, webhook.id, id)).toMatchObject({
      status: "delivered",
      attempts: [{ status: 200, answer }],
    });
  }
});

it("ignores duplicate jobs and jobs of a replaced schedule", async () => {
  const { url, received } = await receiver(answers(500));
  const { world, webhook, id } = await sent(url);
  const first = { delivery_id: id, due_at: NOW.toISOString() };
  await deliver(courierOf(world), first);
  await deliver(courierOf(world), first);
  expect(received).toHaveLength(1);
  const later = new Date(NOW.getTime() + 1000);
  await redeliver({ ...world.context, now: later }, { ...none, params: { id: webhook.id, delivery_id: id } });
  await deliver(courierOf(world, NOW), { delivery_id: id, due_at: "2026-11-20T10:00:05.000Z" });
  expect(received).toHaveLength(1);
  await attempt(world, id);
  expect(await read(world, webhook.id, id)).toMatchObject({
    next_attempt_at: "2026-11-20T10:00:06.000Z",
    attempts: [{}, {}],
  });
});

it("records no attempt that a stopping process aborts", async () => {
  const stop = new AbortController();
  const { url } = await receiver(() => {
    stop.abort(new Error("stops"));
  });
  const { world, webhook, id } = await sent(url);
  await expect(
    deliver(courierOf(world, NOW, { signal: stop.signal }), { delivery_id: id, due_at: NOW.toISOString() }),
  ).rejects.toThrow("stops");
  expect(await read(world, webhook.id, id)).toMatchObject({
    status: "pending",
    attempts: [],
    next_attempt_at: NOW.toISOString(),
  });
});

it("sends only tests to a manually disabled webhook", async () => {
  const { url, received } = await receiver(answers(200));
  const { world, webhook, id } = await sent(url);
  await update(world.context, { ...none, params: { id: webhook.id }, body: { enabled: false } });
  await attempt(world, id);
  expect(received).toHaveLength(1);
});
