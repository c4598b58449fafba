import assert from "node:assert/strict";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import { createKey, getCurrentKey, listKeys } from "../../lib/records/keys/contract";
import { getMember, resetMemberPassword } from "../../lib/records/members/contract";
import { handOverMember } from "../../lib/records/members/hand-over-contract";
import * as scim from "../../lib/records/scim/contract";
import { createScimToken, deleteScimToken, getDirectory } from "../../lib/records/scim-tokens/contract";
import * as entra from "../../lib/testing/entra-requests";
import * as okta from "../../lib/testing/okta-requests";
import type { Api } from "../api-client";
import { expect, test as base } from "../fixtures";
import { insertOrganization } from "../foreign-organization";
import { unique } from "../world";

interface Organization {
  /** The API with a management key of an organization of its own. */
  admin: Api;
  /** The API with the token of its directory. */
  directory: Api;
}

const test = base.extend<{ organization: Organization }>({
  organization: async ({ api }, use) => {
    const admin = api.as((await insertOrganization()).keyText);
    const { token } = await admin.call(createScimToken, { body: { name: "Okta" } });
    await use({ admin, directory: api.as(token) });
  },
});

const address = () => `${unique("grace")}@example.com`;
const WITHIN_A_SECOND = { timeout: 1_000, intervals: [50] };

/** Has a member choose a password by their link, and returns the cookie of the session. */
async function signIn(admin: Api, userId: string): Promise<string> {
  const { reset_url } = await admin.call(resetMemberPassword, { params: { user_id: userId } });
  const answer = await fetch(`${admin.url}/session/invitation`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: admin.url },
    body: JSON.stringify({ token: new URL(reset_url).pathname.split("/").at(-1), password: "correct horse battery" }),
  });
  assert.equal(answer.status, 200, await answer.text());
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const sessionStatus = async ({ url }: Api, cookie: string) =>
  (await fetch(`${url}/session`, { headers: { cookie } })).status;

const signInStatus = async ({ url }: Api, email: string) =>
  (
    await fetch(`${url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ email, password: "correct horse battery" }),
    })
  ).status;

test("the full life of a member", async ({ organization: { admin, directory } }) => {
  const userName = address();
  const find = (filter: string) => directory.call(scim.listUsers, { query: { filter } });
  expect((await find(`userName eq "${userName}"`)).totalResults).toBe(0);
  const { id } = await directory.call(scim.createUser, { body: okta.createUser(userName) });
  expect((await find(`userName eq "${userName.toUpperCase()}"`)).Resources).toMatchObject([{ id, active: true }]);
  const params = { id };
  const owner = { user_id: id };
  await directory.call(scim.patchUser, { params, body: entra.replaceValues });
  await directory.call(scim.replaceUser, { params, body: okta.updateUser(id, userName) });
  expect((await admin.call(getMember, { params: owner })).data).toMatchObject({
    first_name: "Another",
    role: "org:member",
    status: "invited",
    is_provisioned: true,
    external_id: "00ujl29u0le5T6Aj10h7",
  });

  const cookie = await signIn(admin, id);
  const { key } = await admin.call(createKey, { body: { name: "Theirs", creator_user_id: id } });
  const keyStatus = async () => (await admin.send(getCurrentKey, {}, { as: key })).status;
  expect([await keyStatus(), await sessionStatus(admin, cookie)]).toEqual([200, 200]);

  await directory.call(scim.patchUser, { params, body: entra.disableWithText });
  await expect.poll(keyStatus, WITHIN_A_SECOND).toBe(401);
  await expect.poll(() => sessionStatus(admin, cookie), WITHIN_A_SECOND).toBe(401);
  expect(await signInStatus(admin, userName)).toBe(401);
  expect((await admin.call(getMember, { params: owner })).data.status).toBe("deactivated");

  await directory.call(scim.patchUser, { params, body: okta.activate });
  await expect.poll(keyStatus, WITHIN_A_SECOND).toBe(200);
  expect(await signInStatus(admin, userName)).toBe(200);

  const group = await directory.call(scim.createGroup, { body: entra.createGroup("Platform") });
  await directory.call(scim.patchGroup, { params: { id: group.id }, body: entra.addMembers(id) });
  expect((await directory.call(scim.getUser, { params })).groups).toMatchObject([{ value: group.id }]);
  expect((await admin.call(getDirectory)).data).toMatchObject({
    base_url: `${new URL(admin.url).origin}/v1/scim/v2`,
    members: { active: 1, deactivated: 0 },
    groups: 1,
  });

  const heir = await directory.call(scim.createUser, { body: entra.createUser(address()) });
  const { data } = await admin.call(handOverMember, { params: owner, body: { to_user_id: heir.id } });
  expect(data).toEqual({ keys: 1, saved_views: 0 });
  await directory.call(scim.deleteUser, { params });
  await directory.refuse(scim.getUser, 404, { params });
  expect((await directory.call(scim.getGroup, { params: { id: group.id } })).members).toEqual([]);
  expect(await keyStatus()).toBe(200);
  const { data: theirs } = await admin.call(listKeys, { query: { creator_user_id: heir.id } });
  expect(theirs).toMatchObject([{ name: "Theirs", disabled: false }]);
  await directory.call(scim.deleteGroup, { params: { id: group.id } });

  const { data: events } = await admin.call(listAuditEvents, { query: { target_id: id, limit: "100" } });
  const changes = events.filter(({ action }) => action !== "session.reject");
  expect(changes.map(({ actor, action }) => `${actor.type} ${action}`).reverse()).toEqual([
    "scim_token member.create",
    "scim_token member.update",
    "scim_token member.update",
    "key member.reset_password",
    "member invitation.accept",
    "scim_token member.deactivate",
    "scim_token member.activate",
    "member session.create",
    "key member.hand_over",
    "scim_token member.delete",
  ]);
});

test("an ETag makes reads and changes conditional", async ({ organization: { directory } }) => {
  const created = await directory.send(scim.createUser, { body: entra.createUser(address()) });
  const { id } = scim.ScimUser.parse(await created.json());
  expect(created.headers.get("location")).toBe(`${directory.url}/v1/scim/v2/Users/${id}`);
  const etag = created.headers.get("etag") ?? "";
  const known = await directory.send(scim.getUser, { params: { id } }, { headers: { "if-none-match": etag } });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  const change = { params: { id }, body: okta.deactivate };
  const changed = await directory.send(scim.patchUser, change, { headers: { "if-match": etag } });
  expect(changed.status).toBe(200);
  await directory.refuse(scim.patchUser, 412, change, { headers: { "if-match": etag } });
});

test("errors have the standard's shape", async ({ organization: { directory } }) => {
  const body = entra.createUser(address());
  await directory.call(scim.createUser, { body });
  const { metadata } = await directory.refuse(scim.createUser, 409, { body });
  expect(metadata).toEqual({ scimType: "uniqueness" });
  const { metadata: filter } = await directory.refuse(scim.listUsers, 400, { query: { filter: "title pr" } });
  expect(filter).toEqual({ scimType: "invalidFilter" });
  await directory.refuse(scim.getMe, 501);
  await directory.refuse(scim.listUsers, 401, {}, { as: null });
});

test("an API key can't provision, and a token can do nothing else", async ({ api, organization }) => {
  const { admin, directory } = organization;
  await admin.refuse(scim.listUsers, 401);
  for (const operation of [listKeys, getDirectory, getCurrentKey, listAuditEvents])
    await directory.refuse(operation, 401);
  const other = api.as((await insertOrganization()).keyText);
  const { data, token } = await other.call(createScimToken, { body: { name: "Entra ID" } });
  const { id } = await directory.call(scim.createUser, { body: entra.createUser(address()) });
  const theirs = api.as(token);
  await theirs.refuse(scim.getUser, 404, { params: { id } });
  await theirs.refuse(scim.patchUser, 404, { params: { id }, body: okta.deactivate });
  await theirs.refuse(scim.deleteUser, 404, { params: { id } });
  await other.call(deleteScimToken, { params: { id: data.id } });
  await theirs.refuse(scim.listUsers, 401);
});
