import { describe, expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { NOW, testWorld, type World } from "../../testing/test-context";
import type { CreateGuardrailBody, UpdateGuardrailBody } from "../../records/guardrails/contract";
import * as guardrails from "./service";

const page = { offset: 0, limit: 50 };
const create = async ({ context }: World, body: Partial<CreateGuardrailBody> = {}) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "G", ...body } })).data;
const update = async ({ context }: World, id: string, body: UpdateGuardrailBody, ifMatch: number[] | null = null) =>
  (await guardrails.update({ ...context, ifMatch }, { params: { id }, query: {}, body })).data;
const get = async ({ context }: World, id: string) =>
  (await guardrails.get(context, { params: { id }, query: {}, body: undefined })).data;
const remove = ({ context }: World, id: string, ifMatch: number[] | null = null) =>
  guardrails.remove({ ...context, ifMatch }, { params: { id }, query: {}, body: undefined });
const list = ({ context }: World, query: object = {}) =>
  guardrails.list(context, { params: {}, query: { ...page, ...query }, body: undefined });

describe("guardrails", () => {
  it("are created with revision 1 and all fields, null where unset", async () => {
    const world = await testWorld();
    expect(await create(world, { name: "Strict", enforce_zdr: true })).toEqual({
      id: expect.any(String) as string,
      workspace_id: world.workspaceId,
      revision: 1,
      name: "Strict",
      description: null,
      mode: "enforce",
      allowed_models: null,
      ignored_models: null,
      allowed_providers: null,
      ignored_providers: null,
      allowed_data_regions: null,
      limit_usd: null,
      reset_interval: null,
      external_checks: null,
      judges: null,
      include_byok_in_budgets: false,
      enforce_zdr: true,
      enforce_zdr_vendor_a: true,
      enforce_zdr_vendor_b: true,
      enforce_zdr_vendor_c: true,
      enforce_zdr_other: true,
      enforce_zdr_anthropic: true,
      enforce_zdr_openai: true,
      enforce_zdr_google: true,
      content_filter_builtins: null,
      content_filters: null,
      created_at: NOW.toISOString(),
      updated_at: null,
    });
    expect(world.context.headers.get("deprecation")).not.toBeNull();
  });

  it("returns [] and null as sent, and money to the micro-USD", async () => {
    const world = await testWorld();
    const created = await create(world, { allowed_models: [], limit_usd: 1234.567891 });
    expect(await get(world, created.id)).toMatchObject({
      allowed_models: [],
      ignored_models: null,
      limit_usd: 1234.567891,
    });
  });

  it("updates only the given fields, replaces lists as a whole, and clears with null", async () => {
    const world = await testWorld();
    const { id } = await create(world, {
      description: "kept",
      allowed_models: ["a", "b"],
      content_filter_builtins: [{ slug: "email", action: "block" }],
      content_filters: [{ pattern: "x", action: "block" }],
    });
    const updated = await update(world, id, {
      allowed_models: ["c"],
      content_filters: null,
      content_filter_builtins: null,
    });
    expect(updated).toMatchObject({
      revision: 2,
      name: "G",
      description: "kept",
      allowed_models: ["c"],
      content_filters: null,
      content_filter_builtins: null,
      updated_at: NOW.toISOString(),
    });
  });

  it("stores every revision with its fields and author", async () => {
    const world = await testWorld();
    const { id } = await create(world, { limit_usd: 1 });
    await update(world, id, { limit_usd: 2 });
    const revisions = await world.context.db.guardrailRevision.findMany({
      where: { guardrailId: id },
      orderBy: { revision: "asc" },
    });
    expect(
      revisions.map(({ revision, authorId, fields }) => [
        revision,
        authorId,
        (fields as { limit_usd: number }).limit_usd,
      ]),
    ).toEqual([
      [1, world.adminId, 1],
      [2, world.adminId, 2],
    ]);
  });

  it("rejects an outdated If-Match with 412 and changes nothing", async () => {
    const world = await testWorld();
    const { id } = await create(world);
    await update(world, id, { name: "New" }, [1]);
    expect(await failure(update(world, id, { name: "Lost" }, [1]))).toEqual({
      status: 412,
      metadata: { current_revision: 2 },
    });
    expect(await failure(remove(world, id, [1]))).toMatchObject({ status: 412 });
    expect(await get(world, id)).toMatchObject({ name: "New", revision: 2 });
  });

  it("gives parallel updates consecutive revisions", async () => {
    const world = await testWorld();
    const { id } = await create(world);
    const updates = await Promise.all(Array.from({ length: 8 }, (_, i) => update(world, id, { name: `N${i}` })));
    expect(updates.map(({ revision }) => revision).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("answers the same for a foreign, an unknown and a deleted id", async () => {
    const [mine, theirs] = await Promise.all([testWorld(), testWorld()]);
    const foreign = await create(theirs);
    const gone = await create(mine);
    await remove(mine, gone.id);
    for (const id of [foreign.id, gone.id, "0df9e665-d932-5740-b2c7-b52af166bc11"]) {
      const failures = await Promise.all(
        [get(mine, id), update(mine, id, { name: "X" }), remove(mine, id)].map(failure),
      );
      for (const each of failures) expect(each).toEqual({ status: 404, metadata: undefined });
    }
    expect(await get(theirs, foreign.id)).toMatchObject({ revision: 1 });
  });

  it("lists a workspace newest first, in full pages", async () => {
    const world = await testWorld();
    const names = ["a", "b", "c", "d", "e"];
    for (const [index, name] of names.entries()) {
      await create({ ...world, context: { ...world.context, now: new Date(NOW.getTime() + index) } }, { name });
    }
    const first = await list(world, { limit: 2 });
    const last = await list(world, { limit: 2, offset: 4 });
    expect([first.data.map(({ name }) => name), last.data.map(({ name }) => name), first.total_count]).toEqual([
      ["e", "d"],
      ["a"],
      5,
    ]);
    expect(await list(world, { offset: 5 })).toEqual({ data: [], total_count: 5 });
  });

  it("sorts by every field in both directions; an unchanged guardrail by creation, no limit as the highest", async () => {
    const world = await testWorld();
    const at = (minutes: number) => ({
      ...world,
      context: { ...world.context, now: new Date(NOW.getTime() + minutes * 60_000) },
    });
    const beta = await create(at(1), { name: "beta", limit_usd: 5 });
    await create(at(2), { name: "Alpha" });
    await create(at(3), { name: "gamma", limit_usd: 70 });
    await update(at(4), beta.id, { description: "changed last" });
    const sorted = async (sort: string) => (await list(world, { sort })).data.map(({ name }) => name);
    for (const [field, names] of Object.entries({
      name: ["Alpha", "beta", "gamma"],
      created_at: ["beta", "Alpha", "gamma"],
      updated_at: ["Alpha", "gamma", "beta"],
      limit_usd: ["beta", "gamma", "Alpha"],
    })) {
      expect([field, await sorted(field), await sorted(`-${field}`)]).toEqual([field, names, names.toReversed()]);
    }
  });

  it("searches name and description case-insensitively, without wildcards", async () => {
    const world = await testWorld();
    await create(world, { name: "Production 100%", description: null });
    await create(world, { name: "Other", description: "for the PRODUCTION of_maps" });
    const found = async (q: string) => (await list(world, { q, sort: "name" })).data.map(({ name }) => name);
    expect([
      await found("production"),
      await found("100%"),
      await found("%"),
      await found("of_m"),
      await found("o%m"),
    ]).toEqual([["Other", "Production 100%"], ["Production 100%"], ["Production 100%"], ["Other"], []]);
    expect(await list(world, { q: "production", limit: 1, sort: "name", offset: 1 })).toMatchObject({
      data: [{ name: "Production 100%" }],
      total_count: 2,
    });
  });

  it("creates a guardrail in the given workspace, never in a foreign one", async () => {
    const [world, other] = await Promise.all([testWorld(), testWorld()]);
    expect(await failure(create(world, { workspace_id: other.workspaceId }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["workspace_id"] }] },
    });
    expect(await failure(list(world, { workspace_id: other.workspaceId }))).toMatchObject({ status: 404 });
  });

  it("writes one audit event per change", async () => {
    const world = await testWorld();
    const { id } = await create(world);
    await update(world, id, { name: "New" });
    await remove(world, id);
    const events = await world.context.db.auditEvent.findMany({
      where: { targetId: id, actorId: world.adminId },
      orderBy: { action: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["guardrail.create", "guardrail.delete", "guardrail.update"]);
  });
});
