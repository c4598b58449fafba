import pg from "pg";
import { expect, it, vi } from "vitest";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import * as guardrails from "../guardrails/service";
import { StreamedAnswer } from "../../platform/http/event-stream";
import { ResponsesBody } from "../../gateway/contract";
import { uuidv7 } from "../../platform/ids";
import { CreateModelBody } from "../../records/models/contract";
import * as models from "../../records/models/service";
import * as labels from "../../records/presets/labels-service";
import * as presets from "../../records/presets/service";
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
