import {
  bulkAssignKeys,
  bulkAssignMembers,
  bulkUnassignKeys,
  bulkUnassignMembers,
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
  listKeyAssignments,
  listMemberAssignments,
} from "../../lib/records/guardrails/assignments-contract";
import { deleteGuardrail } from "../../lib/records/guardrails/contract";
import { deleteKey } from "../../lib/records/keys/contract";
import { deleteMember } from "../../lib/records/members/contract";
import { expect, test } from "../fixtures";
import { createWorld } from "../world";

const NO_SUCH_HASH = "0".repeat(64);
const NO_SUCH_MEMBER = "user_000000000000000000000000";

test("assigned keys are listed with name, label and author", async ({ api, world }) => {
  const [guardrail, key] = await Promise.all([world.guardrail(), world.inferenceKey()]);
  const params = { id: guardrail.id };
  expect(await api.call(bulkAssignKeys, { params, body: { key_hashes: [key.hash, key.hash] } })).toMatchObject({
    assigned_count: 1,
  });
  const { data, total_count } = await api.call(listGuardrailKeyAssignments, { params });
  expect(total_count).toBe(1);
  expect(data[0]).toMatchObject({
    guardrail_id: guardrail.id,
    key_hash: key.hash,
    key_name: key.name,
    key_label: key.label,
  });
  expect((await api.call(listKeyAssignments, { query: { limit: "100" } })).data).toContainEqual(data[0]);
});

test("a key has one guardrail: assigning another moves it", async ({ api, world }) => {
  const [first, second, key] = await Promise.all([world.guardrail(), world.guardrail(), world.inferenceKey()]);
  const body = { key_hashes: [key.hash] };
  await api.call(bulkAssignKeys, { params: { id: first.id }, body });
  expect(await api.call(bulkAssignKeys, { params: { id: second.id }, body })).toMatchObject({ assigned_count: 1 });
  expect((await api.call(listGuardrailKeyAssignments, { params: { id: first.id } })).total_count).toBe(0);
  expect((await api.call(listGuardrailKeyAssignments, { params: { id: second.id } })).total_count).toBe(1);
  expect(await api.call(bulkUnassignKeys, { params: { id: first.id }, body })).toEqual({ unassigned_count: 0 });
  expect(await api.call(bulkUnassignKeys, { params: { id: second.id }, body })).toMatchObject({ unassigned_count: 1 });
});

test("keys assigned to two guardrails concurrently end up with one", async ({ api, world }) => {
  const [first, second, ...keys] = await Promise.all([
    world.guardrail(),
    world.guardrail(),
    world.inferenceKey(),
    world.inferenceKey(),
    world.inferenceKey(),
  ]);
  const hashes = keys.map(({ hash }) => hash);
  const assign = (id: string, key_hashes: string[]) =>
    api.call(bulkAssignKeys, { params: { id }, body: { key_hashes } });
  await Promise.all(
    Array.from({ length: 4 }, () => [assign(first.id, hashes), assign(second.id, [...hashes].reverse())]).flat(),
  );
  const counts = await Promise.all(
    [first, second].map(({ id }) => api.call(listGuardrailKeyAssignments, { params: { id } })),
  );
  expect(counts.reduce((sum, { total_count }) => sum + total_count, 0)).toBe(3);
});

test("members have one guardrail per workspace", async ({ api, world }) => {
  const elsewhere = await createWorld(api);
  const [first, second, other, member] = await Promise.all([
    world.guardrail(),
    world.guardrail(),
    elsewhere.guardrail(),
    world.member(),
  ]);
  const body = { member_user_ids: [member.id] };
  const assign = (id: string) => api.call(bulkAssignMembers, { params: { id }, body });
  for (const { id } of [first, other, second]) expect(await assign(id)).toMatchObject({ assigned_count: 1 });
  const counts = await Promise.all(
    [first, second, other].map(
      async ({ id }) => (await api.call(listGuardrailMemberAssignments, { params: { id } })).total_count,
    ),
  );
  expect(counts).toEqual([0, 1, 1]);
  const { data } = await api.call(listMemberAssignments, { query: { limit: "100" } });
  expect(
    data
      .filter(({ user_id }) => user_id === member.id)
      .map(({ guardrail_id }) => guardrail_id)
      .sort(),
  ).toEqual([other.id, second.id].sort());
  expect(await api.call(bulkUnassignMembers, { params: { id: first.id }, body })).toEqual({ unassigned_count: 0 });
  expect(await api.call(bulkUnassignMembers, { params: { id: second.id }, body })).toMatchObject({
    unassigned_count: 1,
  });
});

test("all or nothing: unknown hashes, management keys and keys of other workspaces are named, and none are assigned", async ({
  api,
  world,
}) => {
  const elsewhere = await createWorld(api);
  const [guardrail, key, management, foreign] = await Promise.all([
    world.guardrail(),
    world.inferenceKey(),
    world.managementKey(),
    elsewhere.inferenceKey(),
  ]);
  const params = { id: guardrail.id };
  const wrong = [NO_SUCH_HASH, management.hash, foreign.hash, "not a hash"];
  const { metadata } = await api.refuse(bulkAssignKeys, 400, { params, body: { key_hashes: [key.hash, ...wrong] } });
  expect(metadata["unknown"]).toEqual(wrong);
  expect((await api.call(listGuardrailKeyAssignments, { params })).total_count).toBe(0);
});

test("all or nothing: unknown members are named, and none are assigned", async ({ api, world }) => {
  const [guardrail, member] = await Promise.all([world.guardrail(), world.member()]);
  const params = { id: guardrail.id };
  const { metadata } = await api.refuse(bulkAssignMembers, 400, {
    params,
    body: { member_user_ids: [member.id, NO_SUCH_MEMBER] },
  });
  expect(metadata["unknown"]).toEqual([NO_SUCH_MEMBER]);
  expect((await api.call(listGuardrailMemberAssignments, { params })).total_count).toBe(0);
});

for (const [what, names] of [
  ["none", []],
  ["1001", Array.from({ length: 1001 }, (_, index) => `k${index}`)],
  ["an empty one", [""]],
  ["a number", [7]],
] as const) {
  test(`${what} in the list of names is 400`, async ({ api, world }) => {
    const params = { id: (await world.guardrail()).id };
    for (const operation of [bulkAssignKeys, bulkUnassignKeys])
      await api.refuse(operation, 400, { params, body: { key_hashes: names } });
    for (const operation of [bulkAssignMembers, bulkUnassignMembers])
      await api.refuse(operation, 400, { params, body: { member_user_ids: names } });
  });
}

test("deleting the guardrail, the key or the member removes the assignment", async ({ api, world }) => {
  const assigned = async () => {
    const [guardrail, key, member] = await Promise.all([world.guardrail(), world.inferenceKey(), world.member()]);
    const params = { id: guardrail.id };
    await api.call(bulkAssignKeys, { params, body: { key_hashes: [key.hash] } });
    await api.call(bulkAssignMembers, { params, body: { member_user_ids: [member.id] } });
    return { params, key, member };
  };
  const one = await assigned();
  await api.call(deleteKey, { params: { hash: one.key.hash } });
  await api.call(deleteMember, { params: { user_id: one.member.id } });
  expect((await api.call(listGuardrailKeyAssignments, { params: one.params })).total_count).toBe(0);
  expect((await api.call(listGuardrailMemberAssignments, { params: one.params })).total_count).toBe(0);
  const two = await assigned();
  await api.call(deleteGuardrail, { params: two.params });
  const all = await api.call(listKeyAssignments, { query: { limit: "100" } });
  expect(all.data.map(({ key_hash }) => key_hash)).not.toContain(two.key.hash);
});
