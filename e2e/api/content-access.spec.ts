import { listAuditEvents } from "../../lib/platform/audit/contract";
import { getGenerationContent } from "../../lib/features/content-access/contract";
import { deleteGenerationContents } from "../../lib/features/content-access/removal-contract";
import { exportGenerations, getGeneration } from "../../lib/records/generations/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import type { NewKey, World } from "../world";

const INSTRUCTIONS = "Escalate to mara@example.com";

async function generate(api: Api, { text }: NewKey, input = "Hello"): Promise<string> {
  const answer = await api
    .as(text)
    .send(createResponse, { body: { model: "sandbox/echo", instructions: INSTRUCTIONS, input } });
  await answer.arrayBuffer();
  return answer.headers.get("x-generation-id") ?? "";
}

async function guard(api: Api, world: World, key: NewKey): Promise<void> {
  const { id } = await world.guardrail({
    content_filter_builtins: [{ slug: "email", action: "redact", scan_scope: "user_only" }],
  });
  await api.call(bulkAssignKeys, { params: { id }, body: { key_hashes: [key.hash] } });
}

const eventsOf = async (api: Api, id: string) =>
  (await api.call(listAuditEvents, { query: { target_type: "generation", target_id: id } })).data;

test("content access is recorded in the audit log, once per hour", async ({ api, world }) => {
  const id = await generate(api, await world.inferenceKey());
  for (let n = 0; n < 3; n += 1) await api.call(getGenerationContent, { query: { id } });
  expect((await eventsOf(api, id)).filter(({ action }) => action === "generation.read_content")).toHaveLength(1);
  const reader = await world.managementKey();
  await api.as(reader.text).call(getGenerationContent, { query: { id } });
  expect((await eventsOf(api, id)).map(({ actor }) => actor.name)).toContain(reader.name);
});

test("personal data is masked, also in content stored before the filter, and revealed only with a reason", async ({
  api,
  world,
}) => {
  const key = await world.inferenceKey();
  const id = await generate(api, key);
  expect((await api.call(getGenerationContent, { query: { id } })).data).not.toHaveProperty("masked");
  await guard(api, world, key);
  const { data } = await api.call(getGenerationContent, { query: { id } });
  expect(data).toMatchObject({
    input: { messages: [{ content: "Escalate to [EMAIL MASKED]" }, { content: "Hello" }] },
    masked: [{ rule: "email", count: 1 }],
  });

  const { metadata } = await api.refuse(getGenerationContent, 400, { query: { id, reveal: "true" } });
  expect(metadata["issues"]).toEqual([expect.objectContaining({ path: ["reason"] })]);
  await api.refuse(getGenerationContent, 400, { query: { id, reveal: "true", reason: " " } });
  await api.refuse(getGenerationContent, 400, { query: { id, reveal: "yes" } });
  await api.refuse(getGenerationContent, 400, { query: { id, reveal: "true", reason: "x".repeat(501) } });

  const revealed = await api.call(getGenerationContent, { query: { id, reveal: "true", reason: "Case 4711" } });
  expect(revealed.data.input.messages[0]?.content).toBe(INSTRUCTIONS);
  expect(await eventsOf(api, id)).toContainEqual(
    expect.objectContaining({
      action: "generation.reveal_content",
      after: { reason: "Case 4711", revealed: ["email"] },
    }),
  );
});

test("matching content is counted, then deleted in batches; records are kept", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const ids = [await generate(api, key), await generate(api, key), await generate(api, key)];
  const other = await generate(api, await world.inferenceKey());
  const query = { key_hash: key.hash };
  expect(await api.call(deleteGenerationContents, { query: { ...query, dry_run: "true" } })).toEqual({
    deleted_count: 0,
    next_cursor: null,
    preview: { count: 3, is_more: false },
  });
  const first = await api.call(deleteGenerationContents, { query: { ...query, limit: "2" } });
  expect(first).toEqual({ deleted_count: 2, next_cursor: expect.any(String) });
  expect(await api.call(deleteGenerationContents, { query: { ...query, cursor: first.next_cursor ?? "" } })).toEqual({
    deleted_count: 1,
    next_cursor: null,
  });
  for (const id of ids) {
    await api.refuse(getGenerationContent, 404, { query: { id } });
    expect((await api.call(getGeneration, { query: { id } })).data.content_stored).toBe(false);
  }
  expect((await api.call(getGenerationContent, { query: { id: other } })).data.input.messages).toHaveLength(2);
  const { data } = await api.call(listAuditEvents, { query: { action: "generation.delete_contents", limit: "100" } });
  expect(data.map(({ after }) => after)).toContainEqual({ deleted_count: 2, filters: query });
});

test("deletion is rejected without a filter, with an unknown one, or without permission", async ({ api, world }) => {
  const key = await world.inferenceKey();
  for (const query of [
    {},
    { dry_run: "true" },
    { modle: "x" },
    { model: "x", limit: "1001" },
    { model: "x", cursor: "nonsense" },
  ])
    await api.refuse(deleteGenerationContents, 400, { query });
  await api.refuse(deleteGenerationContents, 403, { query: { key_hash: key.hash } }, { as: key.text });
  await api.refuse(deleteGenerationContents, 401, { query: { key_hash: key.hash } }, { as: null });
});

test("an export is recorded as one event with filters and count", async ({ api, world }) => {
  const key = await world.inferenceKey();
  await generate(api, key);
  const answer = await api.send(exportGenerations, { query: { key_hash: key.hash } });
  await answer.arrayBuffer();
  const { data } = await api.call(listAuditEvents, { query: { action: "generation.export", limit: "100" } });
  expect(data.filter(({ request_id }) => request_id === answer.headers.get("x-request-id"))).toMatchObject([
    { after: { format: "jsonl", count: 1, filters: { key_hash: key.hash } } },
  ]);
});
