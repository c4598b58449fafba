import { createGuardrail, listGuardrails } from "../../lib/records/guardrails/contract";
import { createKey, listKeys } from "../../lib/records/keys/contract";
import { createPresetFromResponses, listPresets } from "../../lib/records/presets/contract";
import { createSession } from "../../lib/records/session/contract";
import { readRefusal, type SendOptions } from "../api-client";
import { expect, test } from "../fixtures";
import { ADMIN } from "../server";
import { unique } from "../world";

/** Signs in like a browser and returns the `Cookie` header for later requests. */
async function signIn(serverUrl: string, body: { email: string; password: string }): Promise<string> {
  const answer = await fetch(`${serverUrl}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: serverUrl },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(createSession.status);
  createSession.result.parse(await answer.json());
  const cookie = answer.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
  return cookie.split(";")[0] ?? "";
}

const withCookie = (cookie: string, headers: Record<string, string> = {}): SendOptions => ({
  as: null,
  headers: { cookie, ...headers },
});

test("an admin's session has management access for same-origin requests", async ({ api, serverUrl, world }) => {
  const cookie = await signIn(serverUrl, ADMIN);
  await api.call(listGuardrails, {}, withCookie(cookie));
  const body = { name: "From the console", workspace_id: world.workspaceId };
  await api.call(createGuardrail, { body }, withCookie(cookie, { origin: serverUrl }));
  await api.call(createGuardrail, { body }, withCookie(cookie, { "sec-fetch-site": "same-origin" }));
  const strange: Record<string, string>[] = [
    {},
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of strange) {
    await api.refuse(createGuardrail, 403, { body }, withCookie(cookie, headers));
  }
  const both = { headers: { cookie }, as: "0123456789abcdef0123456789abcdef" };
  expect(await api.refuse(listGuardrails, 401, {}, both)).toMatchObject({ message: "Invalid credentials" });
});

test("a member's session can only read presets and their own keys", async ({ api, serverUrl, world }) => {
  const password = "correct horse battery";
  const member = await world.member({ password });
  const [mine] = [await world.inferenceKey({ creator_user_id: member.id }), await world.inferenceKey()];
  const cookie = withCookie(await signIn(serverUrl, { email: member.email, password }), { origin: serverUrl });
  await api.call(createPresetFromResponses, { params: { slug: unique("shared") }, body: {} });
  expect((await api.call(listPresets, {}, cookie)).total_count).toBeGreaterThan(0);
  expect((await api.call(listKeys, {}, cookie)).data.map(({ hash }) => hash)).toEqual([mine.hash]);
  await api.refuse(listGuardrails, 403, {}, cookie);
  await api.refuse(createKey, 403, { body: { name: "More" } }, cookie);
  await api.refuse(createPresetFromResponses, 403, { params: { slug: "x" }, body: {} }, cookie);
});

test("signing out invalidates the cookie", async ({ api, serverUrl }) => {
  const cookie = await signIn(serverUrl, ADMIN);
  const answer = await fetch(`${serverUrl}/session`, { method: "DELETE", headers: { cookie, origin: serverUrl } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  await api.refuse(listGuardrails, 401, {}, withCookie(cookie));
});

test("a wrong password and an unknown address are indistinguishable, and sign-in is same-origin only", async ({
  serverUrl,
}) => {
  const attempt = async (body: object, origin: string) =>
    readRefusal(
      await fetch(`${serverUrl}/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify(body),
      }),
    );
  const [wrong, unknown] = [
    await attempt({ email: ADMIN.email, password: "wrong password" }, serverUrl),
    await attempt({ email: `${unique("nobody")}@example.com`, password: "wrong password" }, serverUrl),
  ];
  expect(wrong.status).toBe(401);
  expect(unknown.message).toBe(wrong.message);
  expect(await attempt(ADMIN, "https://evil.example")).toMatchObject({ status: 403 });
});
