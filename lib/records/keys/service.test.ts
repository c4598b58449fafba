import { describe, expect, it } from "vitest";
import { keyRule } from "../../engine/budgets/budget";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import { reserve } from "../budgets/service";
import type { Caller, Context } from "../../platform/context";
import { CreateExceptionBody } from "../exceptions/contract";
import { create as createException } from "../../features/exceptions/service";
import { uuidv7 } from "../../platform/ids";
import { record } from "../../gateway/record/record-store";
import { createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testDatabase, testWorld, type World } from "../../testing/test-context";
import { CreateKeyBody, type Key } from "./contract";
import { findKeyCaller } from "./credentials-store";
import { current } from "./current-service";
import { keyHash } from "../../platform/key-text";
import * as keys from "./service";

const noInput = { params: {}, query: {} };
const everything = { offset: 0, limit: 50, include_disabled: "true" as const };

const create = (context: Context, body: Partial<CreateKeyBody> = {}) =>
  keys.create(context, { ...noInput, body: CreateKeyBody.parse({ name: "Key", ...body }) });
const update = (context: Context, hash: string, body: Parameters<typeof keys.update>[1]["body"]) =>
  keys.update(context, { params: { hash }, query: {}, body });
const rotate = (context: Context, hash: string, grace_seconds = 0) =>
  keys.rotate(context, { params: { hash }, query: {}, body: { grace_seconds } });
const get = (context: Context, hash: string) => keys.get(context, { params: { hash }, query: {}, body: undefined });
const remove = (context: Context, hash: string) =>
  keys.remove(context, { params: { hash }, query: {}, body: undefined });
const list = (context: Context, query: Partial<Parameters<typeof keys.list>[1]["query"]> = {}) =>
  keys.list(context, { params: {}, query: { ...everything, ...query }, body: undefined });

const status = (code: number): unknown => expect.objectContaining({ status: code });
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function callerOf({ context }: World, text: string, at = NOW): Promise<Caller | null> {
  return findKeyCaller(context.db, text, at);
}

/** Creates a console session of an ordinary member. */
async function memberSession(world: World): Promise<Context> {
  const userId = await createMember(world);
  return { ...world.context, caller: memberCaller(world, userId) };
}

async function createGuardrail({ context, workspaceId }: World, name: string): Promise<string> {
  const id = uuidv7(NOW);
  await context.db.guardrail.create({ data: { id, workspaceId, name } });
  return id;
}

const spend = (world: World, keyId: string, at: string, costMicroUsd: bigint, isByok = false) =>
  createGeneration(world, { keyId, createdAt: new Date(at), costMicroUsd, isByok });

describe("creating a key", () => {
  it("shows the key once, stores only its hash, and belongs to the caller", async () => {
    const world = await testWorld();
    const { data, key } = await create(world.context, {
      limit: 1.5,
      limit_reset: "daily",
      expires_at: "2027-01-01T00:00:00Z",
    });
    expect(key).toMatch(/^sb-key-v1-[0-9A-Za-z]{48}$/);
    expect(data).toMatchObject({
      hash: keyHash(key),
      kind: "inference",
      label: `${key.slice(0, 13)}...${key.slice(-4)}`,
      disabled: false,
      limit: 1.5,
      limit_remaining: 1.5,
      limit_reset: "daily",
      expires_at: "2027-01-01T00:00:00.000Z",
      usage: 0,
      creator_user_id: world.adminId,
      workspace_id: world.workspaceId,
      updated_at: null,
    });
    expect(JSON.stringify(await get(world.context, data.hash))).not.toContain(key);
    expect(await callerOf(world, key)).toMatchObject({ kind: "key", keyKind: "inference", userId: world.adminId });
  });

  it("leaves no key in any table, including after rotations and in the audit log", async () => {
    const world = await testWorld();
    const first = await create(world.context);
    const second = await rotate(world.context, first.data.hash, 60);
    const { query } = await testDatabase();
    const { rows: tables } = await query(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    for (const { table_name } of tables) {
      const { rows } = await query(`SELECT row_to_json(t)::text AS row FROM "${String(table_name)}" t`);
      const dump = rows.map(({ row }) => String(row)).join("\n");
      for (const text of [first.key, second.key]) expect(dump.includes(text), String(table_name)).toBe(false);
    }
  });

  it("reports every problem at once: a foreign member and an expiry in the past", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const refused = create(world.context, { creator_user_id: other.adminId, expires_at: NOW.toISOString() });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["expires_at"] }, { path: ["creator_user_id"] }] },
    });
  });

  it("assigns a guardrail of the key's workspace, and rejects any other", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const { context } = world;
    const guardrail_id = await createGuardrail(world, "Production");
    const { data } = await create(context, { guardrail_id });
    expect(data.guardrail_id).toBe(guardrail_id);
    const event = await context.db.auditEvent.findFirstOrThrow({ where: { targetId: data.id, action: "key.create" } });
    expect(event.after).toMatchObject({ guardrail_id });
    const elsewhere = await createWorkspace(world);
    for (const wrong of [
      { guardrail_id: await createGuardrail(other, "Foreign") },
      { guardrail_id: uuidv7(NOW) },
      { guardrail_id, workspace_id: elsewhere },
    ]) {
      await expect(create(context, wrong)).rejects.toMatchObject({
        status: 400,
        metadata: { issues: [{ path: ["guardrail_id"] }] },
      });
    }
    expect((await list(context)).total_count).toBe(1);
  });

  it("rejects a foreign workspace like an unknown one", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await expect(create(world.context, { workspace_id: other.workspaceId })).rejects.toEqual(status(400));
  });
});

describe("reading keys", () => {
  it("hides disabled keys by default, and deleted ones always", async () => {
    const { context } = await testWorld();
    const [active, disabled, deleted] = [await create(context), await create(context), await create(context)];
    await update(context, disabled.data.hash, { disabled: true });
    await remove(context, deleted.data.hash);
    expect((await list(context, { include_disabled: "false" })).data.map(({ hash }) => hash)).toEqual([
      active.data.hash,
    ]);
    expect((await list(context)).total_count).toBe(2);
  });

  it("filters by kind, workspace, creator, tag, and by name, label and hash", async () => {
    const world = await testWorld();
    const { context } = world;
    const member = await memberSession(world);
    const bot = (await create(context, { name: "Support Bot", creator_user_id: member.caller.userId })).data;
    const admin = (await create(context, { name: "Deploy", kind: "management", tags: ["team:ops"] })).data;
    const hashes = async (query: Parameters<typeof list>[1]) =>
      (await list(context, query)).data.map(({ hash }) => hash);
    expect(await hashes({ kind: "management" })).toEqual([admin.hash]);
    expect(await hashes({ creator_user_id: bot.creator_user_id ?? "" })).toEqual([bot.hash]);
    expect([bot.tags, admin.tags]).toEqual([[], ["team:ops"]]);
    expect(await hashes({ tag: "team:ops" })).toEqual([admin.hash]);
    expect(await hashes({ tag: "team" })).toEqual([]);
    expect(await hashes({ q: "port b" })).toEqual([bot.hash]);
    expect(await hashes({ q: "sb-mgmt" })).toEqual([admin.hash]);
    expect(await hashes({ q: bot.hash.slice(0, 12) })).toEqual([bot.hash]);
    expect(await hashes({ q: bot.id })).toEqual([bot.hash]);
    expect(await hashes({ workspace_id: world.workspaceId })).toHaveLength(2);
  });

  it("pages newest first without gaps or duplicates", async () => {
    const { context } = await testWorld();
    for (let i = 0; i < 5; i++) await create({ ...context, now: later(i) }, { name: `Key ${i}` });
    const pages = [
      await list(context, { limit: 2 }),
      await list(context, { limit: 2, offset: 2 }),
      await list(context, { limit: 2, offset: 4 }),
    ];
    expect(pages.flatMap(({ data }) => data.map(({ name }) => name))).toEqual([
      "Key 4",
      "Key 3",
      "Key 2",
      "Key 1",
      "Key 0",
    ]);
    expect(pages.map(({ total_count }) => total_count)).toEqual([5, 5, 5]);
  });

  it("sorts by name and by expiry, in both directions, with no expiry last in ascending order", async () => {
    const { context } = await testWorld();
    for (const [name, expires_at] of [
      ["b", null],
      ["c", "2027-01-01T00:00:00Z"],
      ["a", "2028-01-01T00:00:00Z"],
    ] as const)
      await create(context, { name, expires_at });
    const names = async (sort: Parameters<typeof keys.list>[1]["query"]["sort"]) =>
      (await list(context, { sort })).data.map(({ name }) => name);
    expect(await names("name")).toEqual(["a", "b", "c"]);
    expect(await names("-name")).toEqual(["c", "b", "a"]);
    expect(await names("expires_at")).toEqual(["c", "a", "b"]);
    expect(await names("-expires_at")).toEqual(["b", "a", "c"]);
  });

  it("sorts by spend without own provider keys, across pages; unused keys have none", async () => {
    const world = await testWorld();
    const { context } = world;
    for (const [name, micro] of [
      ["little", 1_000n],
      ["unused", null],
      ["much", 9_000_000n],
      ["some", 2_000_000n],
    ] as const) {
      const { data: key } = await create(context, { name });
      if (micro !== null) await spend(world, key.id, "2026-11-20T00:00:00.000Z", micro);
      await spend(world, key.id, "2026-11-20T09:00:00.000Z", 50_000_000n, true);
    }
    const names = async (query: Partial<Parameters<typeof keys.list>[1]["query"]>) => {
      const { data, total_count } = await list(context, query);
      return [...data.map(({ name }) => name), total_count];
    };
    expect(await names({ sort: "-usage" })).toEqual(["much", "some", "little", "unused", 4]);
    expect(await names({ sort: "usage", offset: 1, limit: 2 })).toEqual(["little", "some", 4]);
    expect(await names({ sort: "-usage", q: "some" })).toEqual(["some", 1]);
  });

  it("filters by status; every key has exactly one", async () => {
    const { context } = await testWorld();
    const expiring = { expires_at: later(60).toISOString() };
    const [active, disabled, expired, both] = [
      await create(context),
      await create(context),
      await create(context, expiring),
      await create(context, expiring),
    ];
    await update(context, disabled.data.hash, { disabled: true });
    await update(context, both.data.hash, { disabled: true });
    const at = { ...context, now: later(120) };
    const hashes = async (status: "active" | "disabled" | "expired") =>
      new Set((await list(at, { status })).data.map(({ hash }) => hash));
    expect(await hashes("active")).toEqual(new Set([active.data.hash]));
    expect(await hashes("disabled")).toEqual(new Set([disabled.data.hash, both.data.hash]));
    expect(await hashes("expired")).toEqual(new Set([expired.data.hash]));
  });

  it("returns each key's guardrail and owner, and filters by guardrail or its absence", async () => {
    const world = await testWorld();
    const { context } = world;
    const guardrail_id = await createGuardrail(world, "Production");
    const held = (await create(context, { guardrail_id })).data;
    const free = (await create(context)).data;
    const hashes = async (query: Parameters<typeof list>[1]) =>
      (await list(context, query)).data.map(({ hash }) => hash);
    expect((await get(context, held.hash)).data).toMatchObject({
      guardrail_id,
      guardrail_name: "Production",
      creator_name: expect.any(String) as string,
    });
    expect((await get(context, free.hash)).data).toMatchObject({ guardrail_id: null, guardrail_name: null });
    expect(await hashes({ guardrail_id })).toEqual([held.hash]);
    expect(await hashes({ assigned: "none" })).toEqual([free.hash]);
    expect(await hashes({ assigned: "any" })).toEqual([held.hash]);
    expect(await hashes({ guardrail_id, assigned: "none" })).toEqual([]);
  });

  it("returns the last use and the requests of the last day", async () => {
    const world = await testWorld();
    const { data: key } = await create(world.context);
    expect(key).toMatchObject({ last_used_at: null, requests_last_day: 0 });
    await spend(world, key.id, "2026-11-19T10:00:00.000Z", 1n);
    await spend(world, key.id, "2026-11-19T10:00:01.000Z", 1n);
    await spend(world, key.id, "2026-11-20T09:00:00.000Z", 1n, true);
    expect((await get(world.context, key.hash)).data).toMatchObject({
      last_used_at: "2026-11-20T09:00:00.000Z",
      requests_last_day: 2,
    });
  });

  it("shows members only their own keys", async () => {
    const world = await testWorld();
    const member = await memberSession(world);
    const own = (await create(world.context, { creator_user_id: member.caller.userId })).data;
    const foreign = (await create(world.context)).data;
    expect((await list(member)).data.map(({ hash }) => hash)).toEqual([own.hash]);
    expect((await list(member, { creator_user_id: world.adminId })).data).toEqual([]);
    await expect(get(member, foreign.hash)).rejects.toEqual(status(404));
  });

  it("answers a key of another organization as missing", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const { hash } = (await create(world.context)).data;
    await expect(get(other.context, hash)).rejects.toEqual(status(404));
    await expect(update(other.context, hash, { name: "x" })).rejects.toEqual(status(404));
    await expect(rotate(other.context, hash)).rejects.toEqual(status(404));
    await expect(remove(other.context, hash)).rejects.toEqual(status(404));
    expect((await list(other.context)).total_count).toBe(0);
  });

  it("sums spend per window without own provider keys, and returns the remainder", async () => {
    const world = await testWorld();
    const { context } = world;
    const { data: key } = await create(context, { limit: 10, limit_reset: "weekly", include_byok_in_limit: true });
    const { data: idle } = await create(context, { limit: 2 });
    // NOW is a Friday, 2026-11-20.
    await spend(world, key.id, "2026-11-20T00:00:00.000Z", 1_000_000n);
    await spend(world, key.id, "2026-11-16T00:00:00.000Z", 2_000_000n);
    await spend(world, key.id, "2026-11-15T23:59:59.999Z", 300_000n);
    await spend(world, key.id, "2026-10-31T23:59:59.999Z", 40_000n);
    await spend(world, key.id, "2026-11-20T09:00:00.000Z", 500_000n, true);
    const { data } = await list(context);
    const find = (id: string) => data.find((listed) => listed.id === id) as Key;
    expect(find(key.id)).toMatchObject({
      usage: 3.34,
      usage_daily: 1,
      usage_weekly: 3,
      usage_monthly: 3.3,
      byok_usage: 0.5,
      byok_usage_daily: 0.5,
      byok_usage_weekly: 0.5,
      byok_usage_monthly: 0.5,
      limit_remaining: 6.5,
    });
    expect(find(idle.id)).toMatchObject({ usage: 0, limit_remaining: 2 });
  });
});

describe("changing a key", () => {
  it("updates the given fields, clears with null, and audits before and after", async () => {
    const { context } = await testWorld();
    const { data } = await create(context, { limit: 5, limit_reset: "daily", expires_at: "2027-01-01T00:00:00Z" });
    const changed = (await update(context, data.hash, { name: "Renamed", limit: null, expires_at: null })).data;
    expect(changed).toMatchObject({
      name: "Renamed",
      limit: null,
      limit_remaining: null,
      limit_reset: "daily",
      expires_at: null,
    });
    const event = await context.db.auditEvent.findFirstOrThrow({ where: { targetId: data.id, action: "key.update" } });
    expect([event.before, event.after]).toMatchObject([
      { name: "Key", limit: 5 },
      { name: "Renamed", limit: null },
    ]);
  });

  it("rejects a disabled, an expired and a deleted key", async () => {
    const world = await testWorld();
    const { context } = world;
    const { data, key } = await create(context, { expires_at: later(60).toISOString() });
    expect(await callerOf(world, key, later(59))).not.toBeNull();
    expect(await callerOf(world, key, later(60))).toBeNull();
    await update(context, data.hash, { disabled: true });
    expect(await callerOf(world, key)).toBeNull();
    await update(context, data.hash, { disabled: false });
    await remove(context, data.hash);
    expect(await callerOf(world, key)).toBeNull();
    expect(await context.db.keySecret.count({ where: { keyId: data.id } })).toBe(0);
    await expect(get(context, data.hash)).rejects.toEqual(status(404));
  });

  it("can't disable or delete itself", async () => {
    const world = await testWorld();
    const { data, key } = await create(world.context, { kind: "management" });
    const itself = { ...world.context, caller: (await callerOf(world, key)) as Caller };
    await expect(update(itself, data.hash, { disabled: true })).rejects.toEqual(status(409));
    await expect(remove(itself, data.hash)).rejects.toEqual(status(409));
    expect((await update(itself, data.hash, { name: "Still me" })).data.name).toBe("Still me");
  });
});

describe("rotating a key", () => {
  it("returns a new key and hash immediately, and the previous one expires after the grace period", async () => {
    const world = await testWorld();
    const old = await create(world.context);
    const fresh = await rotate(world.context, old.data.hash, 60);
    expect(fresh.data).toMatchObject({ id: old.data.id, hash: keyHash(fresh.key), name: old.data.name });
    expect(fresh.data.hash).not.toBe(old.data.hash);
    await expect(get(world.context, old.data.hash)).rejects.toEqual(status(404));
    expect(await callerOf(world, old.key, later(59))).toMatchObject({ keyId: old.data.id });
    expect(await callerOf(world, old.key, later(60))).toBeNull();
    expect(await callerOf(world, fresh.key, later(60))).toMatchObject({ keyId: old.data.id });
  });

  it("expires the previous key immediately without a grace period, including one still in its grace period", async () => {
    const world = await testWorld();
    const first = await create(world.context);
    const second = await rotate(world.context, first.data.hash, 3600);
    const third = await rotate(world.context, second.data.hash);
    expect(await Promise.all([first, second, third].map(({ key }) => callerOf(world, key)))).toEqual([
      null,
      null,
      expect.anything(),
    ]);
    expect(await world.context.db.keySecret.count({ where: { keyId: first.data.id } })).toBe(1);
  });

  it("never extends an earlier grace period", async () => {
    const world = await testWorld();
    const first = await create(world.context);
    const second = await rotate(world.context, first.data.hash, 60);
    await rotate(world.context, second.data.hash, 3600);
    expect(await callerOf(world, first.key, later(61))).toBeNull();
    expect(await callerOf(world, second.key, later(61))).not.toBeNull();
  });

  it("keeps the assignment and history", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const { data } = await create(context);
    const guardrail = await context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name: "G" } });
    await context.db.guardrailKeyAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId: guardrail.id, keyId: data.id },
    });
    await spend(world, data.id, "2026-11-20T09:00:00.000Z", 7n);
    const fresh = await rotate(context, data.hash);
    expect(fresh.data.usage).toBe(0.000007);
    expect(await context.db.guardrailKeyAssignment.count({ where: { keyId: data.id } })).toBe(1);
    await remove(context, fresh.data.hash);
    expect(await context.db.guardrailKeyAssignment.count({ where: { keyId: data.id } })).toBe(0);
  });
});

describe("the current key", () => {
  it("returns itself; a console session has none", async () => {
    const world = await testWorld();
    const { key, data } = await create(world.context, { kind: "management" });
    const answer = await current({ ...world.context, caller: (await callerOf(world, key)) as Caller });
    expect(answer.data).toMatchObject({
      label: data.label,
      is_management_key: true,
      organization_id: world.organizationId,
    });
    await expect(current(world.context)).rejects.toEqual(status(403));
  });
});

describe("the remaining limit of a key", () => {
  it("includes active raises by exceptions", async () => {
    const { context } = await testWorld();
    const { data } = await create(context, { limit: 1 });
    const body = CreateExceptionBody.parse({
      kind: "raise_limit",
      key_hash: data.hash,
      raise_usd: 2,
      reason: "Launch",
      expires_at: new Date(context.now.getTime() + 1).toISOString(),
    });
    await createException(context, { params: {}, query: {}, body });
    expect((await get(context, data.hash)).data).toMatchObject({ limit: 1, limit_remaining: 3 });
    expect((await get({ ...context, now: new Date(context.now.getTime() + 1) }, data.hash)).data.limit_remaining).toBe(
      1,
    );
  });

  const cost = async (world: World, keyId: string, rule: BudgetRule | null, costMicroUsd: bigint) => {
    const context = { ...world.context, caller: keyCaller(world, keyId) };
    const outcome = outcomeOf({ costMicroUsd });
    const admission = await reserve(context, outcome.id, rule ? [{ rule, microUsd: 100n }] : []);
    if ("exhausted" in admission) return false;
    await record(context, {
      ...outcome,
      settlements: admission.held.map(({ budgetId }) => ({ budgetId, generationId: outcome.id, costMicroUsd })),
    });
    return true;
  };

  it("matches what would be admitted, also after retention and after a period without the limit", async () => {
    const world = await testWorld();
    const { context } = world;
    const { data } = await create(context, { limit: 0.00001, limit_reset: "monthly" });
    const shown = async () => (await get(context, data.hash)).data.limit_remaining;
    const rule = async () => keyRule(data.id, await context.db.key.findUniqueOrThrow({ where: { id: data.id } }));

    expect(await cost(world, data.id, await rule(), 4n)).toBe(true);
    const before = (await get(context, data.hash)).data;
    await context.db.generation.deleteMany({ where: { keyId: data.id } });
    expect(await shown()).toBe(0.000006);
    expect((await get(context, data.hash)).data, "usage since the key exists").toEqual({
      ...before,
      requests_last_day: 0,
    });
    expect(await cost(world, data.id, await rule(), 6n)).toBe(true);
    expect(await shown()).toBe(0);
    expect(await cost(world, data.id, await rule(), 1n)).toBe(false);

    await update(context, data.hash, { limit: 0.000011 });
    expect(await shown()).toBe(0.000001);
    await update(context, data.hash, { limit: null });
    expect(await cost(world, data.id, await rule(), 15n)).toBe(true);
    await update(context, data.hash, { limit: 0.000025 });
    expect(await shown()).toBe(0);
    expect(await cost(world, data.id, await rule(), 1n)).toBe(false);
  });
});
