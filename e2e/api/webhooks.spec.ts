import { updateGuardrailThresholds, getGuardrailThresholds } from "../../lib/records/budgets/thresholds-contract";
import { listBudgets } from "../../lib/records/budgets/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { updateGuardrail } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { updateKey } from "../../lib/records/keys/contract";
import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
} from "../../lib/records/webhooks/contract";
import { expect, test as base } from "../fixtures";
import { startReceiver, verified, type WebhookReceiver } from "../webhook-receiver";

interface Hook {
  receiver: WebhookReceiver;
  /** Creates a webhook to the receiver, deleted after the test. */
  listen: (events: Webhook["events"]) => Promise<{ data: Webhook; secret: string }>;
}

const test = base.extend<{ hook: Hook }>({
  hook: async ({ api }, use) => {
    const receiver = await startReceiver();
    const made: string[] = [];
    const listen: Hook["listen"] = async (events) => {
      const answer = await api.call(createWebhook, { body: { url: receiver.url, events } });
      made.push(answer.data.id);
      return answer;
    };
    await use({ receiver, listen });
    for (const id of made) await api.send(deleteWebhook, { params: { id } });
    receiver.stop();
  },
});

test("a change is delivered to subscribers, signed according to Standard Webhooks", async ({
  api,
  world,
  hook: { receiver, listen },
}) => {
  const { data: webhook, secret } = await listen(["guardrail.updated", "key.disabled"]);
  const guardrail = await world.guardrail({ name: "Told" });
  const key = await world.inferenceKey();
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { limit_usd: 7 } });
  await api.call(updateKey, { params: { hash: key.hash }, body: { disabled: true } });
  const mine = () =>
    receiver.received
      .map((one) => verified(secret, one))
      .filter(({ data }) => [guardrail.id, key.hash].some((id) => JSON.stringify(data).includes(id)));
  await expect
    .poll(() =>
      mine()
        .map(({ type }) => type)
        .sort(),
    )
    .toEqual(["guardrail.updated", "key.disabled"]);
  expect(mine().find(({ type }) => type === "guardrail.updated")?.data).toMatchObject({
    actor: { type: "key" },
    target: { type: "guardrail", id: guardrail.id, name: "Told" },
    workspace_id: world.workspaceId,
    before: { limit_usd: null },
    after: { limit_usd: 7 },
  });
  expect((await api.call(getWebhook, { params: { id: webhook.id } })).data).toEqual(webhook);
  expect(JSON.stringify((await api.call(listWebhooks)).data)).not.toContain("whsec_");
});

test("a failed delivery has an error and is redelivered with the same ID", async ({
  api,
  hook: { receiver, listen },
}) => {
  const { data: webhook, secret } = await listen(["blocks.spike"]);
  const params = { id: webhook.id };
  receiver.answer(500, "not today");
  const { data: sent } = await api.call(testWebhook, { params });
  expect(sent).toMatchObject({ type: "webhook.test", status: "pending", attempts: [] });
  const read = async () => (await api.call(getWebhookDelivery, { params: { ...params, delivery_id: sent.id } })).data;
  await expect.poll(async () => (await read()).attempts.length).toBeGreaterThan(0);
  expect(await read()).toMatchObject({
    status: "pending",
    attempts: [{ status: 500, answer: "not today", error: "The receiver returned 500" }],
  });
  expect((await read()).next_attempt_at).not.toBeNull();
  expect((await api.call(getWebhook, { params })).data.failing_since).not.toBeNull();
  receiver.answer(204);
  await api.call(redeliverWebhook, { params: { ...params, delivery_id: sent.id } });
  await expect.poll(async () => (await read()).status).toBe("delivered");
  expect((await api.call(getWebhook, { params })).data.failing_since).toBeNull();
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([sent.id]));
  expect(verified(secret, receiver.received.at(-1) ?? { headers: {}, body: "" }).type).toBe("webhook.test");
  const { data, total_count } = await api.call(listWebhookDeliveries, { params, query: { status: "delivered" } });
  expect([data.map(({ id }) => id), total_count]).toEqual([[sent.id], 1]);
});

test("after a rotation the old secret verifies until it expires", async ({ api, hook: { receiver, listen } }) => {
  const { data: webhook, secret: old } = await listen(["blocks.spike"]);
  const params = { id: webhook.id };
  const { secret, data } = await api.call(rotateWebhookSecret, { params, body: { grace_seconds: 3600 } });
  expect(data.previous_secret_expires_at).not.toBeNull();
  await api.call(testWebhook, { params });
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const each of [old, secret])
    expect(verified(each, receiver.received[0] ?? { headers: {}, body: "" }).type).toBe("webhook.test");
  const { secret: last } = await api.call(rotateWebhookSecret, { params, body: { grace_seconds: 0 } });
  await api.call(testWebhook, { params });
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(verified(last, receiver.received[1] ?? { headers: {}, body: "" }).type).toBe("webhook.test");
  expect(() => verified(secret, receiver.received[1] ?? { headers: {}, body: "" })).toThrow("No matching signature");
});

test("a 410 response disables a webhook; enabling it clears the failure", async ({
  api,
  hook: { receiver, listen },
}) => {
  const { data: webhook } = await listen(["blocks.spike"]);
  const params = { id: webhook.id };
  receiver.answer(410);
  const { data: sent } = await api.call(testWebhook, { params });
  await expect
    .poll(async () => (await api.call(getWebhook, { params })).data)
    .toMatchObject({ enabled: false, disabled_reason: "The receiver returned 410 Gone" });
  await api.refuse(redeliverWebhook, 409, { params: { ...params, delivery_id: sent.id } });
  const { data } = await api.call(updateWebhook, { params, body: { enabled: true } });
  expect(data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
});

test("a reached threshold is delivered once with contributors and listed with the budget", async ({
  api,
  world,
  hook: { receiver, listen },
}) => {
  const { secret } = await listen(["budget.threshold_reached", "budget.exhausted"]);
  const guardrail = await world.guardrail({ limit_usd: 0.00001, reset_interval: "monthly" });
  const key = await world.inferenceKey();
  await api.call(updateGuardrailThresholds, { params: { id: guardrail.id }, body: { percents: [100, 40] } });
  expect((await api.call(getGuardrailThresholds, { params: { id: guardrail.id } })).data).toEqual({
    percents: [40, 100],
    in_force: [40, 100],
  });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  expect(
    (
      await api.send(
        createResponse,
        { body: { model: "sandbox/echo", input: "Hello ".repeat(20), max_output_tokens: 50 } },
        { as: key.text },
      )
    ).status,
  ).toBe(200);
  const mine = () =>
    receiver.received
      .map((one) => verified(secret, one))
      .filter(({ data }) => JSON.stringify(data).includes(guardrail.id));
  await expect
    .poll(() =>
      mine()
        .map(({ type }) => type)
        .sort(),
    )
    .toEqual(["budget.exhausted", "budget.threshold_reached"]);
  expect(mine().find(({ type }) => type === "budget.exhausted")?.data).toMatchObject({
    percent: 100,
    budget: { guardrail_id: guardrail.id, subject: { type: "key", id: key.hash } },
  });
  expect(mine()[0]?.data["message"]).toMatch(
    /^Guardrail-.* has used (all|40%) of \$0\.00001 per month\. It resets on .* 100% of the spend is from key Key-/,
  );
  const { data } = await api.call(listBudgets, { query: { guardrail_id: guardrail.id } });
  expect(data.map(({ alerts }) => alerts.map(({ percent }) => percent))).toEqual([[40, 100]]);
});

test("thresholds are set per organization", async ({ api }) => {
  const { data: before } = await api.call(getOrganization);
  const { data } = await api.call(updateOrganization, { body: { budget_thresholds: [100, 50, 80] } });
  expect(data.budget_thresholds).toEqual([50, 80, 100]);
  await api.refuse(updateOrganization, 400, { body: { budget_thresholds: [50, 50] } });
  await api.refuse(updateOrganization, 400, { body: { budget_thresholds: [0] } });
  await api.call(updateOrganization, { body: { budget_thresholds: before.budget_thresholds } });
});

test("invalid webhooks are rejected with every issue", async ({ api }) => {
  await api.refuse(createWebhook, 400, { body: { url: "ftp://example.com", events: [] } });
  await api.refuse(createWebhook, 400, { body: { url: "https://169.254.169.254/", events: ["blocks.spike"] } });
  await api.refuse(createWebhook, 400, {
    body: { url: "https://example.com", events: ["blocks.spike", "blocks.spike"] },
  });
});
