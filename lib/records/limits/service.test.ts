import { describe, expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace, keyCaller } from "../../testing/factories";
import { limitRule } from "../../testing/limits";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { uuidv7 } from "../../platform/ids";
import { release, reserve } from "../budgets/service";
import { CreateLimitBody, Limit, UpdateLimitBody } from "./contract";
import { loadLimits } from "./limits-store";
import { endedLimitBudgets } from "./purge-store";
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
    expect(await names(world, { key_hash: key.hash })).toEqual([
      "each workspace",
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

  it("without need are purged", async () => {
    const { context } = await testWorld();
    const { db } = context;
    const age = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
    const budget = (window: "minutely" | "daily" | "lifetime", subject: "end_user" | "key", hours: number) =>
      db.budget.create({
        data: {
          id: uuidv7(NOW),
          sourceId: uuidv7(NOW),
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
    ];
    const kept = [
      await budget("minutely", "key", 1),
      await budget("daily", "key", 80),
      await budget("daily", "end_user", 20),
    ];
    const found = await db.$queryRaw<{ id: string }[]>`SELECT id::text FROM budgets WHERE ${endedLimitBudgets(NOW)}`;
    const ids = found.map(({ id }) => id);
    expect(ended.every(({ id }) => ids.includes(id))).toBe(true);
    expect(kept.some(({ id }) => ids.includes(id))).toBe(false);
  });
});
