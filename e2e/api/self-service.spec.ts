import { createKey, deleteKey, rotateKey, updateKey } from "../../lib/records/keys/contract";
import { updateOrganization } from "../../lib/records/organization/contract";
import type { Api, SendOptions } from "../api-client";
import { expect, test } from "../fixtures";
import { insertOrganization } from "../foreign-organization";
import { inviteMember, unique } from "../world";

const PASSWORD = "correct horse battery";
const CAPS = { max_keys: 2, max_limit: 10, limit_reset: "monthly" as const, max_days: 30 };
const within = () => ({
  name: unique("Mine"),
  limit: 10,
  limit_reset: "monthly" as const,
  include_byok_in_limit: true,
  expires_at: new Date(Date.now() + 29 * 86_400_000).toISOString(),
});

/** Creates an organization for the test with a signed-in member, because caps apply to all of its members. */
async function scene(api: Api, serverUrl: string): Promise<{ admin: Api; cookie: SendOptions }> {
  const admin = api.as((await insertOrganization()).keyText);
  const { email } = await inviteMember(admin, PASSWORD);
  const answer = await fetch(`${serverUrl}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: serverUrl },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  const cookie = (answer.headers.getSetCookie().find((each) => each.startsWith("signalbox_session")) ?? "").split(
    ";",
  )[0];
  return { admin, cookie: { as: null, headers: { cookie: cookie ?? "", origin: serverUrl } } };
}

test("a member creates keys only with self-service, and within its caps", async ({ api, serverUrl }) => {
  const { admin, cookie } = await scene(api, serverUrl);
  await api.refuse(createKey, 403, { body: within() }, cookie);
  await admin.call(updateOrganization, { body: { key_self_service: CAPS } });
  const refusal = await api.refuse(
    createKey,
    400,
    { body: { ...within(), kind: "management", limit: 11, limit_reset: "daily", expires_at: null } },
    cookie,
  );
  expect(refusal.metadata).toMatchObject({
    issues: [{ path: ["kind"] }, { path: ["limit"] }, { path: ["limit_reset"] }, { path: ["expires_at"] }],
  });
  const { data } = await api.call(createKey, { body: within() }, cookie);
  const params = { hash: data.hash };
  await api.refuse(updateKey, 400, { params, body: { limit: 500 } }, cookie);
  await api.call(updateKey, { params, body: { name: "Renamed", disabled: true } }, cookie);
  await api.refuse(updateKey, 400, { params, body: { disabled: false } }, cookie);
  const rotated = await api.call(rotateKey, { params, body: {} }, cookie);
  await api.call(deleteKey, { params: { hash: rotated.data.hash } }, cookie);
  await admin.call(updateOrganization, { body: { key_self_service: null } });
  await api.refuse(createKey, 403, { body: within() }, cookie);
});

test("keys created at the same time don't exceed the cap", async ({ api, serverUrl }) => {
  const { admin, cookie } = await scene(api, serverUrl);
  await admin.call(updateOrganization, { body: { key_self_service: CAPS } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.send(createKey, { body: within() }, cookie)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400, 400, 400]);
});
