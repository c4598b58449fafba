import { expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as models from "../../records/models/service";
import * as providers from "../../records/providers/service";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { lint } from "./service";
import * as guardrails from "../guardrails/service";

const FOR_REAL = { dry_run: "false" as const };
const guardrailOf = async ({ context }: World, body: Partial<CreateGuardrailBody>) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "G", ...body } })).data.id;
const lintOf = async ({ context }: World, guardrail: Parameters<typeof lint>[1]["body"]["guardrail"]) =>
  (await lint(context, { params: {}, query: {}, body: { guardrail } })).data;

async function worldWithCatalogue(): Promise<World> {
  const world = await testWorld();
  const empty = { params: {}, query: {} };
  await providers.create(world.context, {
    ...empty,
    body: {
      slug: "acme",
      name: "Acme",
      base_url: "https://acme.example/v1",
      protocol: "chat_completions",
      zdr: false,
      trains: false,
      ownership: "platform",
    },
  });
  const endpoints = [{ provider: "acme", upstream_model: "one", price: { prompt: "1", completion: "1" } }];
  for (const slug of ["acme/one", "acme/two"])
    await models.create(world.context, { ...empty, body: { slug, endpoints } });
  return world;
}

it("lints a draft against the organization's catalogue", async () => {
  const world = await worldWithCatalogue();
  const other = await testWorld();
  const draft = { allowed_models: ["acme/one", "acme/three"] };
  expect((await lintOf(world, draft)).map(({ code }) => code)).toEqual(["unknown_model"]);
  expect(await lintOf(other, draft)).toMatchObject([
    { code: "unknown_model", message: expect.stringContaining("2 models") as string },
  ]);
});

it("lints a stored guardrail with changed fields, and stores nothing", async () => {
  const world = await worldWithCatalogue();
  const id = await guardrailOf(world, { allowed_models: ["acme/one"] });
  const key = await createKey(world);
  expect((await lintOf(world, { id })).map(({ code }) => code)).toEqual(["assigned_to_nothing"]);
  await assignKeys(world.context, { params: { id }, query: FOR_REAL, body: { key_hashes: [key.hash] } });
  expect(await lintOf(world, { id })).toEqual([]);
  expect((await lintOf(world, { id, ignored_models: ["acme/one"] })).map(({ code }) => code)).toEqual([
    "allowed_and_ignored",
  ]);
  expect((await guardrails.get(world.context, { params: { id }, query: {}, body: undefined })).data).toMatchObject({
    revision: 1,
    ignored_models: null,
  });
});

it("compares with the default, with member guardrails of assigned keys, and with key guardrails of assigned members", async () => {
  const world = await worldWithCatalogue();
  const [default_, members, keys] = [
    await guardrailOf(world, { name: "Default", allowed_models: ["acme/one"] }),
    await guardrailOf(world, { name: "Of the member", allowed_models: ["acme/one"] }),
    await guardrailOf(world, { name: "Of the key", allowed_models: ["acme/one"] }),
  ];
  const userId = await createMember(world);
  const key = await createKey(world, { creatorUserId: userId, name: "CI" });
  await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: default_ } });
  await assignMembers(world.context, { params: { id: members }, query: FOR_REAL, body: { member_user_ids: [userId] } });
  await assignKeys(world.context, { params: { id: keys }, query: FOR_REAL, body: { key_hashes: [key.hash] } });
  const clashing = { allowed_models: ["acme/two"] };
  const named = async (guardrail: Parameters<typeof lintOf>[1]) =>
    (await lintOf(world, guardrail))
      .filter(({ code }) => code === "empty_intersection")
      .map(({ message }) => /“(.+?)”/.exec(message)?.[1])
      .sort();
  expect(await named(clashing)).toEqual(["Default"]);
  expect(await named({ id: keys, ...clashing })).toEqual(["Default", "Of the member"]);
  expect(await named({ id: members, ...clashing })).toEqual(["Default", "Of the key"]);
  expect(await named({ id: default_, ...clashing })).toEqual(["Of the key", "Of the member"]);
  expect(await named({ id: keys })).toEqual([]);
});

it("computes an average day's spend, counting own provider keys only when the budget does", async () => {
  const world = await worldWithCatalogue();
  const id = await guardrailOf(world, { limit_usd: 3, reset_interval: "daily" });
  const key = await createKey(world, { name: "Nightly" });
  await assignKeys(world.context, { params: { id }, query: FOR_REAL, body: { key_hashes: [key.hash] } });
  const spent = (days: number, usd: number, isByok = false) =>
    createGeneration(world, {
      keyId: key.id,
      createdAt: new Date(NOW.getTime() - days * 24 * 60 * 60_000),
      costMicroUsd: BigInt(usd * 1_000_000),
      isByok,
    });
  await spent(4, 4);
  await spent(2, 4);
  await spent(1, 12, true);
  await spent(8, 1000);
  expect(await lintOf(world, { id })).toEqual([]);
  expect(await lintOf(world, { id, include_byok_in_budgets: true })).toMatchObject([
    {
      code: "budget_below_average_day",
      message: "Key “Nightly” spends $5.00 on an average day, more than the entire limit.",
      fix: { path: "limit_usd", value: 5 },
    },
  ]);
});

it("answers 404 for another organization's guardrail and workspace", async () => {
  const [world, other] = await Promise.all([testWorld(), testWorld()]);
  for (const guardrail of [{ id: await guardrailOf(other, {}) }, { workspace_id: other.workspaceId }]) {
    expect(await failure(lintOf(world, guardrail))).toMatchObject({ status: 404 });
  }
});

it("rejects an invalid draft, with paths inside the draft", () => {
  expect(
    lint
      .inspect(
        { guardrail: { content_filters: [{ pattern: "a(?=b)", action: "block" }], enforce_zdr_nobody: true } },
        TEST_SETTINGS,
      )
      .map(({ path }) => path),
  ).toEqual([
    ["guardrail", "enforce_zdr_nobody"],
    ["guardrail", "content_filters", 0, "pattern"],
  ]);
});

it("names duplicate models of a list, as coverage does", async () => {
  const world = await testWorld();
  const empty = { params: {}, query: {} };
  for (const slug of ["openai", "openai2"]) {
    const body = {
      slug,
      name: slug,
      base_url: `https://${slug}.example/v1`,
      protocol: "chat_completions",
      zdr: false,
      trains: false,
      ownership: "platform",
    } as const;
    await providers.create(world.context, { ...empty, body });
    const endpoints = [{ provider: slug, upstream_model: "gpt-5", price: { prompt: "1", completion: "1" } }];
    await models.create(world.context, { ...empty, body: { slug: `${slug}/gpt-5`, vendor: "openai", endpoints } });
  }
  expect(await lintOf(world, { ignored_models: ["openai/gpt-5"] })).toMatchObject([
    { code: "duplicate_model", fix: { value: ["openai/gpt-5", "openai2/gpt-5"] } },
  ]);
  await models.update(world.context, {
    ...empty,
    params: { slug: "openai2/gpt-5" },
    body: { canonical_slug: "openai/gpt-5" },
  });
  const merged = await lintOf(world, { ignored_models: ["openai/gpt-5"] });
  expect(merged.map(({ code }) => code)).toEqual(["no_endpoint"]);
});
