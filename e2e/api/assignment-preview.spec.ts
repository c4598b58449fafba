import {
  bulkAssignKeys,
  bulkAssignMembers,
  bulkUnassignKeys,
  bulkUnassignMembers,
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
  undoAssignments,
  UndoConflict,
} from "../../lib/records/guardrails/assignments-contract";
import { deleteKey } from "../../lib/records/keys/contract";
import { expect, test } from "../fixtures";

const DRY = { dry_run: "true" as const };
const NO_SUCH_CHANGE = "019aa000-0000-7000-8000-000000000000";

test("a dry run lists new, moved and unchanged keys without changing anything", async ({ api, world }) => {
  const [from, to, fresh, moving, staying] = await Promise.all([
    world.guardrail(),
    world.guardrail(),
    world.inferenceKey(),
    world.inferenceKey(),
    world.inferenceKey(),
  ]);
  await api.call(bulkAssignKeys, { params: { id: from.id }, body: { key_hashes: [moving.hash] } });
  await api.call(bulkAssignKeys, { params: { id: to.id }, body: { key_hashes: [staying.hash] } });
  const body = { key_hashes: [fresh, moving, staying].map(({ hash }) => hash) };
  expect(await api.call(bulkAssignKeys, { params: { id: to.id }, query: DRY, body })).toEqual({
    assigned_count: 3,
    preview: {
      new: [fresh.hash],
      moved: [{ key_hash: moving.hash, from_guardrail_id: from.id }],
      unchanged: [staying.hash],
    },
  });
  expect(await api.call(bulkUnassignKeys, { params: { id: to.id }, query: DRY, body })).toMatchObject({
    unassigned_count: 1,
    preview: { new: [], moved: [{ key_hash: staying.hash, from_guardrail_id: to.id }] },
  });
  expect(
    (await api.call(listGuardrailKeyAssignments, { params: { id: to.id } })).data.map(({ key_hash }) => key_hash),
  ).toEqual([staying.hash]);
});

test("the same for members", async ({ api, world }) => {
  const [guardrail, member] = await Promise.all([world.guardrail(), world.member()]);
  const params = { id: guardrail.id };
  const body = { member_user_ids: [member.id] };
  expect(await api.call(bulkAssignMembers, { params, query: DRY, body })).toEqual({
    assigned_count: 1,
    preview: { new: [member.id], moved: [], unchanged: [] },
  });
  expect(await api.call(bulkUnassignMembers, { params, query: DRY, body })).toEqual({
    unassigned_count: 0,
    preview: { new: [], moved: [], unchanged: [member.id] },
  });
  expect((await api.call(listGuardrailMemberAssignments, { params })).total_count).toBe(0);
});

test("a dry run rejects what the change would reject", async ({ api, world }) => {
  const [guardrail, management] = await Promise.all([world.guardrail(), world.managementKey()]);
  const { metadata } = await api.refuse(bulkAssignKeys, 400, {
    params: { id: guardrail.id },
    query: DRY,
    body: { key_hashes: [management.hash] },
  });
  expect(metadata["unknown"]).toEqual([management.hash]);
  await api.refuse(bulkAssignKeys, 400, {
    params: { id: guardrail.id },
    query: { dry_run: "yes" },
    body: { key_hashes: [management.hash] },
  });
});

test("undo restores every key's previous guardrail, once", async ({ api, world }) => {
  const [from, to, fresh, moved] = await Promise.all([
    world.guardrail(),
    world.guardrail(),
    world.inferenceKey(),
    world.inferenceKey(),
  ]);
  await api.call(bulkAssignKeys, { params: { id: from.id }, body: { key_hashes: [moved.hash] } });
  const before = (await api.call(listGuardrailKeyAssignments, { params: { id: from.id } })).data;
  const { change_id = "" } = await api.call(bulkAssignKeys, {
    params: { id: to.id },
    body: { key_hashes: [fresh.hash, moved.hash] },
  });
  expect(await api.call(undoAssignments, { body: { change_id } })).toEqual({ restored_count: 2 });
  expect(
    (await api.call(listGuardrailKeyAssignments, { params: { id: from.id } })).data,
    "including ID and time",
  ).toEqual(before);
  expect((await api.call(listGuardrailKeyAssignments, { params: { id: to.id } })).total_count).toBe(0);
  await api.refuse(undoAssignments, 409, { body: { change_id } });
});

test("undoing a removal assigns again; a change without effect can't be undone", async ({ api, world }) => {
  const [guardrail, member] = await Promise.all([world.guardrail(), world.member()]);
  const params = { id: guardrail.id };
  const body = { member_user_ids: [member.id] };
  await api.call(bulkAssignMembers, { params, body });
  expect(await api.call(bulkAssignMembers, { params, body })).toEqual({ assigned_count: 1 });
  const { change_id = "" } = await api.call(bulkUnassignMembers, { params, body });
  await api.call(undoAssignments, { body: { change_id } });
  expect((await api.call(listGuardrailMemberAssignments, { params })).total_count).toBe(1);
});

test("undo is rejected, naming the keys, if one was changed in the meantime", async ({ api, world }) => {
  const [first, second, kept, changed] = await Promise.all([
    world.guardrail(),
    world.guardrail(),
    world.inferenceKey(),
    world.inferenceKey(),
  ]);
  const { change_id = "" } = await api.call(bulkAssignKeys, {
    params: { id: first.id },
    body: { key_hashes: [kept.hash, changed.hash] },
  });
  await api.call(bulkAssignKeys, { params: { id: second.id }, body: { key_hashes: [changed.hash] } });
  const { message, metadata } = await api.refuse(undoAssignments, 409, { body: { change_id } });
  expect(message).toBe("1 of 2 keys have changed since then. Nothing was restored");
  expect(UndoConflict.array().parse(metadata["conflicts"])).toEqual([
    {
      key_hash: changed.hash,
      name: changed.name,
      reason: "changed",
      guardrail_id: second.id,
      guardrail_name: second.name,
    },
  ]);
  expect(
    (await api.call(listGuardrailKeyAssignments, { params: { id: first.id } })).data.map(({ key_hash }) => key_hash),
  ).toEqual([kept.hash]);
});

test("undo is rejected for a deleted key, an unknown change and a malformed ID", async ({ api, world }) => {
  const [guardrail, key] = await Promise.all([world.guardrail(), world.inferenceKey()]);
  const { change_id = "" } = await api.call(bulkAssignKeys, {
    params: { id: guardrail.id },
    body: { key_hashes: [key.hash] },
  });
  await api.call(deleteKey, { params: { hash: key.hash } });
  const { metadata } = await api.refuse(undoAssignments, 409, { body: { change_id } });
  expect(metadata["conflicts"]).toMatchObject([{ key_hash: key.hash, reason: "removed" }]);
  await api.refuse(undoAssignments, 404, { body: { change_id: NO_SUCH_CHANGE } });
  await api.refuse(undoAssignments, 400, { body: { change_id: "x" } });
});

test("a repeated assignment returns the same change, a repeated undo the same count", async ({ api, world }) => {
  const [guardrail, key] = await Promise.all([world.guardrail(), world.inferenceKey()]);
  const params = { id: guardrail.id };
  const again = (name: string) => ({ headers: { "idempotency-key": `${name}-${key.hash}` } });
  const assign = () => api.call(bulkAssignKeys, { params, body: { key_hashes: [key.hash] } }, again("assign"));
  const first = await assign();
  expect(await assign()).toEqual(first);
  const undo = () => api.call(undoAssignments, { body: { change_id: first.change_id ?? "" } }, again("undo"));
  expect([await undo(), await undo()]).toEqual([{ restored_count: 1 }, { restored_count: 1 }]);
});
