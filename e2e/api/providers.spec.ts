import { OpenRouter } from "@openrouter/sdk";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import { listCatalogueProviders } from "../../lib/records/catalogue/contract";
import { getModel } from "../../lib/records/models/contract";
import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
  testProvider,
  updateProvider,
} from "../../lib/records/providers/contract";
import { importModels } from "../../lib/records/providers/import-contract";
import { startUpstream } from "../../lib/testing/upstream";
import { expect, test } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";

const SECRET = "sk-canary-0123456789";
const provider = (fields: object = {}) => ({
  slug: unique("acme"),
  name: "Acme",
  base_url: "https://api.acme.example/v1",
  api_key: SECRET,
  ...fields,
});

test("create, get, list, update and delete are consistent and never return the key", async ({ api }) => {
  const body = provider({ headers: { "X-Tenant": SECRET }, protocol: "responses", zdr: true });
  const { data } = await api.call(createProvider, { body });
  expect(data).toMatchObject({
    slug: body.slug,
    base_url: body.base_url,
    protocol: "responses",
    zdr: true,
    ownership: "platform",
    has_api_key: true,
    header_names: ["x-tenant"],
  });
  const params = { slug: body.slug };
  expect((await api.call(getProvider, { params })).data).toEqual(data);
  expect((await api.call(listProviders, { query: { limit: "100" } })).data).toContainEqual(data);
  expect((await api.call(updateProvider, { params, body: { api_key: null } })).data).toMatchObject({
    has_api_key: false,
    header_names: ["x-tenant"],
  });
  expect(await api.call(deleteProvider, { params })).toEqual({ deleted: true });
  await api.refuse(getProvider, 404, { params });
  const events = await api.call(listAuditEvents, { query: { limit: "100" } });
  expect(events.data.map(({ target }) => target.name)).toContain("Acme");
  expect(JSON.stringify([data, events])).not.toContain(SECRET);
});

test("a slug is unique", async ({ api }) => {
  const body = provider();
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.send(createProvider, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
});

test("an admin adds a catalogue vendor and its models, with prices", async ({ api }) => {
  const { data } = await api.call(listCatalogueProviders, { query: { limit: "100" } });
  const anthropic = data.find(({ slug }) => slug === "anthropic");
  expect(anthropic).toMatchObject({ base_url: "https://api.anthropic.com/v1", kind: "anthropic" });
  const slug = unique("anthropic");
  await api.call(createProvider, {
    body: { slug, name: anthropic?.name ?? "", base_url: anthropic?.base_url ?? "", api_key: SECRET },
  });
  const params = { slug };
  const body = { source: "catalogue" as const, models: ["claude-haiku-4-5"], prefix: slug };
  const report = (await api.call(importModels, { params, body })).data;
  expect(report).toMatchObject({
    catalogue_provider: "anthropic",
    imported: [{ action: "create", slug: `${slug}/claude-haiku-4-5` }],
    unpriced: [],
  });
  const model = await api.call(getModel, { params: { slug: `${slug}/claude-haiku-4-5` } });
  expect(model.data.endpoints).toMatchObject([
    { provider: slug, upstream_model: "claude-haiku-4-5", price: { prompt: "1", completion: "5", request: "0" } },
  ]);
  expect((await api.call(importModels, { params, body })).data).toMatchObject({
    imported: [],
    skipped: [{ reason: "exists", slug: `${slug}/claude-haiku-4-5` }],
  });
});

test("importing a model from a second provider adds an endpoint to it, as the plan says", async ({ api }) => {
  const id = unique("claude-opus-5");
  const { baseUrl, stop } = await startUpstream((_, response) => response.end(JSON.stringify({ data: [{ id }] })));
  try {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await api.call(createProvider, { body: provider({ base_url: baseUrl }) })).data.slug),
    );
    await api.call(importModels, { params: { slug: first ?? "" }, body: {} });
    const slug = `${first}/${id}`;
    for (const dry_run of [true, false])
      expect((await api.call(importModels, { params: { slug: second ?? "" }, body: { dry_run } })).data).toMatchObject({
        dry_run,
        imported: [{ action: "join", slug, canonical_slug: slug, upstream_model: id, data_region: "global" }],
      });
    const { data } = await api.call(getModel, { params: { slug } });
    expect(data.endpoints.map(({ provider: name }) => name)).toEqual([first, second]);
  } finally {
    stop();
  }
});

test("the upstream's model list is requested with the key", async ({ api }) => {
  const { baseUrl, stop } = await startUpstream(({ headers }, response) => {
    const isWelcome = headers.authorization === `Bearer ${SECRET}`;
    response
      .writeHead(isWelcome ? 200 : 401)
      .end(isWelcome ? '{"data": [{"id": "own-model"}]}' : `{"error": {"message": "no: ${headers.authorization}"}}`);
  });
  try {
    const { data } = await api.call(createProvider, { body: provider({ base_url: baseUrl }) });
    const params = { slug: data.slug };
    expect((await api.call(testProvider, { params })).data).toMatchObject({ ok: true, status: 200, models_count: 1 });
    expect((await api.call(importModels, { params, body: {} })).data).toMatchObject({
      unpriced: [`${data.slug}/own-model`],
    });
    await api.call(updateProvider, { params, body: { api_key: "sk-wrong" } });
    expect((await api.call(testProvider, { params })).data).toMatchObject({
      ok: false,
      status: 401,
      message: "no: Bearer [secret]",
    });
    await api.refuse(importModels, 502, { params, body: {} });
  } finally {
    stop();
  }
});

test("cloud metadata addresses are rejected even if private addresses are allowed", async ({ api }) => {
  for (const base_url of [
    "http://169.254.169.254/latest",
    "http://[::ffff:a9fe:a9fe]/",
    "http://2852039166",
    "http://metadata.google.internal",
  ]) {
    const { metadata } = await api.refuse(createProvider, 400, { body: provider({ base_url }) });
    expect(metadata["issues"], base_url).toEqual([expect.objectContaining({ path: ["base_url"] })]);
  }
});

test("the sandbox can't be changed", async ({ api }) => {
  const params = { slug: "sandbox" };
  await api.refuse(deleteProvider, 409, { params });
  await api.refuse(updateProvider, 409, { params, body: { base_url: "https://api.acme.example" } });
  await api.refuse(createProvider, 409, { body: provider(params) });
  expect((await api.call(testProvider, { params })).data).toMatchObject({ ok: true });
});

const refused: readonly [what: string, fields: Record<string, unknown>][] = [
  ["a base URL that is none", { base_url: "acme" }],
  ["credentials in the base URL", { base_url: "https://a:b@acme.example" }],
  ["a header that Signalbox sets", { headers: { Authorization: "Bearer x" } }],
  ["a header with a line break", { headers: { "x-a": "1\r\nx-b: 2" } }],
  ["a key with a line break", { api_key: "a\nb" }],
  ["an unknown protocol", { protocol: "grpc" }],
  ["an unknown field", { has_api_key: true }],
];
for (const [what, fields] of refused) {
  test(`create and update reject ${what}`, async ({ api }) => {
    await api.refuse(createProvider, 400, { body: provider(fields) });
    const { data } = await api.call(createProvider, { body: provider() });
    await api.refuse(updateProvider, 400, { params: { slug: data.slug }, body: fields });
  });
}

test("the official client lists providers", async ({ api, serverUrl }) => {
  const { data } = await api.call(createProvider, { body: provider() });
  const listed = await new OpenRouter({ apiKey: MANAGEMENT_KEY, serverURL: `${serverUrl}/v1` }).providers.list();
  expect(listed.data).toContainEqual(
    expect.objectContaining({ slug: data.slug, name: "Acme", privacyPolicyUrl: null }),
  );
});
