import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from "../../lib/records/workspaces/contract";
import { deleteGuardrail } from "../../lib/records/guardrails/contract";
import { expect, test } from "../fixtures";
import { createWorld, unique } from "../world";

test("create derives the slug from the name; get, list and update are consistent", async ({ api }) => {
  const name = unique("Research & Development");
  const { data } = await api.call(createWorkspace, { body: { name, content_retention_days: 30 } });
  expect(data).toMatchObject({ name, is_default: false, content_retention_days: 30, updated_at: null });
  expect(data.slug).toMatch(/^research-development-[0-9a-f-]+$/);
  const params = { id: data.id };
  expect((await api.call(getWorkspace, { params })).data).toEqual(data);
  expect((await api.call(listWorkspaces, { query: { limit: "100" } })).data).toContainEqual(data);
  const updated = await api.call(updateWorkspace, {
    params,
    body: { description: "Lab", content_retention_days: null },
  });
  expect(updated.data).toMatchObject({ description: "Lab", content_retention_days: null, name });
});

test("a slug is unique", async ({ api }) => {
  const slug = unique("taken");
  const post = () => api.send(createWorkspace, { body: { name: "Taken", slug } });
  const answers = await Promise.all(Array.from({ length: 8 }, post));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
});

test("the default guardrail must belong to the workspace and is unset on deletion", async ({ api, world }) => {
  const elsewhere = await createWorld(api);
  const [own, foreign] = await Promise.all([world.guardrail(), elsewhere.guardrail()]);
  const params = { id: world.workspaceId };
  await api.refuse(updateWorkspace, 400, { params, body: { default_guardrail_id: foreign.id } });
  await api.call(updateWorkspace, { params, body: { default_guardrail_id: own.id } });
  await api.call(deleteGuardrail, { params: { id: own.id } });
  expect((await api.call(getWorkspace, { params })).data.default_guardrail_id).toBeNull();
});

test("the default workspace and non-empty ones can't be deleted, empty ones can", async ({ api, world }) => {
  const { data } = await api.call(listWorkspaces, { query: { limit: "100" } });
  const standard = data.find(({ is_default }) => is_default);
  if (standard) await api.refuse(deleteWorkspace, 409, { params: { id: standard.id } });
  const empty = await createWorld(api);
  expect(await api.call(deleteWorkspace, { params: { id: empty.workspaceId } })).toEqual({ deleted: true });
  await api.refuse(getWorkspace, 404, { params: { id: empty.workspaceId } });
  await world.inferenceKey();
  await api.refuse(deleteWorkspace, 409, { params: { id: world.workspaceId } });
});

const refused: readonly [what: string, fields: Record<string, unknown>][] = [
  ["an empty name", { name: "" }],
  ["a slug with capitals", { slug: "Not-A-Slug" }],
  ["no days", { content_retention_days: 0 }],
  ["half a day", { metadata_retention_days: 0.5 }],
  ["an unknown field", { is_default: true }],
];
for (const [what, fields] of refused) {
  test(`create and update reject ${what}`, async ({ api, world }) => {
    await api.refuse(createWorkspace, 400, { body: { name: unique("W"), ...fields } });
    await api.refuse(updateWorkspace, 400, { params: { id: world.workspaceId }, body: fields });
  });
}
