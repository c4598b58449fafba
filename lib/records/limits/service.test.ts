import { describe, expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { limitRules } from "../../engine/budgets/limit";
import type { Context } from "../../platform/context";
import { createKey, createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { limitRule, subjectsOf as requestOf } from "../../testing/limits";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { uuidv7 } from "../../platform/ids";
import { grantsOf } from "../roles/grants";
import { release, reserve } from "../budgets/service";
import { CreateLimitBody, Limit, UpdateLimitBody } from "./contract";
import { loadLimits } from "./limits-store";
import { purgeLimitBudgets } from "./purge-store";
import * as limits from "./service";

const BODY = { name: "Team", subject_type: "organization", metric: "spend", amount: 5 };
const PAGE = { offset: 0, limit: 50 };
const create = async ({ context }: World, body: object = {}) =>
  Limit.parse(
    (await limits.create(context, { params: {}, query: {}, body: CreateLimitBody.parse({ ...BODY, ...body }) })).data,
  );
const update = async ({ context }: World, id: string, body: object, ifMatch: number[] | null = null) =>
  (await limits.update({ ...context, ifMatch }, { params: { id }, query: {}, body: UpdateLimitBody.parse(body) })).data;
const remove = ({ context }: World, id: string, ifMatch: number[] | null = null) =>
  limits.remove({ ...context, ifMatch }, { params: { id }, query: {}, body: undefined });
const names = async ({ context }: World, query: object = {}) =>
  (await limits.list(context, { params: {}, query: { ...PAGE, ...query }, body: undefined })).data.map(
    ({ name }) => name,
  );

describe("limits", () => {
  it("are created, changed, deleted and audited", async () => {
    const world = await testWorld();
    const { db } = world.context;
    const limit = await create(world);
    expect(limit).toMatchObject({ ...BODY, subject_ids: null, reset_interval: null, time_zone: "UTC", revision: 1 });
    const changes = {
      name: "Renamed",
      amount: 0.5,
      reset_interval: "monthly",
      time_zone: "Asia/Tokyo",
      carry_over: true,
    };
    const changed = await update(world, limit.id, { ...changes, starts: { month_day: 31 } }, [1]);
    expect(changed).toMatchObject({ ...changes, starts: { hour: 0, weekday: 1, month_day: 31 }, revision: 2 });
    expect(await failure(update(world, limit.id, { amount: 1 }, [1]))).toMatchObject({ status: 412 });
    expect(await failure(remove(world, limit.id, [1]))).toMatchObject({ status: 412 });
    expect((await limits.get(world.context, { params: { id: limit.id }, query: {}, body: undefined })).data).toEqual(
      changed,
    );
    expect(await remove(world, limit.id, [2])).toEqual({ deleted: true });
    expect(await names(world)).toEqual([]);
    const events = await db.auditEvent.findMany({
      where: { organizationId: world.organizationId, targetId: limit.id },
      orderBy: { createdAt: "asc" },
    });
    expect(events.map(({ action }) => action).sort()).toEqual(["limit.create", "limit.delete", "limit.update"]);
  });

  it("of another organization are unknown", async () => {
    const [world, foreign] = [await testWorld(), await testWorld()];
    const { id } = await create(foreign);
    expect(await names(world)).toEqual([]);
    expect(await failure(update(world, id, { amount: 1 }))).toMatchObject({ status: 404 });
    expect(await failure(remove(world, id))).toMatchObject({ status: 404 });
    expect((await loadLimits(world.context.db, world.organizationId)).named.size).toBe(0);
  });

  it("name subjects of the organization", async () => {
    const [world, foreign] = [await testWorld(), await testWorld()];
    const key = await createKey(world, { name: "Search" });
    const userId = await createMember(world);
    const providerId = await createProvider(world, { slug: "acme" });
    await createModel(world, { slug: "acme/one", providerId });
    const known: [string, string, string][] = [
      ["workspace", world.workspaceId, "Default"],
      ["tag", "team:search", "team:search"],
      ["member", userId, `${userId}@example.com`.toLowerCase()],
      ["key", key.hash, "Search"],
      ["keys", key.hash, "Search"],
      ["end_user", "eve", "eve"],
      ["model", "acme/one", "acme/one"],
      ["provider", "acme", "acme"],
    ];
    for (const [subject_type, id, name] of known)
      expect(await create(world, { name: subject_type, subject_type, subject_ids: [id] }), subject_type).toMatchObject({
        subject_ids: [id],
        subject_names: [name],
      });
    const management = await createKey(world, { kind: "management" });
    const unknown: [string, string][] = [
      ["workspace", foreign.workspaceId],
      ["workspace", "no id"],
      ["tag", "two words"],
      ["member", foreign.adminId],
      ["key", (await createKey(foreign)).hash],
      ["key", management.hash],
      ["end_user", "\0"],
      ["model", "acme/two"],
      ["provider", "other"],
    ];
    for (const [subject_type, id] of unknown)
      expect(
        await failure(create(world, { name: "Unknown", subject_type, subject_ids: ["acme", id].slice(1) })),
        `${subject_type} ${id}`,
      ).toMatchObject({ status: 400, metadata: { issues: [{ path: ["subject_ids", 0] }] } });
    expect(await failure(create(world, { name: "keys" }))).toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["name"] }] },
    });
    expect(
      await failure(create(world, { name: "W", subject_type: "key", workspace_id: foreign.workspaceId })),
    ).toMatchObject({
      status: 400,
    });
  });

  it("are found by the key, member or workspace whose requests they count", async () => {
    const world = await testWorld();
    const { context, workspaceId, adminId } = world;
    const other = await createWorkspace(world);
    const userId = await createMember(world, "member", ["office:oslo"]);
    const key = await createKey(world, { tags: ["team:search"], creatorUserId: userId });
    const { hash } = await createKey(world, { workspaceId: other });
    await create(world, { name: "organization" });
    await create(world, { name: "workspace", subject_type: "workspace", subject_ids: [workspaceId] });
    await create(world, { name: "each workspace", subject_type: "workspace" });
    await create(world, { name: "search", subject_type: "tag", subject_ids: ["team:search"] });
    await create(world, { name: "oslo", subject_type: "tag", subject_ids: ["office:oslo"] });
    await create(world, { name: "admin", subject_type: "member", subject_ids: [adminId] });
    await create(world, { name: "member", subject_type: "member", subject_ids: [userId] });
    await create(world, { name: "pool", subject_type: "keys", subject_ids: [key.hash] });
    await create(world, { name: "of another workspace", subject_type: "key", workspace_id: other });
    await create(world, { name: "end user", subject_type: "end_user" });
    expect(await names(world, { key_hash: key.hash }), "one that names the workspace replaces that of each").toEqual([
      "member",
      "organization",
      "oslo",
      "pool",
      "search",
      "workspace",
    ]);
    expect(await names(world, { key_hash: hash })).toEqual([
      "admin",
      "each workspace",
      "of another workspace",
      "organization",
    ]);
    expect(await names(world, { user_id: userId })).toEqual(["member", "organization", "oslo"]);
    expect(await names(world, { workspace_id: other, subject_type: "workspace" })).toEqual(["each workspace"]);
    expect(await failure(names(world, { key_hash: "unknown" }))).toMatchObject({ status: 404 });
    expect(await failure(names(world, { user_id: "unknown" }))).toMatchObject({ status: 404 });
    expect(context.ifMatch).toBeNull();
  });

  it("show who is closest, and what is left for each subject", async () => {
    const world = await testWorld();
    const { context } = world;
    const limit = await create(world, {
      metric: "requests",
      amount: 10,
      reset_interval: "hourly",
      subject_type: "end_user",
    });
    const caller = keyCaller(world, (await createKey(world)).id);
    const spend = async (subjectId: string, microUsd: bigint) => {
      const rule = { ...limitRule(limit.id, "requests", 10n), subject: "end_user" as const, subjectId };
      const hourly = {
        ...rule,
        interval: "hourly" as const,
        limit: rule.limit && {
          ...rule.limit,
          subject: "end_user" as const,
          cycle: { ...rule.limit.cycle, interval: "hourly" as const },
        },
      };
      const id = uuidv7(NOW);
      const admission = await reserve({ ...context, caller }, id, [{ rule: hourly, microUsd }]);
      if (!("held" in admission)) throw new Error("refused");
      return () => release(context, id, admission.held);
    };
    await spend("eve", 2n);
    const end = await spend("bob", 7n);
    const { data, total_count } = await limits.subjects(context, {
      params: { id: limit.id },
      query: PAGE,
      body: undefined,
    });
    expect(total_count).toBe(2);
    expect(data).toMatchObject([
      { id: "bob", name: "bob", limit: 10, used: 0, reserved: 7, remaining: 3, resets_at: "2026-11-20T11:00:00.000Z" },
      { id: "eve", reserved: 2, remaining: 8, exhausted_at: null },
    ]);
    const [listed] = (await limits.list(context, { params: {}, query: PAGE, body: undefined })).data;
    expect(listed?.closest).toMatchObject({ id: "bob", remaining: 3 });
    await end();
  });

  it("of a key or member show what its own subjects have used", async () => {
    const world = await testWorld();
    const { context, workspaceId, adminId } = world;
    const [key, busy] = [await createKey(world, { name: "Quiet" }), await createKey(world, { name: "Busy" })];
    const hourly = { metric: "requests", amount: 10, reset_interval: "hourly" };
    const ofEach = await create(world, { ...hourly, name: "each key", subject_type: "key" });
    const named = await create(world, { ...hourly, name: "named", subject_type: "key", subject_ids: [busy.hash] });
    await create(world, { ...hourly, name: "tokens", metric: "tokens" });
    await create(world, { name: "spend" });
    const index = await loadLimits(context.db, world.organizationId);
    const use = async (keyId: string, times: number) => {
      const rules = limitRules(index, requestOf({ keyId, workspaceId, userId: adminId }));
      for (let time = 0; time < times; time++)
        await reserve(
          context,
          uuidv7(NOW),
          rules.map((rule) => ({ rule, microUsd: 1n })),
        );
    };
    await use(key.id, 1);
    await use(busy.id, 5);
    const of = async (query: object) => {
      const { data } = await limits.list(context, { params: {}, query: { ...PAGE, ...query }, body: undefined });
      return data.map(({ name, closest }) => [name, closest?.name ?? null, closest?.reserved ?? 0]);
    };
    const all = { metric: ["requests", "tokens"] };
    expect(await of({ key_hash: key.hash, ...all })).toEqual([
      ["each key", "Quiet", 1],
      ["tokens", "Organization", 6],
    ]);
    expect(await of({ key_hash: busy.hash, metric: "requests" })).toEqual([["named", "Busy", 5]]);
    await update(world, named.id, { enabled: false });
    expect(await of({ key_hash: busy.hash, metric: "requests" })).toEqual([
      ["each key", null, 0],
      ["named", "Busy", 5],
    ]);
    expect((await of({})).find(([name]) => name === "each key")).toEqual(["each key", "Quiet", 1]);
    expect(ofEach.closest).toBeNull();
  });

  it("are shown to a role in one workspace as far as they are on its requests", async () => {
    const world = await testWorld();
    const { context, workspaceId } = world;
    const other = await createWorkspace(world);
    const [here, there] = [await createKey(world, { name: "here" }), await createKey(world, { workspaceId: other })];
    const hourly = { metric: "requests", amount: 10, reset_interval: "hourly" };
    const add = (name: string, body: object) => create(world, { ...hourly, name, ...body });
    const ofAll = await add("organization", {});
    const each = await add("each workspace", { subject_type: "workspace" });
    await add("each key", { subject_type: "key" });
    await add("each tag", { subject_type: "tag" });
    await add("both", { subject_type: "workspace", subject_ids: [workspaceId, other], reset_interval: "daily" });
    await add("its tags", { subject_type: "tag", workspace_id: other });
    await add("tags of another", { subject_type: "tag", workspace_id: workspaceId });
    await add("its keys", { subject_type: "keys", subject_ids: [there.hash] });
    await add("mixed keys", { subject_type: "keys", subject_ids: [here.hash, there.hash] });
    const index = await loadLimits(context.db, world.organizationId);
    for (const [keyId, workspace, times] of [
      [here.id, workspaceId, 5],
      [there.id, other, 2],
    ] as const) {
      const rules = limitRules(index, requestOf({ keyId, workspaceId: workspace, tags: ["team:search"] }));
      const charges = rules.map((rule) => ({ rule, microUsd: BigInt(times) }));
      await reserve(context, uuidv7(NOW), charges);
    }
    const grants = grantsOf([{ role: "admin", permissions: null, workspace: other }]);
    const lead = await createMember(world);
    const asLead: Context = {
      ...context,
      caller: memberCaller(world, lead, { grants }),
      narrowedBy: "budgets:read",
    };
    const { data } = await limits.list(asLead, { params: {}, query: PAGE, body: undefined });
    expect(data.map(({ name, closest }) => [name, closest?.reserved ?? null])).toEqual([
      ["each key", 2],
      ["each workspace", 2],
      ["its keys", 2],
      ["its tags", 2],
    ]);
    const subjectsSeen = await limits.subjects(asLead, { params: { id: each.id }, query: PAGE, body: undefined });
    expect(subjectsSeen).toMatchObject({ data: [{ id: other }], total_count: 1 });
    const get = (id: string) => limits.get(asLead, { params: { id }, query: {}, body: undefined });
    expect((await get(each.id)).data.closest).toMatchObject({ id: other });
    expect(await failure(get(ofAll.id))).toMatchObject({ status: 404 });
    const listed = (key_hash: string) =>
      limits.list(asLead, { params: {}, query: { ...PAGE, key_hash }, body: undefined });
    expect(await failure(listed(here.hash))).toMatchObject({ status: 404 });
    expect((await listed(there.hash)).total_count).toBe(3);
  });

  it("keep subjects that were deleted since", async () => {
    const world = await testWorld();
    const { db } = world.context;
    const [key, other] = [await createKey(world, { name: "Gone" }), await createKey(world)];
    const { id } = await create(world, { subject_type: "key", subject_ids: [key.hash] });
    await db.key.update({ where: { id: key.id }, data: { deletedAt: NOW } });
    expect(await update(world, id, { subject_ids: [key.hash, other.hash] })).toMatchObject({
      subject_ids: [key.hash, other.hash],
      subject_names: ["Gone", "Key"],
    });
    await update(world, id, { subject_ids: [other.hash] });
    expect(await failure(update(world, id, { subject_ids: [key.hash] }))).toMatchObject({ status: 400 });
  });

  it("keep the start of their periods as far as it isn't given", async () => {
    const world = await testWorld();
    const starts = { hour: 3, weekday: 4, month_day: 5 };
    const { id } = await create(world, { reset_interval: "monthly", starts });
    expect((await update(world, id, { starts: { hour: 6 } })).starts).toEqual({ ...starts, hour: 6 });
  });

  it("count from now on in another period, and go on in the same one", async () => {
    const world = await testWorld();
    const { context } = world;
    const later = (hours: number): World => ({
      ...world,
      context: { ...context, now: new Date(NOW.getTime() + hours * 3_600_000) },
    });
    const { id } = await create(world, { reset_interval: "daily" });
    const since = async (hours: number, changes: object) => {
      await update(later(hours), id, changes);
      const { countsSince } = await context.db.limit.findUniqueOrThrow({ where: { id } });
      return (countsSince.getTime() - NOW.getTime()) / 3_600_000;
    };
    expect(await since(1, { amount: 6 })).toBe(0);
    expect(await since(2, { time_zone: "Europe/London" }), "the same day in winter").toBe(0);
    expect(await since(3, { enabled: false })).toBe(0);
    expect(await since(4, { enabled: true }), "what it has counted of the day still counts").toBe(0);
    expect(await since(5, { time_zone: "Asia/Tokyo" })).toBe(5);
    expect(await since(6, { reset_interval: "monthly" })).toBe(6);
    expect(await since(7, { enabled: false })).toBe(6);
    expect(await since(24 * 20, { enabled: true }), "off when the month began").toBe(24 * 20);
  });

  it("without need are purged", async () => {
    const world = await testWorld();
    const { context } = world;
    const { db } = context;
    const age = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
    const key = await createKey(world);
    const budget = (
      window: "minutely" | "daily" | "lifetime",
      subject: "end_user" | "key" | "member",
      hours: number,
      sourceId = uuidv7(NOW),
    ) =>
      db.budget.create({
        data: {
          id: uuidv7(NOW),
          sourceId,
          subject,
          subjectId: "s",
          window,
          windowStart: age(hours),
          updatedAt: age(hours),
        },
      });
    const ended = [
      await budget("minutely", "key", 3),
      await budget("daily", "end_user", 80),
      await budget("lifetime", "end_user", 30),
      await budget("lifetime", "key", 30),
      await budget("lifetime", "member", 30),
    ];
    const kept = [
      await budget("minutely", "key", 1),
      await budget("daily", "key", 80),
      await budget("daily", "end_user", 20),
      await budget("lifetime", "key", 20),
      await budget("lifetime", "key", 30, key.id),
    ];
    await purgeLimitBudgets(db, NOW, 10_000);
    const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
    const left = await db.budget.findMany({ where: { id: { in: idsOf([...ended, ...kept]) } } });
    expect(idsOf(left)).toEqual(idsOf(kept));
  });
});
