import { bulkAssignKeys, bulkAssignMembers } from "../../lib/records/guardrails/assignments-contract";
import { getCoverage } from "../../lib/features/coverage/contract";
import { updateWorkspace } from "../../lib/records/workspaces/contract";
import { expect, test } from "../fixtures";

test("a gap is listed until it is closed", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const limited = await world.inferenceKey({ limit: 1 });
  const guardrail = await world.guardrail();
  const read = async () => (await api.call(getCoverage, { query: { workspace_id: world.workspaceId } })).data;
  const before = await read();
  expect(before.keys).toEqual({ assigned: 0, by_member: 0, by_default: 0, uncovered: 2 });
  expect(before.uncovered_keys.data).toContainEqual({
    key_hash: key.hash,
    key_name: key.name,
    workspace_id: world.workspaceId,
  });
  expect(before.unlimited_keys).toMatchObject({ total_count: 1, data: [{ key_hash: key.hash }] });
  expect(before.unassigned_guardrails).toMatchObject({ total_count: 1, data: [{ guardrail_id: guardrail.id }] });
  expect(before.guardrails).toEqual([{ guardrail_id: guardrail.id, keys: 0, members: 0, is_default: false }]);

  const params = { id: guardrail.id };
  const member = await world.member();
  await api.call(bulkAssignKeys, { params, body: { key_hashes: [key.hash] } });
  await api.call(bulkAssignMembers, { params, body: { member_user_ids: [member.id] } });
  await api.call(updateWorkspace, { params: { id: world.workspaceId }, body: { default_guardrail_id: guardrail.id } });
  const after = await read();
  expect(after.keys).toEqual({ assigned: 1, by_member: 0, by_default: 1, uncovered: 0 });
  expect(after.members).toMatchObject({ assigned: 1, uncovered: 0 });
  expect(after.unassigned_guardrails.total_count).toBe(0);
  expect(after.guardrails).toEqual([{ guardrail_id: guardrail.id, keys: 1, members: 1, is_default: true }]);
  expect(after.unlimited_keys.data.map(({ key_hash }) => key_hash)).not.toContain(limited.hash);
});

test("coverage requires management access and an existing workspace", async ({ api, world }) => {
  await api.refuse(getCoverage, 403, {}, { as: (await world.inferenceKey()).text });
  await api.refuse(getCoverage, 404, { query: { workspace_id: "01980000-0000-7000-8000-000000000000" } });
  await api.refuse(getCoverage, 400, { query: { guardrail_id: "x" } });
});
