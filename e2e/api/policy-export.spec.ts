import { parse } from "yaml";
import { exportPolicy, PolicyFile } from "../../lib/features/policy-file/contract";
import { createProvider } from "../../lib/records/providers/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("the export uses names followed by IDs, without secrets", async ({ api, world }) => {
  const slug = unique("secretive");
  await api.call(createProvider, {
    body: {
      slug,
      name: "Secretive",
      base_url: "https://api.secretive.example/v1",
      api_key: "sk-never-shown",
      headers: { "X-Also": "never-shown" },
    },
  });
  const guardrail = await world.guardrail({ content_filter_builtins: [{ slug: "email", action: "redact" }] });
  const key = await world.inferenceKey({ limit: 5 });
  const { data, objects } = await api.call(exportPolicy);
  const variable = slug.toUpperCase().replaceAll("-", "_");
  expect(data.providers?.find((provider) => provider.slug === slug)).toEqual({
    slug,
    name: "Secretive",
    base_url: "https://api.secretive.example/v1",
    api_key: { env: `${variable}_API_KEY` },
    headers: { "x-also": { env: `${variable}_X_ALSO` } },
  });
  expect(JSON.stringify(data)).not.toContain("never-shown");
  const place = objects.workspaces.find(({ id }) => id === world.workspaceId);
  expect(objects.guardrails.find(({ id }) => id === guardrail.id)).toEqual({
    workspace: place?.slug,
    name: guardrail.name,
    copy: 1,
    id: guardrail.id,
    revision: 1,
  });
  expect(objects.keys.find(({ hash }) => hash === key.hash)).toMatchObject({ name: key.name, copy: 1 });
  const workspace = data.workspaces?.find(({ slug: found }) => found === place?.slug);
  expect(workspace).toMatchObject({
    guardrails: [{ name: guardrail.name, content_filter_builtins: [{ slug: "email", action: "redact" }] }],
    presets: [],
    keys: [{ name: key.name, limit: 5 }],
    members: [],
  });
});

test("YAML contains the same document, by query or Accept", async ({ api, world }) => {
  await world.guardrail({ description: "Line one\nline two: with a colon" });
  const byQuery = await api.send(exportPolicy, { query: { format: "yaml" } });
  expect([byQuery.status, byQuery.headers.get("content-type"), byQuery.headers.get("content-disposition")]).toEqual([
    200,
    "application/yaml; charset=utf-8",
    expect.stringMatching(/^attachment; filename="signalbox-policy-\d{4}-\d\d-\d\d\.yaml"$/),
  ]);
  const document = PolicyFile.parse(parse(await byQuery.text()));
  expect(
    document.workspaces?.some(({ guardrails }) =>
      guardrails?.some(({ description }) => description === "Line one\nline two: with a colon"),
    ),
  ).toBe(true);
  const byHeader = await api.send(exportPolicy, {}, { headers: { accept: "application/yaml" } });
  expect(byHeader.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
});

test("guardrails with the same name are distinguished by creation order", async ({ api, world }) => {
  const name = unique("Twin");
  const twins = [await world.guardrail({ name }), await world.guardrail({ name, limit_usd: 1 })];
  const { data, objects } = await api.call(exportPolicy);
  expect(data.workspaces?.flatMap(({ guardrails = [] }) => guardrails).filter((one) => one.name === name)).toEqual([
    { name },
    { name, copy: 2, limit_usd: 1 },
  ]);
  expect(objects.guardrails.filter((one) => one.name === name).map(({ id, copy }) => [id, copy])).toEqual(
    twins.map(({ id }, index) => [id, index + 1]),
  );
});

test("the export requires an admin and a known format", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  await api.refuse(exportPolicy, 403, {}, { as: text });
  await api.refuse(exportPolicy, 400, { query: { format: "xml" } });
});
