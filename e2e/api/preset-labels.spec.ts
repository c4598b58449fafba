import { createResponse } from "../../lib/gateway/contract";
import { updateWorkspace } from "../../lib/records/workspaces/contract";
import { lintGuardrail } from "../../lib/features/lint/contract";
import { getPresetCompatibility } from "../../lib/features/preset-compatibility/contract";
import { createPresetFromResponses, getPreset, listPresets } from "../../lib/records/presets/contract";
import { deletePresetLabel, setPresetLabel } from "../../lib/records/presets/labels-contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { unique, type World } from "../world";

async function presetIn(api: Api, { workspaceId }: World, ...models: string[]) {
  const sent = { params: { slug: unique("support") }, query: { workspace_id: workspaceId } };
  for (const model of models) await api.call(createPresetFromResponses, { ...sent, body: { model } });
  const label = (name: string) => ({ params: { ...sent.params, label: name }, query: sent.query });
  return { ...sent, slug: sent.params.slug, label };
}

test("a label is set, moved and removed; requests follow it immediately or get an error once it is removed", async ({
  api,
  world,
}) => {
  const { slug, label, ...sent } = await presetIn(api, world, "sandbox/echo", "sandbox/reasoner");
  const { text } = await world.inferenceKey();
  const answeredBy = async (model: string) =>
    (await api.call(createResponse, { body: { model, input: "hi" } }, { as: text })).model;
  const { data: set } = await api.call(setPresetLabel, { ...label("prod"), body: { version: 1 } });
  expect(set).toMatchObject({ labels: { prod: 1 }, designated_version: { version: 2 } });
  expect(await answeredBy(`@preset/${slug}:prod`)).toBe("sandbox/echo");
  expect(await answeredBy(`@preset/${slug}`)).toBe("sandbox/reasoner");
  await api.call(setPresetLabel, { ...label("prod"), body: { version: 2 } });
  expect(await answeredBy(`@preset/${slug}:prod`)).toBe("sandbox/reasoner");
  expect((await api.call(listPresets, { query: sent.query })).data).toMatchObject([{ slug, labels: { prod: 2 } }]);
  expect((await api.call(deletePresetLabel, label("prod"))).data.labels).toEqual({});
  const gone = await api.refuse(
    createResponse,
    404,
    { body: { model: `@preset/${slug}:prod`, input: "hi" } },
    { as: text },
  );
  expect(gone).toMatchObject({
    message: `Preset "${slug}" has no label "prod"`,
    metadata: { reason: "preset_label_not_found" },
  });
  await api.refuse(deletePresetLabel, 404, label("prod"));
});

test("a label's name, version and revision are validated", async ({ api, world }) => {
  const { label, ...sent } = await presetIn(api, world, "sandbox/echo");
  for (const name of ["3", "Prod", "a--b", "x".repeat(33), "v@1"])
    await api.refuse(setPresetLabel, 400, { ...label(name), body: { version: 1 } });
  await api.refuse(setPresetLabel, 400, { ...label("prod"), body: { version: 2 } });
  await api.refuse(setPresetLabel, 400, { ...label("prod"), body: {} });
  await api.refuse(setPresetLabel, 404, {
    params: { slug: unique("none"), label: "prod" },
    query: sent.query,
    body: { version: 1 },
  });
  const etag = (await api.send(getPreset, { params: sent.params, query: sent.query })).headers.get("etag") ?? "";
  await api.call(setPresetLabel, { ...label("prod"), body: { version: 1 } }, { headers: { "if-match": etag } });
  await api.refuse(setPresetLabel, 412, { ...label("prod"), body: { version: 1 } }, { headers: { "if-match": etag } });
  await api.refuse(deletePresetLabel, 412, label("prod"), { headers: { "if-match": etag } });
});

test("a version can be created without making it live", async ({ api, world }) => {
  const { label: _, slug: __, ...sent } = await presetIn(api, world, "sandbox/echo");
  const made = await api.call(createPresetFromResponses, {
    params: sent.params,
    query: { ...sent.query, designate: "false" },
    body: { model: "sandbox/reasoner" },
  });
  expect(made).toMatchObject({ created_version: 2, data: { designated_version: { version: 1 } } });
});

test("preset compatibility and guardrail lint report conflicts", async ({ api, world }) => {
  const { label, ...sent } = await presetIn(api, world, "sandbox/reasoner", "sandbox/echo");
  await api.call(setPresetLabel, { ...label("canary"), body: { version: 1 } });
  const draft = { workspace_id: world.workspaceId, allowed_models: ["sandbox/echo"] };
  const { data: findings } = await api.call(lintGuardrail, { body: { guardrail: draft } });
  expect(findings).toMatchObject([
    {
      code: "preset_without_endpoint",
      path: ["allowed_models"],
      message: expect.stringContaining(`“${sent.params.slug}” (canary)`),
      fix: { path: "allowed_models", value: ["sandbox/echo", "sandbox/reasoner"] },
    },
  ]);
  const guardrail = await world.guardrail({ allowed_models: ["sandbox/echo"] });
  await api.call(updateWorkspace, { params: { id: world.workspaceId }, body: { default_guardrail_id: guardrail.id } });
  const judged = async (version?: number) =>
    (
      await api.call(getPresetCompatibility, {
        params: sent.params,
        query: { ...sent.query, ...(version && { version: String(version) }) },
      })
    ).data;
  expect(await judged()).toMatchObject({
    version: 2,
    policies: [{ outcome: "usable", layers: [{ guardrail_id: guardrail.id }] }],
  });
  expect(await judged(1)).toMatchObject({
    version: 1,
    alone: { endpoints: 1 },
    policies: [{ outcome: "no_endpoint", refusals: [{ guardrail_id: guardrail.id, field: "allowed_models" }] }],
  });
});
