import { expect, it } from "vitest";
import { list as listAudit } from "../../platform/audit/service";
import { CreateWebhookBody } from "../../records/webhooks/contract";
import { create as createWebhook } from "../../records/webhooks/service";
import { testWorld, type World } from "../../testing/test-context";
import { CreateAlertBody, kindIssues, UpdateAlertBody } from "./contract";
import { resealAlerts } from "./rotation-store";
import { openSlackUrl } from "./secret-rows";
import { create, get, list, listFirings, remove, test, update } from "./service";

const none = { query: {}, params: {}, body: undefined };
const PAGE = { offset: 0, limit: 50 };
const SLACK = "https://hooks.slack.example/services/T0000/B0000/abcdefghWXYZ";

const createRule = async ({ context }: World, body: Record<string, unknown> = {}) =>
  (
    await create(context, {
      ...none,
      body: CreateAlertBody.parse({ name: "Errors", kind: "error_rate", threshold: 5, ...body }),
    })
  ).data;

it("stores a rule with defaults, and its Slack URL encrypted and masked", async () => {
  const world = await testWorld();
  const { context } = world;
  const rule = await createRule(world, { slack_url: SLACK });
  expect(rule).toMatchObject({
    threshold: 5,
    window_minutes: 15,
    min_requests: 10,
    quiet_minutes: 60,
    workspace_id: null,
    slack_url: "https://hooks.slack.example/…WXYZ",
    enabled: true,
    firing: 0,
  });
  const row = await context.db.alertRule.findUniqueOrThrow({ where: { id: rule.id } });
  expect(JSON.stringify(row)).not.toContain("abcdefgh");
  const kept = await update(context, {
    ...none,
    params: { id: rule.id },
    body: UpdateAlertBody.parse({ threshold: 9 }),
  });
  expect(kept.data).toMatchObject({ threshold: 9, slack_url: rule.slack_url });
  const cleared = await update(context, {
    ...none,
    params: { id: rule.id },
    body: UpdateAlertBody.parse({ slack_url: null }),
  });
  expect(cleared.data.slack_url).toBeNull();
  const events = await listAudit(context, { ...none, query: { limit: 10 } });
  expect(events.data.map(({ action }) => action)).toEqual(["alert.update", "alert.update", "alert.create"]);
  expect(JSON.stringify(events)).not.toContain("abcdefgh");
});

it("reminds of deprecated models once a week by default", async () => {
  const world = await testWorld();
  expect(await createRule(world, { kind: "deprecated_model", threshold: 30 })).toMatchObject({ quiet_minutes: 10_080 });
  expect(await createRule(world, { kind: "deprecated_model", threshold: 30, quiet_minutes: 5 })).toMatchObject({
    quiet_minutes: 5,
  });
});

it("re-encrypts the Slack URL with a new secret", async () => {
  const world = await testWorld();
  const { db, settings } = world.context;
  const { id } = await createRule(world, { slack_url: SLACK });
  const silent = await createRule(world);
  const renewed = { ...settings, secretKey: Buffer.alloc(32, 8), previousSecretKeys: [settings.secretKey] };
  await resealAlerts(db, renewed);
  await resealAlerts(db, renewed);
  const row = await db.alertRule.findUniqueOrThrow({ where: { id } });
  expect(openSlackUrl({ ...renewed, previousSecretKeys: [] }, row, row.slackCiphertext ?? "")).toBe(SLACK);
  expect(() => openSlackUrl(settings, row, row.slackCiphertext ?? "")).toThrow();
  expect(await db.alertRule.findUniqueOrThrow({ where: { id: silent.id } })).toMatchObject({ slackCiphertext: null });
});

it.each([
  [{ kind: "error_rate", threshold: 101 }, ["threshold"]],
  [{ kind: "latency_p95", threshold: 101 }, []],
  [{ kind: "provider_down", threshold: 50, window_minutes: 61 }, ["window_minutes"]],
  [{ kind: "deprecated_model", threshold: 1001, key_hash: "k" }, ["threshold", "key_hash"]],
  [{ kind: "provider_down", threshold: 50, key_hash: "k", user_id: "u" }, ["key_hash", "user_id"]],
  [{ kind: "budget", threshold: 50, provider: "p" }, ["provider"]],
] as const)("%j has problems in %j", (rule, fields) => {
  expect(kindIssues(rule).map(({ path }) => path[0])).toEqual(fields);
});

it("rejects what another organization has, naming every field", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const { data: theirs } = await createWebhook(other.context, {
    ...none,
    body: CreateWebhookBody.parse({ url: "https://hooks.example.com/", events: ["key.created"] }),
  });
  const refused = createRule(world, {
    workspace_id: other.workspaceId,
    user_id: other.adminId,
    provider: "nowhere",
    webhook_ids: [theirs.id],
  });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    metadata: {
      issues: [{ path: ["workspace_id"] }, { path: ["user_id"] }, { path: ["provider"] }, { path: ["webhook_ids", 0] }],
    },
  });
  const rule = await createRule(world);
  for (const operation of [get, remove, test])
    await expect(operation(other.context, { ...none, params: { id: rule.id } })).rejects.toMatchObject({ status: 404 });
  expect(await listFirings(other.context, { ...none, query: { ...PAGE, alert_id: rule.id } })).toMatchObject({
    total_count: 0,
  });
});

it("lists a workspace's rules with those of all workspaces", async () => {
  const world = await testWorld();
  const { context, workspaceId } = world;
  await createRule(world, { name: "All" });
  await createRule(world, { name: "Own", workspace_id: workspaceId });
  const listed = await list(context, { ...none, query: { ...PAGE, workspace_id: workspaceId } });
  expect(listed).toMatchObject({ data: [{ name: "All" }, { name: "Own" }], total_count: 2, email_available: false });
});

it("sends a test to every channel and shows it in the history, not as firing", async () => {
  const world = await testWorld();
  const { context } = world;
  const { data: webhook } = await createWebhook(context, {
    ...none,
    body: CreateWebhookBody.parse({ url: "https://hooks.example.com/", events: ["key.created"] }),
  });
  const rule = await createRule(world, { slack_url: SLACK, webhook_ids: [webhook.id] });
  const { data } = await test(context, { ...none, params: { id: rule.id } });
  expect(data).toMatchObject({
    state: "test",
    message: "This is a test, sent by Admin. Example: 5% of requests failed in 15 minutes (threshold: 5%)",
    notifications: [
      { channel: "webhook", type: "alert.test", recipient: "hooks.example.com", status: "pending" },
      { channel: "slack", type: "alert.test", recipient: "https://hooks.slack.example/…WXYZ", status: "pending" },
    ],
  });
  expect(await listFirings(context, { ...none, query: { ...PAGE, state: "test" } })).toMatchObject({ total_count: 1 });
  expect(await listFirings(context, { ...none, query: { ...PAGE, state: "firing" } })).toMatchObject({
    total_count: 0,
  });
  const [{ body } = { body: "" }] = await context.db.webhookDelivery.findMany({ where: { webhookId: webhook.id } });
  expect(JSON.parse(body)).toMatchObject({ type: "alert.test", data: { alert: { id: rule.id }, threshold: 5 } });
  const silent = await createRule(world);
  await expect(test(context, { ...none, params: { id: silent.id } })).rejects.toMatchObject({ status: 409 });
});
