import { expect, it } from "vitest";
import { create as createGuardrail } from "../../features/guardrails/service";
import { CreateGuardrailBody } from "../guardrails/contract";
import { inTransaction, dryRun } from "../../platform/database/transaction";
import { failure } from "../../testing/expect-failure";
import { testWorld, type World } from "../../testing/test-context";
import { CreateWebhookBody } from "./contract";
import { list as listDeliveries } from "./deliveries-service";
import { resealWebhooks } from "./rotation-store";
import { openSecrets } from "./secret-rows";
import { create, get, list, remove, rotate, update } from "./service";

const URL = "https://hooks.example.com/signalbox";
const none = { query: {}, params: {}, body: undefined };
const place = { query: { offset: 0, limit: 50 } };
const make = ({ context }: World, body: object = {}) =>
  create(context, { ...none, body: CreateWebhookBody.parse({ url: URL, events: ["guardrail.created"], ...body }) });
const addGuardrail = ({ context }: World) =>
  createGuardrail(context, { ...none, body: CreateGuardrailBody.parse({ name: "G" }) });
const deliveriesOf = ({ context }: World, id: string) =>
  listDeliveries(context, { ...none, params: { id }, query: place.query });

it("shows the secret once, stores it encrypted, and lists its events", async () => {
  const world = await testWorld();
  const { data, secret } = await make(world, { description: " Incidents " });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(data).toMatchObject({
    url: URL,
    description: "Incidents",
    events: ["guardrail.created"],
    enabled: true,
    disabled_reason: null,
    failing_since: null,
  });
  const stored = await world.context.db.webhook.findUniqueOrThrow({ where: { id: data.id } });
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  expect(await list(world.context, { ...none, ...place })).toEqual({ data: [data], total_count: 1 });
  const events = await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
  expect(events.map(({ action }) => action)).toEqual(["webhook.create"]);
  expect(JSON.stringify(events)).not.toContain(secret.slice(6));
});

it("belongs to its organization", async () => {
  const { data } = await make(await testWorld());
  const { context } = await testWorld();
  const input = { ...none, params: { id: data.id } };
  for (const ask of [
    () => get(context, input),
    () => remove(context, input),
    () => update(context, { ...input, body: { enabled: false } }),
    () => rotate(context, { ...input, body: { grace_seconds: 0 } }),
    () => listDeliveries(context, { ...input, ...place }),
  ]) {
    expect((await failure(ask())).status).toBe(404);
  }
});

it("limits an organization to fifty webhooks", async () => {
  const world = await testWorld();
  for (let count = 0; count < 50; count++) await make(world);
  expect((await failure(make(world))).status).toBe(409);
});

it("rejects a private address on input unless the install allows it", async () => {
  const { settings } = (await testWorld()).context;
  const issues = (url: unknown, allowPrivateUpstreams: boolean) =>
    create.inspect({ url }, { ...settings, allowPrivateUpstreams }).map(({ path }) => path);
  expect(issues("http://127.0.0.1/hook", false)).toEqual([["url"]]);
  expect(issues("https://169.254.169.254/", true)).toEqual([["url"]]);
  expect(issues("http://127.0.0.1/hook", true)).toEqual([]);
  expect(issues("nonsense", false)).toEqual([]);
});

it("writes events and jobs in the transaction of the change, for subscribed webhooks", async () => {
  const world = await testWorld();
  const [listening, deaf, off] = [
    await make(world),
    await make(world, { events: ["key.created"] }),
    await make(world, { enabled: false }),
  ];
  const { data: guardrail } = await addGuardrail(world);
  const { data: deliveries } = await deliveriesOf(world, listening.data.id);
  expect(deliveries).toMatchObject([{ type: "guardrail.created", status: "pending", attempts: [] }]);
  const row = await world.context.db.webhookDelivery.findUniqueOrThrow({ where: { id: deliveries[0]?.id ?? "" } });
  expect(JSON.parse(row.body)).toMatchObject({
    type: "guardrail.created",
    timestamp: world.context.now.toISOString(),
    data: {
      actor: { type: "member", name: "Admin" },
      target: { type: "guardrail", id: guardrail.id, name: "G" },
      before: null,
      after: { name: "G" },
    },
  });
  expect(row.nextAttemptAt).toEqual(world.context.now);
  for (const { data } of [deaf, off]) expect((await deliveriesOf(world, data.id)).total_count).toBe(0);
});

it("sends nothing for a rolled-back change", async () => {
  const world = await testWorld();
  const { data } = await make(world);
  const failing = inTransaction(world.context.db, async (db) => {
    await addGuardrail({ ...world, context: { ...world.context, db } });
    throw new Error("after the change");
  });
  await expect(failing).rejects.toThrow("after the change");
  await dryRun(world.context.db, (db) => addGuardrail({ ...world, context: { ...world.context, db } }));
  expect((await deliveriesOf(world, data.id)).total_count).toBe(0);
});

it("clears the reason when re-enabled", async () => {
  const world = await testWorld();
  const { data } = await make(world);
  await world.context.db.webhook.update({
    where: { id: data.id },
    data: { enabled: false, disabledReason: "The receiver returned 410 Gone", failingSince: world.context.now },
  });
  const answer = await update(world.context, { ...none, params: { id: data.id }, body: { enabled: true } });
  expect(answer.data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
});

it("is deleted with its deliveries", async () => {
  const world = await testWorld();
  const { data } = await make(world);
  await addGuardrail(world);
  await remove(world.context, { ...none, params: { id: data.id } });
  expect(await world.context.db.webhookDelivery.count({ where: { webhookId: data.id } })).toBe(0);
});

it("re-encrypts secrets after a rotation of the install's secret", async () => {
  const world = await testWorld();
  const { data, secret } = await make(world);
  await rotate(world.context, { ...none, params: { id: data.id }, body: { grace_seconds: 60 } });
  const { settings, db, now } = world.context;
  const renewed = { ...settings, secretKey: Buffer.alloc(32, 8), previousSecretKeys: [settings.secretKey] };
  await resealWebhooks(db, renewed);
  const row = await db.webhook.findUniqueOrThrow({ where: { id: data.id } });
  expect(openSecrets({ ...renewed, previousSecretKeys: [] }, row, now)[1]).toBe(secret);
});
