import { createPresetFromResponses, listPresetVersions } from "../../lib/records/presets/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("sixteen parallel posts to one slug create versions 1 to 16 without gaps or duplicates", async ({
  api,
  world,
}) => {
  const params = { slug: unique("race") };
  const query = { workspace_id: world.workspaceId };
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      api.send(createPresetFromResponses, {
        params,
        query,
        body: { model: "sandbox/echo", instructions: String(index) },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
  const { data } = await api.call(listPresetVersions, { params, query: { ...query, limit: "100" } });
  expect(data.map(({ version }) => version)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  expect(new Set(data.map(({ system_prompt }) => system_prompt)).size).toBe(16);
});

test("sixteen posts with one Idempotency-Key create one version", async ({ api, world }) => {
  const sent = {
    params: { slug: unique("once") },
    query: { workspace_id: world.workspaceId },
    body: { model: "sandbox/echo" },
  };
  const headers = { "idempotency-key": sent.params.slug };
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => api.call(createPresetFromResponses, sent, { headers })),
  );
  expect(new Set(answers.map(({ data }) => data.designated_version.version))).toEqual(new Set([1]));
});
