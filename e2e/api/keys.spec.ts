import { createHash } from "node:crypto";
import {
  createKey,
  deleteKey,
  getCurrentKey,
  getKey,
  listKeys,
  rotateKey,
  updateKey,
} from "../../lib/records/keys/contract";
import { createResponse } from "../../lib/gateway/contract";
import { bulkAssignKeys, listGuardrailKeyAssignments } from "../../lib/records/guardrails/assignments-contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("create returns the key once, with hash and label", async ({ api, world }) => {
  const key = await world.inferenceKey({ name: " Support bot ", limit: 12.5, limit_reset: "daily" });
  expect(key.text).toMatch(/^sb-key-v1-[0-9A-Za-z]{48}$/);
  expect(key.hash).toBe(createHash("sha256").update(key.text).digest("hex"));
  expect(key.label).toBe(`sb-key-v1-${key.text.slice(10, 13)}...${key.text.slice(-4)}`);
  const { data } = await api.call(getKey, { params: { hash: key.hash } });
  expect(data).toMatchObject({
    name: "Support bot",
    kind: "inference",
    limit: 12.5,
    limit_remaining: 12.5,
    limit_reset: "daily",
    disabled: false,
  });
  expect(JSON.stringify(await api.call(listKeys, { query: { workspace_id: world.workspaceId } }))).not.toContain(
    key.text,
  );
});

test("a management key has management access and the default workspace", async ({ api, world }) => {
  const key = await world.managementKey();
  expect(key.text).toMatch(/^sb-mgmt-v1-[0-9A-Za-z]{48}$/);
  const mine = api.as(key.text);
  expect((await mine.call(getCurrentKey)).data).toMatchObject({ label: key.label, is_management_key: true });
  await mine.call(listKeys, { query: { limit: "1" } });
});

test("an inference key can only read itself", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const mine = api.as(key.text);
  expect((await mine.call(getCurrentKey)).data).toMatchObject({
    label: key.label,
    is_management_key: false,
    workspace_id: world.workspaceId,
  });
  await mine.refuse(listKeys, 403);
});

test("a disabled key is rejected immediately and works again when enabled", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const params = { hash: key.hash };
  await api.call(updateKey, { params, body: { disabled: true } });
  await api.refuse(getCurrentKey, 401, {}, { as: key.text });
  expect((await api.call(listKeys, { query: { workspace_id: world.workspaceId } })).total_count).toBe(0);
  expect(
    (await api.call(listKeys, { query: { workspace_id: world.workspaceId, include_disabled: "true" } })).total_count,
  ).toBe(1);
  await api.call(updateKey, { params, body: { disabled: false } });
  await api.call(getCurrentKey, {}, { as: key.text });
});

test("rotation replaces the key; assignments are kept, and the old key works during the grace period", async ({
  api,
  world,
}) => {
  const [guardrail, key] = await Promise.all([world.guardrail(), world.inferenceKey()]);
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const rotated = await api.call(rotateKey, { params: { hash: key.hash }, body: { grace_seconds: 1 } });
  expect(rotated.data).toMatchObject({ id: key.id, name: key.name });
  expect(rotated.data.hash).not.toBe(key.hash);
  await api.call(getCurrentKey, {}, { as: rotated.key });
  await expect.poll(async () => (await api.send(getCurrentKey, {}, { as: key.text })).status).toBe(401);
  await api.call(getCurrentKey, {}, { as: rotated.key });
  const { data } = await api.call(listGuardrailKeyAssignments, { params: { id: guardrail.id } });
  expect(data).toMatchObject([{ key_hash: rotated.data.hash }]);
  await api.refuse(getKey, 404, { params: { hash: key.hash } });
});

test("rotation without grace ends the old key immediately", async ({ api, world }) => {
  const key = await world.inferenceKey();
  await api.call(rotateKey, { params: { hash: key.hash }, body: {} });
  await api.refuse(getCurrentKey, 401, {}, { as: key.text });
});

test("a deleted key can't be restored", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const params = { hash: key.hash };
  expect(await api.call(deleteKey, { params })).toEqual({ deleted: true });
  for (const operation of [getKey, deleteKey]) await api.refuse(operation, 404, { params });
  await api.refuse(getCurrentKey, 401, {}, { as: key.text });
});

test("a key tracks its spend", async ({ api, world }) => {
  const key = await world.inferenceKey();
  await api.call(createResponse, { body: { model: "sandbox/echo", input: "one two three" } }, { as: key.text });
  const { data } = await api.call(getKey, { params: { hash: key.hash } });
  expect(data.usage).toBeGreaterThan(0);
  expect(data.usage_daily).toBe(data.usage);
});

test("a key can't disable or delete itself", async ({ api, world }) => {
  const key = await world.managementKey();
  const mine = api.as(key.text);
  await mine.refuse(updateKey, 409, { params: { hash: key.hash }, body: { disabled: true } });
  await mine.refuse(deleteKey, 409, { params: { hash: key.hash } });
  await mine.call(getCurrentKey);
});

const refused: readonly [what: string, fields: Record<string, unknown>][] = [
  ["no name", { name: undefined }],
  ["an empty name", { name: " " }],
  ["an unknown kind", { kind: "root" }],
  ["a negative limit", { limit: -1 }],
  ["an unknown reset", { limit_reset: "hourly" }],
  ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }],
  ["an expiry that is no time", { expires_at: "tomorrow" }],
  ["a management key in a workspace", { kind: "management", workspace_id: "019aa000-0000-7000-8000-000000000000" }],
  ["an unknown creator", { creator_user_id: "user_000000000000000000000000" }],
  ["an unknown field", { hash: "0".repeat(64) }],
];
for (const [what, fields] of refused) {
  test(`create rejects ${what}`, async ({ api }) => {
    await api.refuse(createKey, 400, { body: { name: unique("Key"), ...fields } });
  });
}

test("the list filters by kind, creator and text, newest first", async ({ api, world }) => {
  const member = await world.member();
  const name = unique("findable");
  const [first, second] = [
    await world.inferenceKey({ name, creator_user_id: member.id }),
    await world.inferenceKey({ name }),
  ];
  const hashes = async (query: Record<string, string>) =>
    (await api.call(listKeys, { query })).data.map(({ hash }) => hash);
  expect(await hashes({ workspace_id: world.workspaceId })).toEqual([second.hash, first.hash]);
  expect(await hashes({ creator_user_id: member.id })).toEqual([first.hash]);
  expect(await hashes({ q: name.slice(0, -2).toUpperCase() })).toEqual([second.hash, first.hash]);
  expect(await hashes({ q: first.hash.slice(0, 12) })).toEqual([first.hash]);
  expect(await hashes({ workspace_id: world.workspaceId, kind: "management" })).not.toContain(first.hash);
});

test("the list is searched, sorted and filtered; each key names its guardrail and owner", async ({ api, world }) => {
  const guardrail = await world.guardrail();
  const name = unique("Sorted");
  const late = await world.inferenceKey({ name: `${name} a`, guardrail_id: guardrail.id });
  const soon = await world.inferenceKey({ name: `${name} b`, expires_at: "2040-01-01T00:00:00Z" });
  const hashes = async (query: object) =>
    (await api.call(listKeys, { query: { workspace_id: world.workspaceId, ...query } })).data.map(({ hash }) => hash);
  expect(await hashes({ q: name, sort: "name" })).toEqual([late.hash, soon.hash]);
  expect(await hashes({ sort: "-name" })).toEqual([soon.hash, late.hash]);
  expect(await hashes({ sort: "expires_at" })).toEqual([soon.hash, late.hash]);
  expect(await hashes({ sort: "-usage" }), "unused keys, the newest first").toEqual([soon.hash, late.hash]);
  expect(await hashes({ guardrail_id: guardrail.id })).toEqual([late.hash]);
  expect(await hashes({ assigned: "none" })).toEqual([soon.hash]);
  await api.call(updateKey, { params: { hash: soon.hash }, body: { disabled: true } });
  expect(await hashes({ status: "disabled" })).toEqual([soon.hash]);
  expect(await hashes({ status: "active" })).toEqual([late.hash]);
  expect((await api.call(getKey, { params: { hash: late.hash } })).data).toMatchObject({
    guardrail_id: guardrail.id,
    guardrail_name: guardrail.name,
    requests_last_day: 0,
    last_used_at: null,
  });
  for (const query of [{ sort: "limit" }, { status: "gone" }, { guardrail_id: "x" }, { assigned: "some" }, { q: "" }]) {
    const { metadata } = await api.refuse(listKeys, 400, { query });
    expect(metadata["issues"]).toMatchObject([{ path: Object.keys(query) }]);
  }
});

test("a guardrail of the key's workspace can be assigned on creation", async ({ api, world }) => {
  const guardrail = await world.guardrail({ content_filters: [{ pattern: "secret", action: "block" }] });
  const key = await world.inferenceKey({ guardrail_id: guardrail.id });
  expect((await api.call(listGuardrailKeyAssignments, { params: { id: guardrail.id } })).data).toMatchObject([
    { key_hash: key.hash },
  ]);
  expect(
    (await api.send(createResponse, { body: { model: "sandbox/echo", input: "a secret" } }, { as: key.text })).status,
  ).toBe(403);
  await api.refuse(createKey, 400, { body: { name: "Elsewhere", guardrail_id: guardrail.id } });
  await api.refuse(createKey, 400, { body: { name: "Manages", kind: "management", guardrail_id: guardrail.id } });
});

test("a rotation with grace returns when the old key expires", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const { data } = await api.call(rotateKey, { params: { hash: key.hash }, body: { grace_seconds: 3600 } });
  expect(Date.parse(data.old_text_expires_at ?? "")).toBeGreaterThan(Date.now());
  expect((await api.call(rotateKey, { params: { hash: data.hash }, body: {} })).data.old_text_expires_at).toBeNull();
});
