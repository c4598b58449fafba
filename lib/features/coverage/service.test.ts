import { expect, it } from "vitest";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { coverage } from "./service";
import { getCoverage } from "./contract";

const read = async ({ context }: World, query: { workspace_id?: string; guardrail_id?: string | string[] } = {}) =>
  getCoverage.result.parse(await coverage(context, { params: {}, query, body: undefined })).data;

const createGuardrail = async (
  { context, workspaceId }: World,
  name: string,
  fields: { limitMicroUsd?: bigint; workspaceId?: string; mode?: "observe" } = {},
) => {
  const { id } = await context.db.guardrail.create({
    data: { id: uuidv7(NOW), workspaceId, name, createdAt: NOW, ...fields },
  });
  return id;
};

async function assignKey({ context, organizationId }: World, guardrailId: string, keyId: string) {
  await context.db.guardrailKeyAssignment.create({ data: { id: uuidv7(NOW), organizationId, guardrailId, keyId } });
}

async function assignMember({ context, organizationId, workspaceId }: World, guardrailId: string, userId: string) {
  await context.db.guardrailMemberAssignment.create({
    data: { id: uuidv7(NOW), organizationId, guardrailId, workspaceId, userId },
  });
}

it("returns the most specific guardrail of each active key, or none", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const ann = await createMember(world);
  const assigned = await createKey(world);
  await createKey(world, { creatorUserId: ann });
  const bare = await createKey(world, { name: "bare" });
  const elsewhere = await createKey(world, {
    name: "elsewhere",
    creatorUserId: ann,
    workspaceId: await createWorkspace(world),
  });
  await createKey(world, { kind: "management" });
  for (const data of [{ disabled: true }, { deletedAt: NOW }, { expiresAt: NOW }]) {
    await db.key.update({ where: { id: (await createKey(world)).id }, data });
  }
  await createKey(await testWorld());
  const guardrailId = await createGuardrail(world, "Guardrail");
  await assignKey(world, guardrailId, assigned.id);
  await assignMember(world, guardrailId, ann);

  const all = await read(world);
  expect(all.keys).toEqual({ assigned: 1, by_member: 1, by_default: 0, uncovered: 2 });
  expect(all.uncovered_keys.total_count).toBe(2);
  expect(all.uncovered_keys.data.map(({ key_hash }) => key_hash).sort()).toEqual([bare.hash, elsewhere.hash].sort());
  expect((await read(world, { workspace_id: world.workspaceId })).uncovered_keys.data).toEqual([
    { key_hash: bare.hash, key_name: "bare", workspace_id: world.workspaceId },
  ]);

  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: guardrailId } });
  expect((await read(world)).keys).toEqual({ assigned: 1, by_member: 1, by_default: 1, uncovered: 1 });
});

it("returns the most specific guardrail of each member", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const [ann, gone] = [await createMember(world), await createMember(world)];
  await db.member.update({ where: { id: gone }, data: { deletedAt: NOW } });
  const guardrailId = await createGuardrail(world, "Guardrail");
  await assignMember(world, guardrailId, ann);
  const email = `${world.adminId}@example.com`.toLowerCase();
  expect(await read(world)).toMatchObject({
    members: { assigned: 1, by_default: 0, uncovered: 1 },
    uncovered_members: { total_count: 1, data: [{ user_id: world.adminId, name: email, email }] },
  });
  const other = await createWorkspace(world);
  expect((await read(world, { workspace_id: other })).members).toEqual({ assigned: 0, by_default: 0, uncovered: 2 });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: guardrailId } });
  expect((await read(world)).members).toEqual({ assigned: 1, by_default: 1, uncovered: 0 });
});

it("finds keys without a spending limit", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const [own, guarded, loose] = [
    await createKey(world),
    await createKey(world),
    await createKey(world, { name: "loose" }),
  ];
  await db.key.update({ where: { id: own.id }, data: { limitMicroUsd: 0n } });
  await assignKey(world, await createGuardrail(world, "Limit", { limitMicroUsd: 1n }), guarded.id);
  await assignKey(world, await createGuardrail(world, "No limit"), loose.id);
  expect((await read(world)).unlimited_keys).toEqual({
    total_count: 1,
    data: [{ key_hash: loose.hash, key_name: "loose", workspace_id: world.workspaceId }],
  });
  await assignMember(world, await createGuardrail(world, "Of the member", { limitMicroUsd: 1n }), world.adminId);
  expect((await read(world)).unlimited_keys).toEqual({ total_count: 0, data: [] });
});

it("counts each guardrail's assignments and finds unused ones", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const ids = {
    used: await createGuardrail(world, "Used"),
    fallback: await createGuardrail(world, "Default"),
    idle: await createGuardrail(world, "Idle"),
  };
  const deleted = await createGuardrail(world, "Deleted");
  await db.guardrail.update({ where: { id: deleted }, data: { deletedAt: NOW } });
  await createGuardrail(await testWorld(), "Foreign");
  const elsewhere = await createGuardrail(world, "Elsewhere", { workspaceId: await createWorkspace(world) });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: ids.fallback } });
  for (let n = 0; n < 2; n += 1) await assignKey(world, ids.used, (await createKey(world)).id);
  await assignMember(world, ids.used, world.adminId);

  const { guardrails, unassigned_guardrails } = await read(world, { workspace_id: world.workspaceId });
  expect(new Map(guardrails.map(({ guardrail_id, ...counts }) => [guardrail_id, counts]))).toEqual(
    new Map([
      [ids.used, { keys: 2, members: 1, is_default: false }],
      [ids.fallback, { keys: 0, members: 0, is_default: true }],
      [ids.idle, { keys: 0, members: 0, is_default: false }],
    ]),
  );
  expect(unassigned_guardrails).toEqual({
    total_count: 1,
    data: [{ guardrail_id: ids.idle, name: "Idle", workspace_id: world.workspaceId }],
  });
  const filtered = await read(world, { guardrail_id: [ids.used, elsewhere, deleted] });
  expect(filtered.guardrails.map(({ guardrail_id }) => guardrail_id).sort()).toEqual([ids.used, elsewhere].sort());
  expect(filtered.unassigned_guardrails.total_count).toBe(2);
});

it("lists the first hundred and counts all", async () => {
  const world = await testWorld();
  for (let n = 0; n < 101; n += 1) await createKey(world, { name: `Key ${n}` });
  const { uncovered_keys } = await read(world);
  expect([uncovered_keys.total_count, uncovered_keys.data.length]).toEqual([101, 100]);
});

it("doesn't count guardrails that only observe as protection, and lists them", async () => {
  const world = await testWorld();
  const ann = await createMember(world);
  const [own, ofMember] = [await createKey(world), await createKey(world, { creatorUserId: ann })];
  const [watching, watchingAnn] = [
    await createGuardrail(world, "Watching", { mode: "observe", limitMicroUsd: 5n }),
    await createGuardrail(world, "Watching Ann", { mode: "observe" }),
  ];
  await assignKey(world, watching, own.id);
  await assignMember(world, watchingAnn, ann);
  const found = await read(world);
  expect(found.keys).toEqual({ assigned: 0, by_member: 0, by_default: 0, uncovered: 2 });
  expect(found.unlimited_keys.total_count).toBe(2);
  expect(found.uncovered_keys.data.map(({ key_hash }) => key_hash).toSorted()).toEqual(
    [own.hash, ofMember.hash].toSorted(),
  );
  expect(found.uncovered_members.data.map(({ user_id }) => user_id)).toContain(ann);
  expect(found.observing_guardrails).toMatchObject({ total_count: 2 });
  expect(found.unassigned_guardrails.total_count).toBe(0);
});
