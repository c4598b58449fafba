import { createGuardrail } from "../../lib/records/guardrails/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import { getPresetUsage } from "../../lib/records/presets/usage-contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("usage counts the requests of each version by outcome", async ({ api, world }) => {
  const sent = { params: { slug: unique("used") }, query: { workspace_id: world.workspaceId } };
  for (const temperature of [0.1, 0.2, 0.3])
    await api.call(createPresetFromResponses, { ...sent, body: { model: "sandbox/echo", temperature } });
  const key = await world.inferenceKey();
  const { data: guardrail } = await api.call(createGuardrail, {
    body: {
      name: unique("Guardrail"),
      workspace_id: world.workspaceId,
      content_filters: [{ pattern: "forbidden", action: "block" }],
    },
  });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const ask = (model: string, input: string) => api.as(key.text).send(createResponse, { body: { model, input } });
  const before = new Date().toISOString();
  for (const input of ["one", "two"]) expect((await ask(`@preset/${sent.params.slug}`, input)).status).toBe(200);
  expect((await ask(`@preset/${sent.params.slug}@1`, "one")).status).toBe(200);
  expect((await ask(`@preset/${sent.params.slug}`, "something forbidden")).status).toBe(403);
  await expect(async () => {
    const { data, from, to } = await api.call(getPresetUsage, sent);
    expect(data).toMatchObject([
      { version: 1, requests: 1, succeeded: 1, failed: 0, blocked: 0 },
      { version: 3, requests: 3, succeeded: 2, failed: 0, blocked: 1 },
    ]);
    expect(Date.parse(data[1]?.last_used_at ?? "")).toBeGreaterThanOrEqual(Date.parse(before) - 1000);
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
  }).toPass();
  expect(
    (await api.call(getPresetUsage, { ...sent, query: { ...sent.query, to: "2020-01-01T00:00:00Z" } })).data,
  ).toEqual([]);
  await api.refuse(getPresetUsage, 404, { params: { slug: unique("nothing") } });
  const { metadata } = await api.refuse(getPresetUsage, 400, { ...sent, query: { from: "yesterday" } });
  expect(metadata["issues"]).toMatchObject([{ path: ["from"] }]);
});
