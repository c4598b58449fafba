import pg from "pg";
import { expect, it, vi } from "vitest";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import { CreateAlertBody } from "../alerts/contract";
import * as alerts from "../alerts/service";
import * as guardrails from "../guardrails/service";
import { StreamedAnswer } from "../../platform/http/event-stream";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { uuidv7 } from "../../platform/ids";
import { CreateModelBody } from "../../records/models/contract";
import * as models from "../../records/models/service";
import * as labels from "../../records/presets/labels-service";
import * as presets from "../../records/presets/service";
import { CreateWebhookBody } from "../../records/webhooks/contract";
import * as webhooks from "../../records/webhooks/service";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { createProvider } from "../../testing/providers";
import { isOfOperation } from "../../testing/statements";
import { testWorld, type World } from "../../testing/test-context";
import { PolicyFile } from "./contract";
import { exportPolicy } from "./export-service";

const FOR_REAL = { dry_run: "false" as const };

async function exported({ context }: World, format?: "yaml") {
  const answer = await exportPolicy(context, { params: {}, query: { format }, body: undefined });
  if (answer instanceof StreamedAnswer)
    return { yaml: await new Response(answer.body).text(), data: null, objects: null };
  return { yaml: null, data: PolicyFile.parse(answer.data), objects: answer.objects };
}

const guardrail = async ({ context }: World, name: string, fields = {}) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name, ...fields } })).data.id;
const version = ({ context }: World, slug: string, body: object) =>
  presets.createFromResponses(context, { params: { slug }, query: {}, body: ResponsesBody.parse(body) });

it("contains everything in force, by names, and nothing else", async () => {
  const world = await testWorld();
  const other = await testWorld();
  await guardrail(other, "Theirs");
  const first = await guardrail(world, "Twin");
  const second = await guardrail(world, "Twin", { limit_usd: 5, allowed_models: [] });
  const gone = await guardrail(world, "Gone");
  await guardrails.remove(world.context, { params: { id: gone }, query: {}, body: undefined });
  await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: first } });
  const key = await createKey(world, { name: "nightly" });
  await createKey(world, { name: "of no interest" });
  await createKey(world, { name: "management", kind: "management" });
  await assignKeys(world.context, { params: { id: second }, query: FOR_REAL, body: { key_hashes: [key.hash] } });
  const userId = await createMember(world);
  await assignMembers(world.context, { params: { id: first }, query: FOR_REAL, body: { member_user_ids: [userId] } });
  for (const temperature of [0.1, 0.2, 0.1]) await version(world, "support", { temperature });
  for (const [label, at] of [
    ["prod", 1],
    ["next", 2],
  ] as const)
    await labels.set(world.context, { params: { slug: "support", label }, query: {}, body: { version: at } });
  await version(world, "old", {});
  await world.context.db.model.create({
    data: {
      id: uuidv7(world.context.now),
      organizationId: world.organizationId,
      slug: "acme/orphan",
      canonicalSlug: "acme/orphan",
      name: "Orphan",
      vendor: "acme",
    },
  });
  await presets.update(world.context, { params: { slug: "old" }, query: {}, body: { status: "archived" } });

  const { data, objects } = await exported(world);
  expect(data).toEqual({
    version: 1,
    providers: [],
    models: [],
    workspaces: [
      {
        slug: "default",
        name: "Default",
        content_logging: true,
        default_guardrail: "Twin",
        guardrails: [{ name: "Twin" }, { name: "Twin", copy: 2, allowed_models: [], limit_usd: 5 }],
        presets: [
          {
            slug: "support",
            versions: [
              { in_use: true, labels: ["prod"], config: { temperature: 0.1 } },
              { labels: ["next"], config: { temperature: 0.2 } },
            ],
          },
        ],
        keys: [{ name: "nightly", guardrail: { name: "Twin", copy: 2 } }],
        members: [{ email: `${userId}@example.com`.toLowerCase(), guardrail: "Twin" }],
      },
    ],
    alerts: [],
  });
  expect(objects?.guardrails.map(({ id, copy, revision }) => [id, copy, revision])).toEqual([
    [first, 1, 1],
    [second, 2, 1],
  ]);
  expect(objects?.keys.map(({ name }) => name).sort()).toEqual(["nightly", "of no interest"]);
  expect(objects?.presets.map(({ slug, status }) => [slug, status]).sort()).toEqual([
    ["old", "archived"],
    ["support", "active"],
  ]);
});

it("has alert rules by names, without secrets and without those that measure something deleted", async () => {
  const world = await testWorld();
  const { context, organizationId } = world;
  const none = { params: {}, query: {}, body: undefined };
  const webhook = async (description: string | null) =>
    (
      await webhooks.create(context, {
        ...none,
        body: CreateWebhookBody.parse({
          url: "https://hooks.example.com/secret",
          description,
          events: ["key.created"],
        }),
      })
    ).data.id;
  const webhook_ids = [await webhook("Pager"), await webhook(null), await webhook("Pager")];
  const twin = await guardrail(world, "Twin");
  const second = await guardrail(world, "Twin");
  const key = await createKey(world, { name: "nightly" });
  const gone = await createKey(world, { name: "gone" });
  const userId = await createMember(world);
  const rule = async (body: object) =>
    (await alerts.create(context, { ...none, body: CreateAlertBody.parse({ name: "Errors", threshold: 5, ...body }) }))
      .data.id;
  const ids = [
    await rule({ kind: "error_rate", webhook_ids, guardrail_id: second, user_id: userId }),
    await rule({
      kind: "block_spike",
      workspace_id: world.workspaceId,
      key_hash: key.hash,
      guardrail_id: twin,
      slack_url: "https://hooks.slack.com/services/secret",
      window_minutes: 30,
      enabled: false,
    }),
    await rule({ kind: "budget", key_hash: gone.hash }),
  ];
  await context.db.key.update({ where: { id: gone.id }, data: { deletedAt: context.now } });
  const { data, objects } = await exported(world);
  expect(data?.alerts).toEqual([
    {
      name: "Errors",
      kind: "error_rate",
      threshold: 5,
      member: `${userId}@example.com`.toLowerCase(),
      guardrail: { workspace: "default", name: "Twin", copy: 2 },
      webhooks: ["Pager", { name: "Pager", copy: 2 }, "hooks.example.com"],
    },
    {
      name: "Errors",
      copy: 2,
      kind: "block_spike",
      threshold: 5,
      window_minutes: 30,
      workspace: "default",
      key: { workspace: "default", name: "nightly" },
      guardrail: { workspace: "default", name: "Twin" },
      slack_url: { env: "ALERT_ERRORS_2_SLACK_URL" },
      enabled: false,
    },
  ]);
  expect(objects?.alerts.map(({ id, copy }) => [id, copy])).toEqual(ids.map((id, index) => [id, index + 1]));
  expect(await context.db.webhook.count({ where: { organizationId } })).toBe(objects?.webhooks.length);
  expect(JSON.stringify(data)).not.toContain("/secret");
});

it("has every price and limit of a model", async () => {
  const world = await testWorld();
  await createProvider(world, { slug: "acme" });
  const price = {
    prompt: "3",
    completion: "15",
    request: "0.01",
    cache_read: "0.3",
    cache_write: "3.75",
    cache_write_1h: "6",
    audio_input: "1",
    audio_output: "2",
    image_input: "4",
    image_output: "5",
    reasoning: "16",
    tiers: [{ above: 200_000, prompt: "6", completion: "22.5", cache_read: "0.6" }],
    service_tiers: { flex: "0.5", priority: "2" },
  };
  const model = { slug: "acme/priced", context_length: 1_000_000, max_output_tokens: 64_000 };
  await models.create(world.context, {
    params: {},
    query: {},
    body: CreateModelBody.parse({ ...model, endpoints: [{ provider: "acme", upstream_model: "m", price }] }),
  });
  const { data } = await exported(world);
  expect(data?.models).toEqual([{ ...model, endpoints: [{ provider: "acme", upstream_model: "m", price }] }]);
});

it("is byte-identical when repeated, and separates workspaces", async () => {
  const world = await testWorld();
  const workspace_id = await createWorkspace(world);
  await guardrail(world, "Here");
  await guardrail(world, "There", { workspace_id });
  const { yaml } = await exported(world, "yaml");
  expect((await exported(world, "yaml")).yaml).toBe(yaml);
  const { data } = await exported(world);
  expect(
    data?.workspaces?.map(({ slug, guardrails: list }) => [slug === "default", list?.map(({ name }) => name)]).sort(),
  ).toEqual([
    [false, ["There"]],
    [true, ["Here"]],
  ]);
});

it("reads all workspaces with the statements of one", async () => {
  const world = await testWorld();
  const sent = async () => {
    const query = vi.spyOn(pg.Client.prototype, "query");
    await exported(world);
    const calls: unknown[] = query.mock.calls.map(([first]) => first);
    query.mockRestore();
    return calls
      .map((call) => (typeof call === "string" ? call : (call as { text: string }).text))
      .filter(isOfOperation);
  };
  const before = await sent();
  for (let count = 0; count < 3; count++) await createWorkspace(world);
  expect(await sent()).toEqual(before);
});
