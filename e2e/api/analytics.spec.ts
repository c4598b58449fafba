import { getOverview } from "../../lib/features/analytics/contract";
import { getUsage } from "../../lib/features/analytics/usage-contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { listGenerations } from "../../lib/records/generations/contract";
import { createResponse } from "../../lib/gateway/contract";
import { expect, test } from "../fixtures";

test("a new request is counted by outcome, spend and rule", async ({ api, world }) => {
  const guardrail = await world.guardrail({ content_filter_builtins: [{ slug: "credit-card", action: "block" }] });
  const key = await world.inferenceKey();
  await api.call(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: key.text });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  await expect
    .poll(
      async () =>
        (
          await api.send(
            createResponse,
            { body: { model: "sandbox/echo", input: "4242 4242 4242 4242" } },
            { as: key.text },
          )
        ).status,
    )
    .toBe(403);

  const read = async () =>
    (await api.call(getOverview, { query: { range: "7d", workspace_id: world.workspaceId } })).data;
  await expect.poll(async () => (await read()).totals.blocked).toBeGreaterThanOrEqual(1);
  const { totals, previous, outcomes, spend, rules, bucket_seconds } = await read();
  expect(totals).toMatchObject({ requests: totals.succeeded + totals.blocked, failed: 0 });
  expect(totals.spend_usd).toBeGreaterThan(0);
  expect(previous.requests).toBe(0);
  expect(bucket_seconds).toBe(6 * 60 * 60);
  expect(outcomes.at(-1)).toMatchObject({ succeeded: totals.succeeded, blocked: totals.blocked });
  expect(spend.key.top).toEqual([
    { id: key.hash, name: key.name, spend_usd: totals.spend_usd, requests: totals.requests },
  ]);
  expect(rules).toEqual([
    {
      guardrail_id: guardrail.id,
      guardrail_name: guardrail.name,
      field: "content_filter_builtins",
      rule: "credit-card",
      action: "block",
      requests: totals.blocked,
    },
  ]);

  const byKey = await api.call(getUsage, {
    query: { range: "7d", workspace_id: world.workspaceId, group_by: "key", measure: "blocked" },
  });
  expect(byKey.data.totals).toMatchObject({ requests: totals.requests, spend_usd: totals.spend_usd });
  expect(byKey.data.groups).toMatchObject([{ id: key.hash, name: key.name, totals: { blocked: totals.blocked } }]);
  const { data: requests } = await api.call(listGenerations, {
    query: { from: byKey.data.from, to: byKey.data.to, key_hash: key.hash },
  });
  expect(requests).toHaveLength(totals.requests);
});

test("an invalid range is rejected with its parameter", async ({ api }) => {
  const day = "2026-01-01T00:00:00Z";
  for (const [query, field] of [
    [{ range: "1y" }, "range"],
    [{ from: day }, "to"],
    [{ from: day, to: "2025-01-01T00:00:00Z" }, "to"],
    [{ from: day, to: "2028-01-01T00:00:00Z" }, "from"],
    [{ workspace_id: "default" }, "workspace_id"],
  ] as const) {
    const { metadata } = await api.refuse(getOverview, 400, { query });
    expect(JSON.stringify(metadata["issues"])).toContain(`"${field}"`);
  }
  await api.refuse(getOverview, 404, { query: { workspace_id: "01980000-0000-7000-8000-000000000000" } });
});

test("an inference key can't read analytics", async ({ api, world }) => {
  await api.refuse(getUsage, 403, {}, { as: (await world.inferenceKey()).text });
  await api.refuse(getOverview, 403, {}, { as: (await world.inferenceKey()).text });
});
