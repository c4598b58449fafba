import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { record } from "../../gateway/record/record-store";
import { createKey } from "../../testing/factories";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import type { CreateWorkspaceBody, UpdateWorkspaceBody } from "./contract";
import * as workspaces from "./service";
import { lockedWorkspaceIdOfBody } from "./store";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const create = (context: Context, body: CreateWorkspaceBody) =>
  workspaces.create(context, { params: {}, query: {}, body });
const update = (context: Context, id: string, body: UpdateWorkspaceBody) =>
  workspaces.update(context, { params: { id }, query: {}, body });
const get = (context: Context, id: string) => workspaces.get(context, { params: { id }, query: {}, body: undefined });
const remove = (context: Context, id: string) =>
  workspaces.remove(context, { params: { id }, query: {}, body: undefined });

async function addGuardrail({ context }: World, workspaceId: string, deletedAt: Date | null = null): Promise<string> {
  const { id } = await context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name: "G", deletedAt } });
  return id;
}

describe("creating a workspace", () => {
  it("derives the slug and uses the install's default for content logging", async () => {
    const world = await testWorld();
    const { data } = await create(world.context, { name: "Équipe R&D", content_retention_days: 30 });
    expect(data).toMatchObject({
      slug: "equipe-r-d",
      description: null,
      is_default: false,
      default_guardrail_id: null,
      content_logging: true,
      content_retention_days: 30,
      metadata_retention_days: null,
      created_by: world.adminId,
      updated_at: null,
    });
    const onPostgres = { ...world.context, settings: { ...world.context.settings, databaseUrl: "postgresql://db" } };
    expect((await create(onPostgres, { name: "Quiet" })).data.content_logging).toBe(false);
    expect((await create(world.context, { name: "日本" })).data.slug).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("rejects a duplicate slug in the organization, but not of another one", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await create(world.context, { name: "Research" });
    await expect(create(world.context, { name: "research" })).rejects.toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["slug"] }] },
    });
    expect((await create(other.context, { name: "Research" })).data.slug).toBe("research");
  });

  it("can't set a default guardrail yet", async () => {
    const world = await testWorld();
    const guardrail = await addGuardrail(world, world.workspaceId);
    await expect(create(world.context, { name: "New", default_guardrail_id: guardrail })).rejects.toEqual(status(400));
    expect(
      (await create(world.context, { name: "New", default_guardrail_id: null })).data.default_guardrail_id,
    ).toBeNull();
  });
});

describe("changing a workspace", () => {
  it("updates the given fields and clears with null", async () => {
    const { context } = await testWorld();
    const { data } = await create(context, { name: "Research", description: "d", metadata_retention_days: 5 });
    const changed = (await update(context, data.id, { slug: "lab", description: null, content_logging: false })).data;
    expect(changed).toMatchObject({
      name: "Research",
      slug: "lab",
      description: null,
      content_logging: false,
      metadata_retention_days: 5,
    });
    expect(changed.updated_at).toBe(NOW.toISOString());
  });

  it("accepts only an existing guardrail of its own as default", async () => {
    const world = await testWorld();
    const { data } = await create(world.context, { name: "Research" });
    const [own, foreign, deleted] = [
      await addGuardrail(world, data.id),
      await addGuardrail(world, world.workspaceId),
      await addGuardrail(world, data.id, NOW),
    ];
    for (const id of [foreign, deleted, uuidv7(NOW)]) {
      await expect(update(world.context, data.id, { default_guardrail_id: id })).rejects.toMatchObject({
        status: 400,
        metadata: { issues: [{ path: ["default_guardrail_id"] }] },
      });
    }
    expect((await update(world.context, data.id, { default_guardrail_id: own })).data.default_guardrail_id).toBe(own);
    expect((await update(world.context, data.id, { default_guardrail_id: null })).data.default_guardrail_id).toBeNull();
  });

  it("accepts its own slug", async () => {
    const { context, workspaceId } = await testWorld();
    expect((await update(context, workspaceId, { slug: "default", name: "Main" })).data.name).toBe("Main");
  });
});

describe("deleting a workspace", () => {
  it("is rejected for the default workspace", async () => {
    const { context, workspaceId } = await testWorld();
    await expect(remove(context, workspaceId)).rejects.toEqual(status(409));
  });

  it("is rejected while it isn't empty, with the counts", async () => {
    const world = await testWorld();
    const { data } = await create(world.context, { name: "Research" });
    const key = await createKey(world, { workspaceId: data.id });
    const guardrail = await addGuardrail(world, data.id);
    await expect(remove(world.context, data.id)).rejects.toMatchObject({
      status: 409,
      metadata: { holds: { keys: 1, guardrails: 1, presets: 0 } },
    });
    await world.context.db.key.update({ where: { id: key.id }, data: { deletedAt: NOW } });
    await world.context.db.guardrail.update({ where: { id: guardrail }, data: { deletedAt: NOW } });
    expect(await remove(world.context, data.id)).toEqual({ deleted: true });
    await expect(get(world.context, data.id)).rejects.toEqual(status(404));
  });

  it("hides the workspace and frees its slug at once, and leaves its history to a purge", async () => {
    const world = await testWorld();
    const { context } = world;
    const { db } = context;
    const { data } = await create(context, { name: "Research" });
    await record({ ...context, caller: { ...context.caller, workspaceId: data.id } }, outcomeOf());
    const later = new Date(Date.now() + 60 * 60_000);
    await db.recurringJob.update({ where: { name: "purge" }, data: { dueAt: later } });
    expect(await remove(context, data.id)).toEqual({ deleted: true });
    await expect(get(context, data.id)).rejects.toEqual(status(404));
    await expect(update(context, data.id, { name: "x" })).rejects.toEqual(status(404));
    await expect(remove(context, data.id)).rejects.toEqual(status(404));
    const listed = await workspaces.list(context, { params: {}, query: { offset: 0, limit: 9 }, body: undefined });
    expect([listed.data.map(({ id }) => id), listed.total_count]).toEqual([[world.workspaceId], 1]);
    await expect(lockedWorkspaceIdOfBody(db, context, data.id)).rejects.toEqual(status(400));
    expect((await create(context, { name: "Research" })).data.slug).toBe("research");
    expect(await db.generation.count({ where: { workspaceId: data.id } })).toBe(1);
    const { dueAt } = await db.recurringJob.findUniqueOrThrow({ where: { name: "purge" } });
    expect(dueAt.getTime()).toBeLessThan(later.getTime());
  });

  it("deletes the alerts of the workspace", async () => {
    const { context, organizationId } = await testWorld();
    const { data } = await create(context, { name: "Research" });
    const rule = {
      organizationId,
      name: "Errors",
      kind: "error_rate",
      threshold: 1,
      windowMinutes: 5,
      minRequests: 1,
      quietMinutes: 5,
      createdAt: NOW,
    } as const;
    const ids = [uuidv7(NOW), uuidv7(NOW)];
    await context.db.alertRule.createMany({
      data: ids.map((id, index) => ({ ...rule, id, workspaceId: index === 0 ? data.id : null })),
    });
    await remove(context, data.id);
    const left = await context.db.alertRule.findMany({ where: { organizationId } });
    expect(left.map(({ id }) => id)).toEqual([ids[1]]);
  });
});

it("lists newest first, and answers a foreign workspace as missing", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const { data } = await create({ ...world.context, now: new Date("2027-01-01T00:00:00Z") }, { name: "Later" });
  const first = await workspaces.list(world.context, { params: {}, query: { offset: 0, limit: 1 }, body: undefined });
  expect([first.data.map(({ name }) => name), first.total_count]).toEqual([["Later"], 2]);
  await expect(get(other.context, data.id)).rejects.toEqual(status(404));
  await expect(update(other.context, data.id, { name: "x" })).rejects.toEqual(status(404));
  await expect(remove(other.context, data.id)).rejects.toEqual(status(404));
});
