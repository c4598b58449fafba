import { describe, expect, it } from "vitest";
import { budgetOf, budgetRules } from "../../engine/budgets/budget";
import type { z } from "zod";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import * as exceptions from "../exceptions/service";
import * as guardrails from "../guardrails/service";
import { CreateExceptionBody } from "../../records/exceptions/contract";
import { grantsOf } from "../../records/roles/grants";
import { uuidv7 } from "../../platform/ids";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { EffectivePolicy, type getEffectivePolicy } from "./contract";
import { effective } from "./effective-service";
import { loadLayers } from "../../records/guardrails/layers-store";

type Query = z.input<NonNullable<(typeof getEffectivePolicy)["query"]>>;

const create = async ({ context }: World, name: string, body: Partial<CreateGuardrailBody> = {}) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name, ...body } })).data.id;
const ask = async ({ context }: World, query: Query) =>
  EffectivePolicy.parse((await effective(context, { params: {}, query, body: undefined })).data);

/** Creates a key of the admin with a workspace guardrail W, a member guardrail M and a key guardrail K. */
async function governed(fields: Record<"W" | "M" | "K", Partial<CreateGuardrailBody>>) {
  const world = await testWorld();
  const { context, workspaceId, adminId } = world;
  const key = await createKey(world);
  const [w, m, k] = [
    await create(world, "W", fields.W),
    await create(world, "M", fields.M),
    await create(world, "K", fields.K),
  ];
  await context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: w } });
  await assignMembers(context, {
    params: { id: m },
    query: { dry_run: "false" },
    body: { member_user_ids: [adminId] },
  });
  await assignKeys(context, { params: { id: k }, query: { dry_run: "false" }, body: { key_hashes: [key.hash] } });
  return { world, key };
}

describe("GET /policy/effective", () => {
  it("returns a key's layers, and every field with the guardrails that set it", async () => {
    const { world, key } = await governed({
      W: { allowed_providers: ["a", "b", "c"], enforce_zdr_openai: true, allowed_data_regions: ["europe", "us"] },
      M: { allowed_providers: ["c", "b"], content_filter_builtins: [{ slug: "email", action: "redact" }] },
      K: {
        ignored_models: ["x/y"],
        allowed_data_regions: ["us", "global"],
        content_filter_builtins: [{ slug: "email", action: "block" }],
      },
    });
    const policy = await ask(world, { key_hash: key.hash });
    const from = (...names: string[]) =>
      names.map((name) => expect.objectContaining({ guardrail_name: name, revision: 1 }));
    expect(policy).toMatchObject({
      workspace_id: world.workspaceId,
      key_hash: key.hash,
      user_id: world.adminId,
      layers: from("W", "M", "K"),
    });
    expect(policy.fields).toMatchObject({
      allowed_providers: { value: ["b", "c"], sources: from("W", "M") },
      allowed_data_regions: { value: ["us"], sources: from("W", "K") },
      allowed_models: { value: null, sources: [] },
      ignored_models: { value: ["x/y"], sources: from("K") },
      enforce_zdr_vendor_a: { value: false, sources: [] },
      enforce_zdr_vendor_b: { value: true, sources: from("W") },
      content_filter_builtins: [{ slug: "email", action: "block", sources: from("K") }],
      limit_usd: [],
    });
  });

  it("lists the exceptions of a colleague's key for whoever sees only its workspace", async () => {
    const world = await testWorld();
    const { context, adminId } = world;
    const workspaceId = await createWorkspace(world);
    const key = await createKey(world, { workspaceId });
    const elsewhere = await create(world, "Elsewhere", {
      content_filter_builtins: [{ slug: "email", action: "block" }],
    });
    const expires_at = new Date(context.now.getTime() + 3_600_000).toISOString();
    const grant = (body: object) =>
      exceptions.create(context, {
        params: {},
        query: {},
        body: CreateExceptionBody.parse({ reason: "Migration", expires_at, ...body }),
      });
    const { data: own } = await grant({ key_hash: key.hash, kind: "allow_phrase", phrase: "Acme" });
    const { data: foreign } = await grant({
      user_id: adminId,
      kind: "lift_rule",
      guardrail_id: elsewhere,
      field: "content_filter_builtins",
      rule: "email",
    });
    const listed = async (at: World) => (await ask(at, { key_hash: key.hash })).exceptions.map(({ id }) => id);
    const grants = grantsOf([{ role: "admin", permissions: null, workspace: workspaceId }]);
    const lead = memberCaller(world, await createMember(world), { grants });
    expect(await listed({ ...world, context: { ...context, caller: lead, narrowedBy: "guardrails:read" } })).toEqual([
      own.id,
    ]);
    expect((await listed(world)).toSorted()).toEqual([own.id, foreign.id].toSorted());
  });

  it("treats the slugs of a model as one, according to the catalogue", async () => {
    const { world, key } = await governed({
      W: { allowed_models: ["acme/one", "acme/two"] },
      M: { allowed_models: ["acme/one-2026"] },
      K: {},
    });
    await world.context.db.model.create({
      data: {
        id: uuidv7(world.context.now),
        organizationId: world.organizationId,
        slug: "acme/one",
        canonicalSlug: "acme/one-2026",
        name: "One",
        vendor: "acme",
      },
    });
    expect((await ask(world, { key_hash: key.hash })).fields.allowed_models).toMatchObject({ value: ["acme/one"] });
  });

  it("lists each budget with its spend and remaining amount", async () => {
    const { world, key } = await governed({
      W: { limit_usd: 100, reset_interval: "monthly" },
      M: {},
      K: { limit_usd: 5 },
    });
    const { context, workspaceId, adminId } = world;
    await context.db.key.update({ where: { id: key.id }, data: { limitMicroUsd: 9_000_000n, limitReset: "daily" } });
    const limit = { limitMicroUsd: 9_000_000n, limitReset: "daily", includeByokInLimit: false } as const;
    const layers = await loadLayers(
      context.db,
      { workspaceId, userId: adminId, keyId: key.id },
      context.settings.zdrVendors,
      context.now,
    );
    for (const rule of budgetRules(layers, { keyId: key.id, userId: adminId, key: limit })) {
      const { id, windowStart } = budgetOf(rule, context.now);
      const { sourceId, subject, subjectId, interval } = rule;
      await context.db.budget.create({
        data: {
          id,
          sourceId,
          subject,
          subjectId,
          window: interval ?? "lifetime",
          windowStart,
          spentMicroUsd: 6_000_000n,
          updatedAt: context.now,
        },
      });
    }
    const { limit_usd: budgets } = (await ask(world, { key_hash: key.hash })).fields;
    const inWords = budgets.map(
      ({ scope, guardrail_name, counted_per, reset_interval, spent_usd, remaining_usd, limit_usd, resets_at }) =>
        [
          scope,
          guardrail_name,
          counted_per,
          reset_interval,
          `${spent_usd}+${remaining_usd}/${limit_usd}`,
          resets_at,
        ].join(" "),
    );
    expect(inWords.sort()).toEqual(
      [
        "workspace W member monthly 6+94/100 2026-12-01T00:00:00.000Z",
        "workspace W key monthly 6+94/100 2026-12-01T00:00:00.000Z",
        "key K key  6+0/5 ",
        "key  key daily 6+3/9 2026-11-21T00:00:00.000Z",
      ].sort(),
    );
  });

  it("returns a member's policy in a workspace, by default the default one", async () => {
    const { world } = await governed({ W: {}, M: { limit_usd: 1 }, K: {} });
    const scopes = async (query: Query) => (await ask(world, query)).layers.map(({ scope }) => scope);
    expect(await scopes({ user_id: world.adminId })).toEqual(["workspace", "member"]);
    expect(await scopes({ user_id: world.adminId, workspace_id: await createWorkspace(world) })).toEqual([]);
    expect(await scopes({ user_id: await createMember(world) })).toEqual(["workspace"]);
  });

  it("evaluates a key as if created by a given member", async () => {
    const { world, key } = await governed({ W: {}, M: { allowed_providers: ["a"] }, K: { ignored_models: ["x/y"] } });
    const other = await createMember(world);
    const own = await ask(world, { key_hash: key.hash, user_id: world.adminId });
    expect(own).toEqual(await ask(world, { key_hash: key.hash }));
    const theirs = await ask(world, { key_hash: key.hash, user_id: other });
    expect(theirs).toMatchObject({
      key_hash: key.hash,
      user_id: other,
      fields: { allowed_providers: { value: null }, ignored_models: { value: ["x/y"] } },
    });
    expect(theirs.layers.map(({ scope }) => scope)).toEqual(["workspace", "key"]);
    expect(await failure(ask(world, { key_hash: key.hash, user_id: "nobody" }))).toMatchObject({ status: 404 });
  });

  it("requires a key, a member or both, and accepts a workspace only for a member", async () => {
    const world = await testWorld();
    const paths = async (query: Query) => {
      const { status, metadata } = await failure(ask(world, query));
      return [status, (metadata?.["issues"] as { path: string[] }[]).map(({ path }) => path.join("."))];
    };
    expect(await paths({})).toEqual([400, ["key_hash"]]);
    expect(await paths({ key_hash: "x", workspace_id: world.workspaceId })).toEqual([400, ["workspace_id"]]);
    expect(await paths({ key_hash: (await createKey(world, { kind: "management" })).hash })).toEqual([
      400,
      ["key_hash"],
    ]);
  });

  it("answers 404 for unknown ids and those of other organizations", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const foreign: Query[] = [
      { key_hash: (await createKey(other)).hash },
      { key_hash: "0".repeat(64) },
      { user_id: other.adminId },
      { user_id: "nobody" },
      { user_id: world.adminId, workspace_id: other.workspaceId },
    ];
    for (const query of foreign) expect(await failure(ask(world, query))).toMatchObject({ status: 404 });
  });
});
