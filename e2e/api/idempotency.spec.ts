import { randomUUID } from "node:crypto";
import { createGuardrail, listGuardrails, updateGuardrail } from "../../lib/records/guardrails/contract";
import { createKey, listKeys } from "../../lib/records/keys/contract";
import { readRefusal } from "../api-client";
import { expect, test } from "../fixtures";
import { unique } from "../world";

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

test("twelve parallel posts with one Idempotency-Key create one guardrail and get one response", async ({
  api,
  world,
}) => {
  const once = withKey(randomUUID());
  const body = { name: "Once", workspace_id: world.workspaceId };
  const answers = await Promise.all(Array.from({ length: 12 }, () => api.send(createGuardrail, { body }, once)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(11);
  expect(new Set(answers.map(({ headers }) => headers.get("etag")))).toEqual(new Set(['"1"']));
  expect(await api.call(listGuardrails, { query: { workspace_id: world.workspaceId } })).toMatchObject({
    total_count: 1,
  });
});

test("a later retry gets the first response although the guardrail has changed", async ({ api, world }) => {
  const once = withKey(randomUUID());
  const body = { name: "First", workspace_id: world.workspaceId };
  const first = await api.call(createGuardrail, { body }, once);
  await api.call(updateGuardrail, { params: { id: first.data.id }, body: { name: "Changed" } });
  expect(await api.call(createGuardrail, { body }, once)).toEqual(first);
});

test("the same key with another body returns 409, and nothing is created", async ({ api, world }) => {
  const once = withKey(randomUUID());
  const body = { name: "First", workspace_id: world.workspaceId };
  await api.call(createGuardrail, { body }, once);
  await api.refuse(createGuardrail, 409, { body: { ...body, name: "Second" } }, once);
  expect(await api.call(listGuardrails, { query: { workspace_id: world.workspaceId } })).toMatchObject({
    total_count: 1,
  });
});

test("a rejected request isn't stored: the corrected one succeeds with the same key", async ({ api, world }) => {
  const once = withKey(randomUUID());
  await api.refuse(createGuardrail, 400, { body: { name: "", workspace_id: world.workspaceId } }, once);
  await api.call(createGuardrail, { body: { name: "Right", workspace_id: world.workspaceId } }, once);
});

test("a created API key is replayed too", async ({ api, world }) => {
  const once = withKey(randomUUID());
  const body = { name: unique("Key"), workspace_id: world.workspaceId };
  const first = await api.call(createKey, { body }, once);
  expect(await api.call(createKey, { body }, once)).toEqual(first);
  expect(await api.call(listKeys, { query: { workspace_id: world.workspaceId } })).toMatchObject({ total_count: 1 });
});

test("two callers can use the same key", async ({ api, world }) => {
  const once = withKey(randomUUID());
  const other = await world.managementKey();
  const body = { name: "Mine", workspace_id: world.workspaceId };
  const [mine, theirs] = [
    await api.call(createGuardrail, { body }, once),
    await api.as(other.text).call(createGuardrail, { body }, once),
  ];
  expect(mine.data.id).not.toBe(theirs.data.id);
});

test("a key of 255 characters works; 256 and 0 return 400", async ({ api, world }) => {
  const body = { name: "x", workspace_id: world.workspaceId };
  await api.call(createGuardrail, { body }, withKey(randomUUID().padEnd(255, "x")));
  for (const bad of ["x".repeat(256), ""]) {
    const refusal = await readRefusal(await api.send(createGuardrail, { body }, withKey(bad)));
    expect(refusal, JSON.stringify(bad)).toMatchObject({ status: 400 });
  }
});
