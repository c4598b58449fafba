import Anthropic, { AuthenticationError, BadRequestError, NotFoundError, type APIError } from "@anthropic-ai/sdk";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as modelByParts from "@/app/v1/models/[slug]/[name]/route";
import * as model from "@/app/v1/models/[slug]/route";
import * as models from "@/app/v1/models/route";
import { uuidv7 } from "../platform/ids";
import { createKey } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testDatabase, testWorld, type World } from "../testing/test-context";
import { createDispatcher } from "./dispatch.mjs";

const HOST = "http://signalbox.test";

let world: World;
let key: string;
let client: Anthropic;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

const route = (path: string, handlers: object) => ({
  segments: path.split("/"),
  handlers: () => Promise.resolve({ ...handlers }),
});
const { call } = createDispatcher([
  route("v1/models", models),
  route("v1/models/[slug]", model),
  route("v1/models/[slug]/[name]", modelByParts),
]);

/** The official client, whose requests reach the routes without a server. */
const clientOf = (apiKey: string) =>
  new Anthropic({ baseURL: HOST, apiKey, maxRetries: 0, fetch: (url, init) => call(new Request(url, init)) });

/** Sends a request, without the header of Anthropic's clients unless given. */
const get = async (path: string, headers: Record<string, string> = {}) =>
  (await call(new Request(`${HOST}/v1${path}`, { headers: { "x-api-key": key, ...headers } }))).json();

const errorOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => expect.unreachable(),
    (error: unknown) => error as APIError,
  );

/** Models from the oldest to the newest. */
const SLUGS = ["acme/c", "acme/a", "acme/e", "acme/b", "acme/d"];
const NEWEST_FIRST = SLUGS.toReversed();

beforeEach(async () => {
  world = await testWorld();
  const { db } = world.context;
  const providerId = await createProvider(world, { slug: "open", zdr: true });
  for (const [index, slug] of SLUGS.entries()) {
    await createModel(world, { slug, providerId });
    const organizationId_slug = { organizationId: world.organizationId, slug };
    const createdAt = new Date(NOW.getTime() + index * 1000);
    await db.model.update({ where: { organizationId_slug }, data: { createdAt, contextLength: 1000 + index } });
  }
  ({ text: key } = await createKey(world));
  client = clientOf(key);
});

async function listed(params: Anthropic.ModelListParams = {}) {
  const ids: string[] = [];
  for await (const { id } of client.models.list(params)) ids.push(id);
  return ids;
}

describe("models for Anthropic's client", () => {
  it("are listed newest first, in the shape of Anthropic's API", async () => {
    const page = await client.models.list({ limit: 2 });
    expect(page).toMatchObject({ has_more: true, first_id: "acme/d", last_id: "acme/b" });
    expect(page.data.map(({ id }) => id)).toEqual(["acme/d", "acme/b"]);
    expect(page.data[0]).toEqual({
      type: "model",
      id: "acme/d",
      display_name: "acme/d",
      created_at: new Date(NOW.getTime() + 4000).toISOString(),
      lifecycle: "active",
      deprecated_at: null,
      retires_at: null,
      max_input_tokens: 1004,
      max_tokens: null,
      line: null,
      capabilities: null,
    });
  });

  it.each([1, 2, 5, 20])("are iterated over in pages of %i", async (limit) => {
    expect(await listed({ limit })).toEqual(NEWEST_FIRST);
    expect(await listed({ limit, after_id: "acme/b" })).toEqual(NEWEST_FIRST.slice(2));
    expect((await listed({ limit, before_id: "acme/a" })).sort()).toEqual(["acme/b", "acme/d", "acme/e"]);
  });

  it("have no page behind the last", async () => {
    const page = { data: [], has_more: false, first_id: null, last_id: null };
    expect(await client.models.list({ after_id: "acme/c" })).toMatchObject(page);
    expect(await client.models.list({ before_id: "acme/d" })).toMatchObject(page);
  });

  it("are found by ID, encoded by the client or not", async () => {
    const found = await client.models.retrieve("acme/e");
    expect(found).toMatchObject({ type: "model", id: "acme/e", display_name: "acme/e", max_input_tokens: 1002 });
    expect(await get("/models/acme/e", { "anthropic-version": "2023-06-01" })).toEqual(found);
  });

  it("include those of operations in beta, and those in a lifecycle", async () => {
    const providerId = await createProvider(world, { slug: "anthropic", baseUrl: "https://api.anthropic.com/v1" });
    await createModel(world, { slug: "claude-2", providerId });
    expect(await client.beta.models.retrieve("claude-2")).toMatchObject({ lifecycle: "retired" });
    expect((await client.beta.models.list()).data).toHaveLength(6);
    const inLifecycle = (...lifecycle: string[]) =>
      get(`/models?${lifecycle.map((one) => `lifecycle[]=${one}`).join("&")}`, { "anthropic-version": "2023-06-01" });
    expect(await inLifecycle("retired")).toMatchObject({ data: [{ id: "claude-2" }], has_more: false });
    expect(await inLifecycle("deprecated")).toMatchObject({ data: [] });
    expect(await inLifecycle("active", "retired")).toMatchObject({ data: { length: 6 } });
  });

  it("are those that guardrails allow, as in the ordinary list", async () => {
    const { db } = world.context;
    await createModel(world, { slug: "acme/closed", providerId: await createProvider(world, { slug: "closed" }) });
    const { id } = await db.guardrail.create({
      data: { id: uuidv7(NOW), workspaceId: world.workspaceId, name: "G", enforceZdrOther: true },
    });
    await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
    const ordinary = (await get("/models")) as { data: { id: string }[] };
    expect(await listed()).toEqual(NEWEST_FIRST);
    expect(ordinary.data.map(({ id: slug }) => slug)).toEqual(SLUGS.toSorted());
    expect(await errorOf(client.models.retrieve("acme/closed"))).toBeInstanceOf(NotFoundError);
    expect(await errorOf(client.models.list({ after_id: "acme/closed" }))).toBeInstanceOf(BadRequestError);
  });

  it("keep the shape of the routing API for other clients", async () => {
    expect(await get("/models?limit=1")).toMatchObject({ object: "list", total_count: 5, data: [{ slug: "acme/a" }] });
    for (const path of ["/models/acme%2Fe", "/models/acme/e"])
      expect(await get(path)).toMatchObject({ id: "acme/e", object: "model", data: { slug: "acme/e" } });
    expect(await get("/models/acme%2Fnothing")).toMatchObject({ error: { code: 404 } });
  });
});

describe("errors of models for Anthropic's client", () => {
  it("an unknown model is a 404 in Anthropic's shape", async () => {
    for (const id of ["acme/nothing", "nothing", "no model", "user"]) {
      const error = await errorOf(client.models.retrieve(id));
      expect(error, id).toBeInstanceOf(NotFoundError);
      expect(error.error).toMatchObject({ type: "error", error: { type: "not_found_error" } });
      expect(error.requestID).toBe((error.error as { request_id: string }).request_id);
    }
  });

  it("an unknown key is a 401", async () => {
    const error = await errorOf(clientOf("sb-v1-unknown").models.list());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.error).toMatchObject({ type: "error", error: { type: "authentication_error" } });
  });

  it.each([
    [{ limit: 0 }, "limit: must be at least 1"],
    [{ limit: 1001 }, "limit"],
    [{ after_id: "acme/nothing" }, "after_id: must be the ID of a model in the list"],
    [{ before_id: "acme/nothing" }, "before_id: must be the ID of a model in the list"],
    [{ after_id: "acme/a", before_id: "acme/b" }, "before_id: can't be combined with after_id"],
    [{ offset: 1 }, "offset: unknown query parameter"],
    [{ lifecycle: ["new"] }, "lifecycle[]"],
  ])("%j is a 400 that names the parameter", async (params, message) => {
    const error = await errorOf(client.models.list(params as Anthropic.ModelListParams));
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(error.message).toContain(message);
  });
});
