import { listBudgets } from "../../lib/records/budgets/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import { updateKey } from "../../lib/records/keys/contract";
import { expect, test } from "../fixtures";

test("a request's cost counts towards every budget that applies, and is forecast", async ({ api, world }) => {
  const guardrail = await world.guardrail({ limit_usd: 0.00001, reset_interval: "monthly" });
  const key = await world.inferenceKey({ limit: 5 });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const read = async () => (await api.call(listBudgets, { query: { key_hash: key.hash } })).data;
  expect(await read()).toMatchObject([
    {
      guardrail_id: guardrail.id,
      guardrail_name: guardrail.name,
      spent_usd: 0,
      reset_interval: "monthly",
      forecast: { exhausted_at: null, usd_per_hour: 0, contributors: [] },
    },
    { guardrail_id: null, guardrail_name: null, limit_usd: 5, spent_usd: 0, reset_interval: null, resets_at: null },
  ]);

  const ask = async () =>
    (
      await api.send(
        createResponse,
        { body: { model: "sandbox/echo", input: "Hello ".repeat(20), max_output_tokens: 50 } },
        { as: key.text },
      )
    ).status;
  expect(await ask()).toBe(200);
  await expect.poll(async () => (await read())[0]?.remaining_usd).toBe(0);
  const [ofGuardrail, own] = await read();
  expect(ofGuardrail?.spent_usd).toBeGreaterThan(0.00001);
  expect(own?.spent_usd).toBe(ofGuardrail?.spent_usd);
  for (const budget of [ofGuardrail, own]) {
    expect(budget?.subject).toEqual({ type: "key", id: key.hash, name: key.name });
    expect(budget?.forecast.contributors).toEqual([{ key_hash: key.hash, key_name: key.name, share: 1 }]);
  }
  expect(ofGuardrail?.forecast.exhausted_at).not.toBeNull();
  expect(await ask(), "an exhausted budget in the list is rejected by the ledger").toBe(403);

  await api.call(updateKey, { params: { hash: key.hash }, body: { disabled: true } });
  expect(await read()).toEqual([]);
});

test("budgets are filtered and paged", async ({ api, world }) => {
  const keys = [await world.inferenceKey({ limit: 1 }), await world.inferenceKey({ limit: 1 })];
  const { data, total_count } = await api.call(listBudgets, { query: { workspace_id: world.workspaceId, limit: "1" } });
  expect([data.length, total_count]).toEqual([1, 2]);
  expect(keys.map(({ hash }) => hash)).toContain(data[0]?.subject.id);
  await api.refuse(listBudgets, 400, { query: { guardrail_id: "x" } });
  await api.refuse(listBudgets, 404, { query: { workspace_id: "01980000-0000-7000-8000-000000000000" } });
});
