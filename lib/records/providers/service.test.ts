import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createSandbox } from "../../server/bootstrap";
import { processHealth } from "./endpoint-health";
import { AttemptFailed } from "../../engine/protocols/upstream-failure";
import { createModel, createProvider as createProviderRow } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { startUpstream } from "../../testing/upstream";
import { test, testNew } from "./connection-test-service";
import type { CreateProviderBody, TestConnectionBody, UpdateProviderBody } from "./contract";
import { openCredentials } from "./credential-rows";
import * as health from "./health-service";
import { resealCredentials } from "./rotation-store";
import * as providers from "./service";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const BODY: CreateProviderBody = {
  slug: "acme",
  name: "Acme",
  base_url: "https://api.acme.example/v1/",
  api_key: "sk-very-secret",
  headers: { "X-Tenant": "tenant-secret" },
};
const create = (context: Context, body: Partial<CreateProviderBody> = {}) =>
  providers.create(context, { params: {}, query: {}, body: { ...BODY, ...body } });
const update = (context: Context, slug: string, body: UpdateProviderBody) =>
  providers.update(context, { params: { slug }, query: {}, body });
const get = (context: Context, slug: string) =>
  providers.get(context, { params: { slug }, query: {}, body: undefined });
const remove = (context: Context, slug: string) =>
  providers.remove(context, { params: { slug }, query: {}, body: undefined });
const list = (context: Context, limit = 50) =>
  providers.list(context, { params: {}, query: { offset: 0, limit }, body: undefined });
const tryOut = async (context: Context, slug: string) =>
  (await test(context, { params: { slug }, query: {}, body: undefined })).data;
const rowOf = ({ context, organizationId }: World) =>
  context.db.provider.findFirstOrThrow({ where: { organizationId, slug: "acme" } });
const after = ({ context }: World, milliseconds: number): Context => ({
  ...context,
  now: new Date(NOW.getTime() + milliseconds),
});
const auditOf = ({ context, organizationId }: World) =>
  context.db.auditEvent.findMany({ where: { organizationId }, orderBy: { id: "asc" } });

describe("a provider", () => {
  it("is created with encrypted secrets, and never returns them", async () => {
    const world = await testWorld();
    const { data } = await create(world.context);
    expect(data).toEqual({
      audit_id: expect.any(String),
      slug: "acme",
      models_count: 0,
      name: "Acme",
      base_url: "https://api.acme.example/v1",
      kind: "openai",
      protocol: "chat_completions",
      settings: null,
      zdr: false,
      trains: false,
      ownership: "platform",
      has_api_key: true,
      credential_names: [],
      header_names: ["x-tenant"],
      last_test: null,
      privacy_policy_url: null,
      created_at: NOW.toISOString(),
      updated_at: null,
    });
    const row = await rowOf(world);
    expect(openCredentials(world.context.settings, row)).toEqual({
      apiKey: "sk-very-secret",
      named: {},
      headers: { "x-tenant": "tenant-secret" },
    });
    await update(after(world, 1), "acme", { api_key: "sk-other-secret", headers: { "x-tenant": "second-secret" } });
    expect((await get(world.context, "acme")).data).toEqual({ ...data, updated_at: expect.any(String) });
    await remove(after(world, 2), "acme");
    const everything = JSON.stringify([row, data, await auditOf(world)]);
    expect(everything).not.toMatch(/secret/);
    expect((await auditOf(world)).map(({ action }) => action)).toEqual([
      "provider.create",
      "provider.update",
      "provider.delete",
    ]);
    expect((await auditOf(world))[1]?.after).toMatchObject({ api_key_changed: true, headers_changed: true });
  });

  it("has a unique slug per organization", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await create(world.context);
    await expect(create(world.context)).rejects.toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["slug"] }] },
    });
    expect((await create(other.context)).data.slug).toBe("acme");
  });

  it("updates the given fields; null clears the key and the headers", async () => {
    const world = await testWorld();
    await create(world.context);
    expect((await update(world.context, "acme", { zdr: true, name: "B" })).data).toMatchObject({
      name: "B",
      zdr: true,
      has_api_key: true,
      header_names: ["x-tenant"],
    });
    expect((await update(world.context, "acme", { api_key: null, headers: null })).data).toMatchObject({
      has_api_key: false,
      header_names: [],
    });
    expect(await rowOf(world)).toMatchObject({ apiKeyCiphertext: null, headers: null });
  });

  it("never sends its stored secrets to another origin", async () => {
    const { context } = await testWorld();
    await create(context);
    await expect(update(context, "acme", { base_url: "https://thief.example/v1" })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["api_key"] }, { path: ["headers"] }] },
    });
    expect(
      (await update(context, "acme", { base_url: "https://new.example/v1", api_key: "sk-2", headers: null })).data
        .base_url,
    ).toBe("https://new.example/v1");
  });

  it("is deleted with its endpoints; models are kept", async () => {
    const world = await testWorld();
    await create(world.context);
    await createModel(world, { slug: "acme/large", providerId: (await rowOf(world)).id });
    expect(await remove(world.context, "acme")).toEqual({ deleted: true });
    await expect(get(world.context, "acme")).rejects.toEqual(status(404));
    const models = await world.context.db.model.findMany({
      where: { organizationId: world.organizationId },
      include: { endpoints: true },
    });
    expect(models).toMatchObject([{ slug: "acme/large", endpoints: [] }]);
  });

  it("is listed newest first, and is a 404 for another organization", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await create(world.context);
    await create(after(world, 1), { slug: "later" });
    const page = await list(world.context, 1);
    expect([page.data.map(({ slug }) => slug), page.total_count]).toEqual([["later"], 2]);
    expect(await list(other.context)).toEqual({ data: [], total_count: 0 });
    await expect(get(other.context, "acme")).rejects.toEqual(status(404));
    await expect(update(other.context, "acme", { name: "x" })).rejects.toEqual(status(404));
    await expect(remove(other.context, "acme")).rejects.toEqual(status(404));
    await expect(tryOut(other.context, "acme")).rejects.toEqual(status(404));
  });
});

it("can be searched and sorted, and includes the number of its models", async () => {
  const world = await testWorld();
  const acme = await createProviderRow(world, { slug: "acme" });
  await createProviderRow(world, { slug: "beta", baseUrl: "https://acme-mirror.example/v1" });
  await createProviderRow(world, { slug: "gamma", baseUrl: "https://gamma.example/v1" });
  for (const slug of ["acme/a", "acme/b"]) await createModel(world, { slug, providerId: acme });
  const found = async (query: object) =>
    (
      await providers.list(world.context, { params: {}, query: { offset: 0, limit: 10, ...query }, body: undefined })
    ).data.map(({ slug, models_count }) => [slug, models_count]);
  expect(await found({ q: "ACME", sort: "-slug" })).toEqual([
    ["beta", 0],
    ["acme", 2],
  ]);
  expect(await found({ sort: "name" })).toEqual([
    ["acme", 2],
    ["beta", 0],
    ["gamma", 0],
  ]);
});

it("health covers only calls of this process and the own organization", async () => {
  const world = await testWorld();
  const acme = await createProviderRow(world, { slug: "acme" });
  await createModel(world, { slug: "acme/a", providerId: acme });
  expect(await health.list(world.context)).toEqual({ data: [] });
  const { id } = await world.context.db.endpoint.findFirstOrThrow({ where: { providerId: acme } });
  await processHealth.attempt(id, new AbortController().signal, () => Promise.resolve("ok"));
  expect(await health.list(world.context)).toEqual({ data: [{ provider: "acme", endpoints_asked: 1, resting: [] }] });
  const fail = () => Promise.reject(new AttemptFailed(503, "no"));
  for (let count = 0; count < 10; count++)
    await processHealth.attempt(id, new AbortController().signal, fail).catch(() => undefined);
  expect(await health.list(world.context)).toEqual({
    data: [{ provider: "acme", endpoints_asked: 1, resting: ["acme/a"] }],
  });
  expect(await health.list((await testWorld()).context)).toEqual({ data: [] });
});

it("credentials are re-encrypted after a rotation, so that the previous secret can be removed", async () => {
  const world = await testWorld();
  await create(world.context);
  await create(world.context, { slug: "plain", api_key: null, headers: null });
  const { settings, db } = world.context;
  const secretKey = Buffer.alloc(32, 9);
  await resealCredentials(db, { ...settings, secretKey, previousSecretKeys: [settings.secretKey] });
  expect(openCredentials({ ...settings, secretKey }, await rowOf(world))).toEqual({
    apiKey: "sk-very-secret",
    named: {},
    headers: { "x-tenant": "tenant-secret" },
  });
  expect((await get(world.context, "plain")).data).toMatchObject({ has_api_key: false, header_names: [] });
});

describe("the sandbox", () => {
  it("can't be changed", async () => {
    const { context, organizationId } = await testWorld();
    await createSandbox(context.db, organizationId, NOW);
    for (const body of [{ base_url: "https://a.example" }, { api_key: "x" }, { headers: null }])
      await expect(update(context, "sandbox", body)).rejects.toEqual(status(409));
    await expect(remove(context, "sandbox")).rejects.toEqual(status(409));
    expect((await update(context, "sandbox", { zdr: false })).data).toMatchObject({
      slug: "sandbox",
      base_url: null,
      zdr: false,
    });
    expect(await tryOut(context, "sandbox")).toMatchObject({ ok: true, models_count: 3 });
  });
});

describe("testing the connection", () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  const upstream = async (answer: RequestListener): Promise<string> => {
    const { baseUrl, stop } = await startUpstream(answer);
    stops.push(stop);
    return baseUrl;
  };

  it("lists the models with the key and headers", async () => {
    const { context } = await testWorld();
    const requests: IncomingMessage[] = [];
    const base_url = await upstream((request, response) => {
      requests.push(request);
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ data: [{ id: "a" }, { id: "b" }, { id: 5 }] }));
    });
    await create(context, { base_url });
    expect(await tryOut(context, "acme")).toEqual({
      ok: true,
      status: 200,
      latency_ms: expect.any(Number),
      tested_at: NOW.toISOString(),
      models_count: 2,
      message: expect.stringContaining("2 models"),
    });
    expect(requests[0]).toMatchObject({
      method: "GET",
      url: "/v1/models",
      headers: { authorization: "Bearer sk-very-secret", "x-tenant": "tenant-secret" },
    });
  });

  it.each([
    [
      "an error, without the key it repeats",
      401,
      '{"error": {"message": "Incorrect API key: sk-very-secret"}}',
      /^Incorrect API key: \[secret\]$/,
    ],
    ["an error without a message", 503, "<html>", /503/],
    ["an answer that isn't a list", 200, '{"models": 5}', /did not return a list of models/],
    ["an answer that isn't JSON", 200, "hello", /did not return a list of models/],
    ["a redirect", 302, "", /redirect/],
  ])("reports %s", async (_, code, body, message) => {
    const { context } = await testWorld();
    const base_url = await upstream((_request, response) =>
      response.writeHead(code, { location: "http://127.0.0.1:1/" }).end(body),
    );
    await create(context, { base_url });
    expect(await tryOut(context, "acme")).toEqual({
      ok: false,
      status: code,
      latency_ms: expect.any(Number),
      tested_at: NOW.toISOString(),
      models_count: null,
      message: expect.stringMatching(message),
    });
  });

  it("reports an unreachable upstream", async () => {
    const { context } = await testWorld();
    await create(context, { base_url: "http://127.0.0.1:9/v1" });
    expect(await tryOut(context, "acme")).toMatchObject({ ok: false, status: null, models_count: null });
  });

  it("never calls private addresses where that is off, even when already stored", async () => {
    const { context } = await testWorld();
    let calls = 0;
    const base_url = await upstream((_request, response) => {
      calls += 1;
      response.end("{}");
    });
    await create(context, { base_url });
    const strict = { ...context, settings: { ...context.settings, allowPrivateUpstreams: false } };
    expect(await tryOut(strict, "acme")).toMatchObject({ ok: false, status: null });
    expect(calls).toBe(0);
    expect(providers.create.inspect({ base_url }, strict.settings)).toEqual([
      expect.objectContaining({ path: ["base_url"] }),
    ]);
  });

  const listing = (names: readonly string[]): RequestListener => {
    const body = JSON.stringify({ data: names.map((id) => ({ id })) });
    return (_request, response) => response.setHeader("content-type", "application/json").end(body);
  };

  it("is remembered with its time until the connection's settings change", async () => {
    const { context } = await testWorld();
    const base_url = await upstream(listing(["a"]));
    const lastTest = async () => (await get(context, "acme")).data.last_test;
    await create(context, { base_url });
    expect(await lastTest()).toBeNull();
    const data = await tryOut(context, "acme");
    expect(data).toMatchObject({ ok: true, message: "The upstream lists 1 model", tested_at: NOW.toISOString() });
    expect(await lastTest()).toEqual(data);
    expect((await list(context)).data[0]?.last_test).toEqual(data);
    await update(context, "acme", { name: "Renamed", zdr: true });
    expect(await lastTest()).toEqual(data);
    await update(context, "acme", { api_key: "sk-another" });
    expect(await lastTest()).toBeNull();
  });

  it("isn't remembered for settings that changed meanwhile", async () => {
    const world = await testWorld();
    const { context } = world;
    const base_url = await upstream((request, response) => {
      void update(after(world, 1), "acme", { api_key: "sk-new" }).then(() => listing(["a"])(request, response));
    });
    await create(context, { base_url });
    expect(await tryOut(context, "acme")).toMatchObject({ ok: true });
    expect((await get(context, "acme")).data.last_test).toBeNull();
  });

  const tryNew = async (context: Context, body: TestConnectionBody) =>
    (await testNew(context, { params: {}, query: {}, body })).data;

  it("of settings that aren't stored sends the given secrets, repeats none and stores nothing", async () => {
    const world = await testWorld();
    const requests: IncomingMessage[] = [];
    const base_url = await upstream((request, response) => {
      requests.push(request);
      response.writeHead(401).end(JSON.stringify({ error: { message: "bad key sk-unsaved-secret" } }));
    });
    const body = { base_url: `${base_url}/`, api_key: "sk-unsaved-secret", headers: { "X-Tenant": "tenant" } };
    expect(await tryNew(world.context, body)).toEqual({
      ok: false,
      status: 401,
      latency_ms: expect.any(Number),
      tested_at: NOW.toISOString(),
      models_count: null,
      message: "bad key [secret]",
    });
    expect(requests[0]).toMatchObject({
      url: "/v1/models",
      headers: { authorization: "Bearer sk-unsaved-secret", "x-tenant": "tenant" },
    });
    expect(await world.context.db.provider.count({ where: { organizationId: world.organizationId } })).toBe(0);
    expect(await auditOf(world)).toEqual([]);
  });

  it("of settings that aren't stored has the same rules for addresses and kinds", async () => {
    const { context } = await testWorld();
    let calls = 0;
    const base_url = await upstream((_request, response) => {
      calls += 1;
      response.end("{}");
    });
    const strict = { ...context.settings, allowPrivateUpstreams: false };
    expect(testNew.inspect({ base_url }, strict)).toEqual([expect.objectContaining({ path: ["base_url"] })]);
    expect(testNew.inspect({ base_url: "https://a.example", kind: "vertex" }, strict)).not.toEqual([]);
    expect(await tryNew({ ...context, settings: strict }, { base_url })).toMatchObject({ ok: false, status: null });
    expect(calls).toBe(0);
  });
});
