import {
  createMember,
  deleteMember,
  endMemberSessions,
  getMember,
  listMembers,
  resetMemberPassword,
  updateMember,
} from "../../lib/records/members/contract";
import { getKey } from "../../lib/records/keys/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("a member with a password is active; without one an invitation is returned once", async ({ api }) => {
  const email = () => `${unique("New.Person")}@Example.com`;
  const active = await api.call(createMember, {
    body: { email: email(), role: "org:member", password: "correct horse" },
  });
  expect(active).toMatchObject({ data: { status: "active", role: "org:member" } });
  expect(active.invite_url).toBeUndefined();
  const invited = await api.call(createMember, {
    body: { email: email(), role: "org:admin", first_name: "Grace", last_name: "Hopper" },
  });
  expect(invited.data).toMatchObject({ status: "invited", first_name: "Grace", last_name: "Hopper" });
  expect(invited.invite_url).toMatch(/^http.+/);
  expect((await api.call(getMember, { params: { user_id: invited.data.id } })).data).toEqual(invited.data);
  expect(JSON.stringify(active) + JSON.stringify(invited)).not.toContain("correct horse");
});

test("an email address belongs to one member, ignoring case, until the member is removed", async ({ api, world }) => {
  const { id, email } = await world.member();
  await api.refuse(createMember, 409, { body: { email: email.toUpperCase(), role: "org:member" } });
  await api.call(deleteMember, { params: { user_id: id } });
  await api.call(createMember, { body: { email, role: "org:member" } });
});

test("twelve parallel posts with one address create one member", async ({ api }) => {
  const body = { email: `${unique("race")}@example.com`, role: "org:member" as const };
  const answers = await Promise.all(Array.from({ length: 12 }, () => api.send(createMember, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(409)]);
});

test("update changes names and role", async ({ api, world }) => {
  const { id } = await world.member({ first_name: "Ada" });
  const { data } = await api.call(updateMember, {
    params: { user_id: id },
    body: { last_name: "Lovelace", role: "org:admin" },
  });
  expect(data).toMatchObject({ first_name: "Ada", last_name: "Lovelace", role: "org:admin" });
});

test("removing a member disables their keys and unlists them", async ({ api, world }) => {
  const member = await world.member();
  const key = await world.inferenceKey({ creator_user_id: member.id });
  await api.call(deleteMember, { params: { user_id: member.id } });
  await api.refuse(getMember, 404, { params: { user_id: member.id } });
  expect((await api.call(getKey, { params: { hash: key.hash } })).data.disabled).toBe(true);
  const { data } = await api.call(listMembers, { query: { limit: "100" } });
  expect(data.map(({ id }) => id)).not.toContain(member.id);
});

const refused: readonly [what: string, fields: Record<string, unknown>][] = [
  ["no address", { email: "nobody" }],
  ["an unknown role", { role: "owner" }],
  ["a short password", { password: "short" }],
  ["a password of 201 characters", { password: "x".repeat(201) }],
  ["an unknown field", { is_admin: true }],
];
for (const [what, fields] of refused) {
  test(`create rejects ${what}`, async ({ api }) => {
    await api.refuse(createMember, 400, {
      body: { email: `${unique("p")}@example.com`, role: "org:member", ...fields },
    });
  });
}

test("members are searched, filtered and sorted, and include their guardrails and keys", async ({ api, world }) => {
  const last_name = unique("Hopper");
  const grace = await world.member({ first_name: "Grace", last_name, role: "org:admin", password: "correct horse" });
  const ada = await world.member({ first_name: "Ada", last_name });
  await world.inferenceKey({ creator_user_id: ada.id });
  const ids = async (query: object) =>
    (await api.call(listMembers, { query: { q: last_name, ...query } })).data.map(({ id }) => id);
  expect(await ids({ sort: "name" })).toEqual([ada.id, grace.id]);
  expect(await ids({ sort: "-name" })).toEqual([grace.id, ada.id]);
  expect(await ids({ q: `${last_name} grace` })).toEqual([grace.id]);
  expect(await ids({ role: "org:member" })).toEqual([ada.id]);
  expect(await ids({ status: "active" })).toEqual([grace.id]);
  expect((await api.call(getMember, { params: { user_id: ada.id } })).data).toMatchObject({
    active_keys: 1,
    open_sessions: 0,
    guardrails: [],
  });
  for (const query of [{ sort: "id" }, { role: "admin" }, { status: "gone" }])
    await api.refuse(listMembers, 400, { query });
});

test("a password reset creates a one-time link and ends the old password", async ({ api, world, serverUrl }) => {
  const member = await world.member({ password: "correct horse" });
  const params = { user_id: member.id };
  const post = (path: string, body: object) =>
    fetch(`${serverUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: serverUrl },
      body: JSON.stringify(body),
    });
  const { data, reset_url } = await api.call(resetMemberPassword, { params });
  expect(data.status).toBe("invited");
  expect((await post("/session", { email: member.email, password: "correct horse" })).status).toBe(401);
  const token = new URL(reset_url).pathname.split("/").at(-1);
  expect((await post("/session/invitation", { token, password: "staple battery" })).status).toBe(200);
  expect((await post("/session/invitation", { token, password: "once more please" })).status).toBe(404);
  expect((await api.call(getMember, { params })).data).toMatchObject({ status: "active", open_sessions: 1 });
  expect(await api.call(endMemberSessions, { params })).toEqual({ ended_count: 1 });
  expect(await api.call(endMemberSessions, { params })).toEqual({ ended_count: 0 });
});

test("resets and sign-outs require management access and an existing member", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const { id } = await world.member();
  for (const operation of [resetMemberPassword, endMemberSessions]) {
    await api.refuse(operation, 403, { params: { user_id: id } }, { as: key.text });
    await api.refuse(operation, 404, { params: { user_id: "user_nobody" } });
  }
});
