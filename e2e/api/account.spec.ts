import { getMember } from "../../lib/records/members/contract";
import {
  changePassword,
  deleteAccountSession,
  deleteOrganizationSession,
  deleteOtherAccountSessions,
  listAccountSessions,
  listOrganizationSessions,
  updateAccount,
} from "../../lib/records/session/account-contract";
import type { SendOptions } from "../api-client";
import { expect, test } from "../fixtures";
import type { World } from "../world";

const PASSWORD = "correct horse battery";

async function signIn(serverUrl: string, email: string, password = PASSWORD): Promise<SendOptions> {
  const answer = await fetch(`${serverUrl}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: serverUrl, "user-agent": "Story/1.0" },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return { as: null, headers: { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", origin: serverUrl } };
}

const person = (world: World) => world.member({ password: PASSWORD });

test("a member sees and ends their own sessions", async ({ api, serverUrl, world }) => {
  const { email } = await person(world);
  const [here, there] = [await signIn(serverUrl, email), await signIn(serverUrl, email)];
  const { data } = await api.call(listAccountSessions, {}, here);
  expect(data).toMatchObject([{ is_current: false, user_agent: "Story/1.0" }, { is_current: true }]);
  await api.call(deleteAccountSession, { params: { id: data[0]?.id ?? "" } }, here);
  await api.refuse(listAccountSessions, 401, {}, there);
  const [second, third] = [await signIn(serverUrl, email), await signIn(serverUrl, email)];
  expect(await api.call(deleteOtherAccountSessions, {}, here)).toEqual({ data: { sessions_ended: 2 } });
  for (const ended of [second, third]) await api.refuse(listAccountSessions, 401, {}, ended);
  expect((await api.call(listAccountSessions, {}, here)).data).toHaveLength(1);
});

test("a member changes their password and names", async ({ api, serverUrl, world }) => {
  const { id, email } = await person(world);
  const [here, there] = [await signIn(serverUrl, email), await signIn(serverUrl, email)];
  const body = { current_password: PASSWORD, new_password: "staple battery horse" };
  const { metadata } = await api.refuse(changePassword, 400, { body: { ...body, current_password: "wrong" } }, here);
  expect(metadata["issues"]).toMatchObject([{ path: ["current_password"] }]);
  await api.refuse(changePassword, 400, { body: { ...body, new_password: "short" } }, here);
  expect(await api.call(changePassword, { body }, here)).toEqual({ data: { sessions_ended: 1 } });
  await api.refuse(listAccountSessions, 401, {}, there);
  await signIn(serverUrl, email, body.new_password);
  await api.call(updateAccount, { body: { first_name: "Grace", last_name: "Hopper" } }, here);
  expect((await api.call(getMember, { params: { user_id: id } })).data).toMatchObject({
    first_name: "Grace",
    last_name: "Hopper",
    role: "org:member",
  });
  await api.refuse(updateAccount, 400, { body: { role: "org:admin" } }, here);
});

test("an admin lists and ends members' sessions; a member can't", async ({ api, serverUrl, world }) => {
  const { id, email } = await person(world);
  const here = await signIn(serverUrl, email);
  await api.refuse(listOrganizationSessions, 403, {}, here);
  const { data } = await api.call(listOrganizationSessions, { query: { limit: "100" } });
  const theirs = data.find(({ user }) => user.id === id);
  expect(theirs).toMatchObject({ user: { email }, is_current: false });
  await api.refuse(deleteOrganizationSession, 403, { params: { id: theirs?.id ?? "" } }, here);
  await api.call(deleteOrganizationSession, { params: { id: theirs?.id ?? "" } });
  await api.refuse(listAccountSessions, 401, {}, here);
});

test("a key has no account", async ({ api }) => {
  await api.refuse(listAccountSessions, 403);
  await api.refuse(deleteOtherAccountSessions, 403);
  await api.refuse(updateAccount, 403, { body: {} });
  await api.refuse(changePassword, 403, { body: { current_password: "a", new_password: "staple battery" } });
});
