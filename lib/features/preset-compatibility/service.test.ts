import { describe, expect, it } from "vitest";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { lint } from "../lint/service";
import * as guardrails from "../guardrails/service";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import * as models from "../../records/models/service";
import * as providers from "../../records/providers/service";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { compatibility } from "./service";
import * as labels from "../../records/presets/labels-service";
import * as presets from "../../records/presets/service";

const empty = { params: {}, query: {} };
const FOR_REAL = { dry_run: "false" as const };

/** Creates acme/one by acme and other, and acme/two by other only. */
async function worldWithCatalogue(): Promise<World> {
  const world = await testWorld();
  const endpoint = (provider: string, prompt: string) => ({
    provider,
    upstream_model: "m",
    price: { prompt, completion: "1" },
  });
  for (const slug of ["acme", "other"]) {
    await providers.create(world.context, {
      ...empty,
      body: {
        slug,
        name: slug,
        base_url: "https://up.example/v1",
        protocol: "chat_completions",
        zdr: false,
        trains: slug === "other",
        ownership: "platform",
      },
    });
  }
  await models.create(world.context, {
    ...empty,
    body: { slug: "acme/one", endpoints: [endpoint("acme", "1"), endpoint("other", "5")] },
  });
  await models.create(world.context, { ...empty, body: { slug: "acme/two", endpoints: [endpoint("other", "1")] } });
  return world;
}

const guardrail = async ({ context }: World, body: Partial<CreateGuardrailBody>) =>
  (await guardrails.create(context, { ...empty, body: { name: "G", ...body } })).data.id;
const onKeys = async (world: World, id: string, ...hashes: string[]) =>
  assignKeys(world.context, { params: { id }, query: FOR_REAL, body: { key_hashes: hashes } });
const asDefault = ({ context, workspaceId }: World, defaultGuardrailId: string) =>
  context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId } });
const preset = ({ context }: World, slug: string, body: object) =>
  presets.createFromResponses(context, { params: { slug }, query: {}, body: ResponsesBody.parse(body) });
const judged = async ({ context }: World, version?: number) =>
  (await compatibility(context, { params: { slug: "s" }, query: { version }, body: undefined })).data;

describe("a preset under the guardrails in force", () => {
  it("is evaluated under each combination, those of most keys first, with the excluding fields", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "s", { model: "acme/one" });
    const [house, strict, mine] = [
      await guardrail(world, { name: "House" }),
      await guardrail(world, { name: "Strict", allowed_models: ["acme/two"] }),
      await guardrail(world, { name: "Mine", ignored_providers: ["other"] }),
    ];
    await asDefault(world, house);
    const userId = await createMember(world);
    const keys = [
      await createKey(world, { name: "b" }),
      await createKey(world, { name: "a" }),
      await createKey(world, { name: "c", creatorUserId: userId }),
    ];
    await onKeys(world, strict, ...keys.slice(0, 2).map(({ hash }) => hash));
    await assignMembers(world.context, { params: { id: mine }, query: FOR_REAL, body: { member_user_ids: [userId] } });
    const { models: named, alone, policies, is_complete } = await judged(world);
    expect([named, alone, is_complete]).toEqual([["acme/one"], { endpoints: 2, refusals: [] }, true]);
    expect(
      policies.map(({ outcome, keys, key_names, layers }) => [
        outcome,
        keys,
        key_names,
        layers.map(({ guardrail_name }) => guardrail_name),
      ]),
    ).toEqual([
      ["no_endpoint", 2, ["a", "b"], ["House", "Strict"]],
      ["narrowed", 1, ["c"], ["House", "Mine"]],
      ["usable", 0, [], ["House"]],
    ]);
    expect(policies[0]?.refusals).toMatchObject([
      { guardrail_id: strict, scope: "key", field: "allowed_models", endpoints: 2, models: ["acme/one"] },
    ]);
    expect(policies[1]?.refusals).toMatchObject([
      { guardrail_id: mine, scope: "member", field: "ignored_providers", endpoints: 1 },
    ]);
  });

  it("includes its own preferences and parameters, for the requested version", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "s", { model: "acme/two" });
    await preset(world, "s", {
      model: "acme/one",
      temperature: 1,
      provider: { data_collection: "deny", require_parameters: true },
    });
    await asDefault(world, await guardrail(world, { allowed_models: ["acme/two"] }));
    expect(await judged(world)).toMatchObject({
      version: 2,
      alone: {
        endpoints: 0,
        refusals: [
          { scope: "request", field: "require_parameters", endpoints: 2 },
          { scope: "request", field: "data_collection", endpoints: 1 },
        ],
      },
    });
    expect(await judged(world, 1)).toMatchObject({
      version: 1,
      alone: { endpoints: 1 },
      policies: [{ outcome: "usable" }],
    });
    expect(await failure(judged(world, 3))).toMatchObject({ status: 404 });
  });

  it("is blocked when a filter blocks its system prompt, and names it", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "s", { model: "acme/one", instructions: "Escalate PROJ-1234 to ops@example.com." });
    const id = await guardrail(world, {
      content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "block" }],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
    });
    await asDefault(world, id);
    expect((await judged(world)).policies).toMatchObject([
      {
        outcome: "blocked",
        endpoints: 2,
        blocked_by: [{ guardrail_id: id, field: "content_filters", rule: "[TICKET]" }],
      },
    ]);
  });

  it("without a model is evaluated with the whole catalogue", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "s", { provider: { only: ["acme"] } });
    await asDefault(world, await guardrail(world, { allowed_providers: ["other"] }));
    expect(await judged(world)).toMatchObject({
      models: [],
      alone: { endpoints: 1 },
      policies: [{ outcome: "no_endpoint" }],
    });
  });

  it("excludes other organizations", async () => {
    const [mine, theirs] = [await worldWithCatalogue(), await worldWithCatalogue()];
    await preset(theirs, "s", {});
    expect(await failure(judged(mine))).toMatchObject({ status: 404 });
  });
});

describe("a guardrail that breaks presets", () => {
  const broken = async ({ context }: World, body: Parameters<typeof lint>[1]["body"]["guardrail"]) =>
    (await lint(context, { ...empty, body: { guardrail: body } })).data.filter(({ code }) =>
      code.startsWith("preset_"),
    );

  it("names live and labelled versions, with a fix that makes them work again", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "support", { model: "acme/two" });
    await preset(world, "support", { model: "acme/one" });
    await preset(world, "triage", { model: "acme/two" });
    await preset(world, "gone", { model: "acme/nowhere" });
    await labels.set(world.context, { params: { slug: "support", label: "prod" }, query: {}, body: { version: 1 } });
    const [finding, ...more] = await broken(world, { allowed_models: ["acme/one"] });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: "warning",
      code: "preset_without_endpoint",
      path: ["allowed_models"],
      fix: { path: "allowed_models", value: ["acme/one", "acme/two"] },
    });
    expect(finding?.message).toContain("“support” (prod)");
    expect(finding?.message).toContain("“triage” (live)");
    expect(await broken(world, { allowed_models: ["acme/one", "acme/two"] })).toEqual([]);
    expect(await broken(world, { ignored_models: ["acme/two"] })).toMatchObject([
      { path: ["ignored_models"], fix: { value: [] } },
    ]);
    expect(await broken(world, { ignored_providers: ["other"] })).toMatchObject([
      { path: ["ignored_providers"], fix: { value: [] } },
    ]);
  });

  it("ignores presets already broken by the default, and inactive ones", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "support", { model: "acme/two" });
    const id = await guardrail(world, { allowed_models: ["acme/one"] });
    expect(await broken(world, { id })).toHaveLength(1);
    await asDefault(world, id);
    expect(await broken(world, { id })).toHaveLength(1);
    expect(await broken(world, { ignored_models: ["acme/two"] })).toEqual([]);
    await presets.update(world.context, { params: { slug: "support" }, query: {}, body: { status: "disabled" } });
    expect(await broken(world, { id })).toEqual([]);
  });

  it("names presets whose system prompt a filter would block", async () => {
    const world = await worldWithCatalogue();
    await preset(world, "support", { model: "acme/one", instructions: "Escalate PROJ-1234." });
    await preset(world, "triage", { model: "acme/one", instructions: "Be kind." });
    const findings = await broken(world, {
      content_filters: [
        { pattern: "nothing", action: "redact" },
        { pattern: "PROJ-[0-9]{4}", action: "block" },
      ],
    });
    expect(findings).toMatchObject([
      {
        severity: "warning",
        code: "preset_prompt_blocked",
        path: ["content_filters"],
        message: expect.stringContaining("“support” (live)") as string,
      },
    ]);
    expect(findings[0]?.message).not.toContain("triage");
  });
});
