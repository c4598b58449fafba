import { describe, expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import * as changes from "./assignment-changes-service";
import * as assignments from "./assignments-service";
import * as guardrails from "../../features/guardrails/service";

const UNKNOWN_ID = "0df9e665-d932-5740-b2c7-b52af166bc11";
const page = { offset: 0, limit: 50 };
const FOR_REAL = { dry_run: "false" as const };
const CHANGED = { change_id: expect.any(String) as string };

const guardrailOf = async ({ context }: World, workspace_id?: string) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "G", workspace_id } })).data.id;
const assignKeys = ({ context }: World, id: string, key_hashes: string[]) =>
  changes.assignKeys(context, { params: { id }, query: FOR_REAL, body: { key_hashes } });
const unassignKeys = ({ context }: World, id: string, key_hashes: string[]) =>
  changes.unassignKeys(context, { params: { id }, query: FOR_REAL, body: { key_hashes } });
const assignMembers = ({ context }: World, id: string, member_user_ids: string[]) =>
  changes.assignMembers(context, { params: { id }, query: FOR_REAL, body: { member_user_ids } });
const unassignMembers = ({ context }: World, id: string, member_user_ids: string[]) =>
  changes.unassignMembers(context, { params: { id }, query: FOR_REAL, body: { member_user_ids } });
const keysOf = async ({ context }: World, id: string) =>
  (await assignments.listKeysOf(context, { params: { id }, query: page, body: undefined })).data;
const membersOf = async ({ context }: World, id: string) =>
  (await assignments.listMembersOf(context, { params: { id }, query: page, body: undefined })).data;

describe("key assignments", () => {
  it("assigns each key once and returns hash, name and label", async () => {
    const world = await testWorld();
    const id = await guardrailOf(world);
    const key = await createKey(world, { name: "CI" });
    expect(await assignKeys(world, id, [key.hash, key.hash])).toEqual({ assigned_count: 1, ...CHANGED });
    expect(await keysOf(world, id)).toEqual([
      {
        id: expect.any(String) as string,
        guardrail_id: id,
        key_hash: key.hash,
        key_name: "CI",
        key_label: `sb-key-v1-${key.text.slice(10, 13)}...${key.text.slice(-4)}`,
        assigned_by: world.adminId,
        created_at: world.context.now.toISOString(),
      },
    ]);
  });

  it("moves a key from another guardrail: a key has at most one", async () => {
    const world = await testWorld();
    const [first, second] = [await guardrailOf(world), await guardrailOf(world)];
    const { hash } = await createKey(world);
    await assignKeys(world, first, [hash]);
    expect(await assignKeys(world, second, [hash])).toEqual({ assigned_count: 1, ...CHANGED });
    expect([(await keysOf(world, first)).length, (await keysOf(world, second)).length]).toEqual([0, 1]);
  });

  it("keeps an existing assignment", async () => {
    const world = await testWorld();
    const id = await guardrailOf(world);
    const { hash } = await createKey(world);
    await assignKeys(world, id, [hash]);
    const before = await keysOf(world, id);
    expect(await assignKeys(world, id, [hash])).toEqual({ assigned_count: 1 });
    expect(await keysOf(world, id)).toEqual(before);
  });

  it("is all or nothing: unknown, management, foreign and other-workspace keys are listed and nothing is assigned", async () => {
    const [world, other] = await Promise.all([testWorld(), testWorld()]);
    const id = await guardrailOf(world);
    const good = await createKey(world);
    const bad = [
      "0".repeat(64),
      (await createKey(world, { kind: "management" })).hash,
      (await createKey(other)).hash,
      (await createKey(world, { workspaceId: await createWorkspace(world) })).hash,
    ];
    const refused = await failure(assignKeys(world, id, [good.hash, ...bad]));
    expect(refused.status).toBe(400);
    expect(refused.metadata).toMatchObject({ unknown: bad });
    expect(await keysOf(world, id)).toEqual([]);
  });

  it("unassigns only keys assigned to the guardrail", async () => {
    const world = await testWorld();
    const [first, second] = [await guardrailOf(world), await guardrailOf(world)];
    const { hash } = await createKey(world);
    await assignKeys(world, first, [hash]);
    expect(await unassignKeys(world, second, [hash, "unknown"])).toEqual({ unassigned_count: 0 });
    expect(await unassignKeys(world, first, [hash])).toEqual({ unassigned_count: 1, ...CHANGED });
    expect(await unassignKeys(world, first, [hash])).toEqual({ unassigned_count: 0 });
  });

  it("leaves one guardrail per key after parallel moves of many keys in different orders", async () => {
    const world = await testWorld();
    const ids = await Promise.all([1, 2, 3].map(() => guardrailOf(world)));
    const hashes = (await Promise.all(Array.from({ length: 20 }, () => createKey(world)))).map(({ hash }) => hash);
    const orders = [hashes, [...hashes].reverse(), [...hashes].sort()];
    await Promise.all(ids.flatMap((id) => orders.map((order) => assignKeys(world, id, order))));
    const counts = await Promise.all(ids.map(async (id) => (await keysOf(world, id)).length));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
  });

  it("lists all key assignments of the organization, and only those", async () => {
    const [world, other] = await Promise.all([testWorld(), testWorld()]);
    const { hash } = await createKey(world);
    await assignKeys(world, await guardrailOf(world), [hash]);
    await assignKeys(other, await guardrailOf(other), [(await createKey(other)).hash]);
    const { data, total_count } = await assignments.listKeys(world.context, {
      params: {},
      query: page,
      body: undefined,
    });
    expect([data.map(({ key_hash }) => key_hash), total_count]).toEqual([[hash], 1]);
  });

  it("is deleted with its guardrail", async () => {
    const world = await testWorld();
    const id = await guardrailOf(world);
    await assignKeys(world, id, [(await createKey(world)).hash]);
    await guardrails.remove(world.context, { params: { id }, query: {}, body: undefined });
    expect(await world.context.db.guardrailKeyAssignment.count({ where: { guardrailId: id } })).toBe(0);
  });
});

describe("member assignments", () => {
  it("assigns, moves within a workspace, and unassigns", async () => {
    const world = await testWorld();
    const [first, second] = [await guardrailOf(world), await guardrailOf(world)];
    const userId = await createMember(world);
    expect(await assignMembers(world, first, [userId, userId])).toEqual({ assigned_count: 1, ...CHANGED });
    expect(await assignMembers(world, second, [userId])).toEqual({ assigned_count: 1, ...CHANGED });
    expect(await membersOf(world, first)).toEqual([]);
    expect(await membersOf(world, second)).toEqual([
      {
        id: expect.any(String) as string,
        guardrail_id: second,
        user_id: userId,
        organization_id: world.organizationId,
        assigned_by: world.adminId,
        created_at: world.context.now.toISOString(),
      },
    ]);
    expect(await unassignMembers(world, second, [userId])).toEqual({ unassigned_count: 1, ...CHANGED });
  });

  it("allows one guardrail per workspace", async () => {
    const world = await testWorld();
    const workspace = await createWorkspace(world);
    const [here, there] = [await guardrailOf(world), await guardrailOf(world, workspace)];
    const userId = await createMember(world);
    await assignMembers(world, here, [userId]);
    await assignMembers(world, there, [userId]);
    const { total_count } = await assignments.listMembers(world.context, { params: {}, query: page, body: undefined });
    expect(total_count).toBe(2);
  });

  it("lists unknown and foreign members and assigns nothing", async () => {
    const [world, other] = await Promise.all([testWorld(), testWorld()]);
    const id = await guardrailOf(world);
    const refused = await failure(assignMembers(world, id, [world.adminId, other.adminId, "user_nobody"]));
    expect(refused).toMatchObject({ status: 400, metadata: { unknown: [other.adminId, "user_nobody"] } });
    expect(await membersOf(world, id)).toEqual([]);
  });
});

it("answers 404 for an unknown and a foreign guardrail in every operation", async () => {
  const [world, other] = await Promise.all([testWorld(), testWorld()]);
  for (const id of [UNKNOWN_ID, await guardrailOf(other)]) {
    const works = [
      assignKeys(world, id, ["x"]),
      unassignKeys(world, id, ["x"]),
      assignMembers(world, id, ["x"]),
      unassignMembers(world, id, ["x"]),
    ];
    const failures = await Promise.all([...works, keysOf(world, id), membersOf(world, id)].map(failure));
    for (const each of failures) expect(each).toMatchObject({ status: 404 });
  }
});
