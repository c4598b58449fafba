import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { drained } from "../platform/database/batcher";
import { recordChange } from "../platform/audit/store";
import type { Context } from "../platform/context";
import { uuidv7 } from "../platform/ids";
import type { KeyKind } from "../platform/key-text";
import { randomBase62, sha256 } from "../platform/secrets";
import { createKey } from "../testing/factories";
import { testDatabase, testWorld, type World } from "../testing/test-context";
import { conflict } from "../platform/api-error";
import { handle, type RouteHandler } from "./handle";
import { inspected } from "../platform/http/inspected";
import { envelope, IdParams, operation, type Access } from "../platform/http/operation";
import { integerParam } from "../platform/http/pagination";

const RATE_LIMIT = 30;
const MAX_BODY_BYTES = 10_000;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", String(RATE_LIMIT));
  vi.stubEnv("SIGNALBOX_MAX_BODY_BYTES", String(MAX_BODY_BYTES));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

/** Stops the clock until the test's end, because a slow test would allow a caller further requests. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

const HOST = "http://signalbox.test";
const ID = "0192f3a0-0000-7000-8000-000000000000";
const json = { "content-type": "application/json" };
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

const Thing = z.object({ id: z.uuid(), name: z.string(), revision: z.number() });

const thing = operation({
  id: "createThing",
  method: "POST",
  path: "/things/{id}",
  tag: "Things",
  summary: "Create a thing",
  access: "management",
  permission: "guardrails:write",
  params: IdParams,
  query: z.object({ size: integerParam(1, 9).optional() }),
  body: z.strictObject({ name: z.string().min(1), weight: z.number().optional() }),
  status: 201,
  result: envelope(Thing),
  errors: [],
  idempotent: true,
  etag: true,
  ifMatch: true,
});

/** Makes one recorded change, like every service. */
async function createThing(context: Context, { body }: { body: { name: string } }) {
  const id = uuidv7(context.now);
  await recordChange(context.db, context, { action: "thing.create", target: { type: "thing", id, name: body.name } });
  return { data: { id, name: body.name, revision: 7, secret: "removed" } };
}

const things = handle(thing, createThing);
const made = ({ context, organizationId }: World) =>
  context.db.auditEvent.count({ where: { organizationId, action: "thing.create" } });

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  query?: string;
  id?: string;
}

/** Adds `duplex`, required for streamed bodies but missing in the DOM types. */
function send(
  handler: RouteHandler,
  { method = "POST", headers = {}, body = JSON.stringify({ name: "a" }), query = "", id = ID }: Sent = {},
) {
  const init: RequestInit & { duplex: "half" } = { method, headers: { ...json, ...headers }, duplex: "half" };
  return handler(new Request(`${HOST}/v1/things/${id}${query}`, method === "GET" ? init : { ...init, body }), {
    params: { id },
  });
}

async function errorOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-request-id")).toBeTruthy();
  const { error } = (await response.json()) as {
    error: { code: number; message: string; metadata?: { issues?: { path: unknown[]; message: string }[] } };
  };
  expect(error.code).toBe(response.status);
  return error;
}

async function keyOf(world: World, kind: KeyKind = "management") {
  return bearer((await createKey(world, { kind })).text);
}

async function cookieOf(world: World, role: "admin" | "member" = "admin") {
  const token = randomBase62(43);
  const now = new Date();
  await world.context.db.member.update({ where: { id: world.adminId }, data: { role } });
  await world.context.db.session.create({
    data: {
      id: uuidv7(now),
      tokenHash: sha256(token),
      memberId: world.adminId,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    },
  });
  return { cookie: `theme=dark; signalbox_session=${token}` };
}

describe("the order of checks", () => {
  it("is 401, 429, 403, 400, then the service", async () => {
    stopClock();
    const world = await testWorld();
    const inference = await keyOf(world, "inference");
    const broken = { body: "{", query: "?size=x" };
    expect((await errorOf(await send(things, broken))).message).toBe("Missing Authentication header");
    for (const credential of ["Bearer sb-mgmt-v1-typo", "Basic abc", "Bearer", `Bearer ${"x".repeat(40)}`]) {
      const response = await send(things, { ...broken, headers: { authorization: credential } });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect((await errorOf(response)).message).toBe("Invalid credentials");
    }
    for (let i = 0; i < RATE_LIMIT; i++)
      expect((await send(things, { ...broken, headers: inference })).status).toBe(403);
    const limited = await send(things, { ...broken, headers: inference });
    expect((await errorOf(limited)).message).toBe("Rate limit exceeded");
    expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await send(things, { ...broken, headers: await keyOf(world) })).status).toBe(400);
    expect(await made(world)).toBe(0);
  });

  it("returns only the first error: a 403 reveals nothing about the input", async () => {
    const error = await errorOf(
      await send(things, { body: "{}", headers: await keyOf(await testWorld(), "inference") }),
    );
    expect(error).toEqual({ code: 403, message: "Only management keys can perform this operation" });
  });

  it("sends the remaining rate limit with every response", async () => {
    stopClock();
    const headers = await keyOf(await testWorld());
    const remaining = async () => {
      const response = await send(things, { headers });
      expect(response.headers.get("x-ratelimit-limit")).toBe(String(RATE_LIMIT));
      expect(Number(response.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now() - 1000);
      return Number(response.headers.get("x-ratelimit-remaining"));
    };
    expect([await remaining(), await remaining()]).toEqual([RATE_LIMIT - 1, RATE_LIMIT - 2]);
  });
});

describe("access", () => {
  const callers = ["nobody", "inference key", "management key", "member", "admin"] as const;
  const rows: [Access, number[]][] = [
    ["public", [200, 200, 200, 200, 200]],
    ["any", [401, 200, 200, 200, 200]],
    ["session", [401, 403, 403, 200, 200]],
    ["member", [401, 403, 200, 200, 200]],
    ["management", [401, 403, 200, 403, 200]],
    ["inference", [401, 200, 403, 403, 403]],
  ];
  it.each(rows)("%s operations", async (access, expected) => {
    const open = { ...thing, method: "GET", status: 200, access, body: undefined, result: z.object({}) } as const;
    const handler = handle(open, () => Promise.resolve({}));
    const headers = {
      nobody: {},
      "inference key": await keyOf(await testWorld(), "inference"),
      "management key": await keyOf(await testWorld()),
      member: await cookieOf(await testWorld(), "member"),
      admin: await cookieOf(await testWorld()),
    };
    const statuses = await Promise.all(
      callers.map(async (caller) => (await send(handler, { method: "GET", headers: headers[caller] })).status),
    );
    expect(statuses).toEqual(expected);
  });
});

describe("an inspected operation", () => {
  const checked = operation({ ...thing, permission: "guardrails:write", inspected: true });
  const inspect = ({ name }: Record<string, unknown>) =>
    name === "bad" ? [{ path: ["name"], message: "is bad" }] : [];

  it("reports inspection issues together with schema errors", async () => {
    const handler = handle(
      checked,
      inspected(inspect, (context: Context, input: { body: { name: string } }) => createThing(context, input)),
    );
    const headers = await keyOf(await testWorld());
    const { code, metadata } = await errorOf(
      await send(handler, { headers, body: JSON.stringify({ name: "bad", weight: "1" }) }),
    );
    expect([code, metadata?.issues?.map(({ path }) => path)]).toEqual([400, [["weight"], ["name"]]]);
    expect((await send(handler, { headers })).status).toBe(201);
  });

  it("requires a service with an inspection", () => {
    // @ts-expect-error: the type check refuses such a route.
    expect(handle(checked, createThing)).toBeTypeOf("function");
  });
});

describe("a console session", () => {
  it.each([
    [{}, 403],
    [{ origin: "http://evil.test" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://signalbox.test.evil.test" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ origin: "http://evil.test", "sec-fetch-site": "same-origin" }, 403],
    [{ origin: HOST }, 201],
    [{ "sec-fetch-site": "same-origin" }, 201],
  ])("that posts with %j gets %i", async (headers, status) => {
    expect((await send(things, { headers: { ...(await cookieOf(await testWorld())), ...headers } })).status).toBe(
      status,
    );
  });

  it("with a first password may only change it", async () => {
    const world = await testWorld();
    const headers = { ...(await cookieOf(world)), origin: HOST };
    await world.context.db.member.update({ where: { id: world.adminId }, data: { mustChangePassword: true } });
    const refused = await send(things, { headers });
    expect(refused.status).toBe(403);
    expect((await errorOf(refused)).metadata).toEqual({ reason: "password_change_required" });
    const allowed = handle({ ...thing, allowsFirstPassword: true }, createThing);
    expect((await send(allowed, { headers })).status).toBe(201);
    expect((await send(things, { headers: await keyOf(world) })).status).toBe(201);
  });

  it.each([
    [{}, 200],
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ "sec-fetch-site": "none" }, 200],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, 403],
    [{ "sec-fetch-site": "anything" }, 403],
  ])("that reads with %j gets %i", async (headers, status) => {
    const { body: _, idempotent: __, ...reading } = { ...thing, method: "GET", status: 200 } as const;
    const read = handle(reading, () => Promise.resolve({ data: { id: ID, revision: 1, name: "a" } }));
    const world = await testWorld();
    const cookie = await cookieOf(world);
    expect((await send(read, { method: "GET", headers: { ...cookie, ...headers } })).status).toBe(status);
    expect((await send(read, { method: "GET", headers: { ...(await keyOf(world)), ...headers } })).status).toBe(200);
  });

  it("must have proved its identity recently to change roles, keys and secrets; a key need not", async () => {
    const world = await testWorld();
    const guarded = handle({ ...thing, recentSignIn: true }, createThing);
    const headers = { ...(await cookieOf(world)), origin: HOST };
    expect((await send(guarded, { headers })).status).toBe(201);
    const provedAgo = (minutes: number) =>
      world.context.db.session.updateMany({
        where: { memberId: world.adminId },
        data: { authenticatedAt: new Date(Date.now() - minutes * 60_000) },
      });
    await provedAgo(14);
    expect((await send(guarded, { headers })).status).toBe(201);
    await provedAgo(16);
    const refused = await send(guarded, { headers });
    expect(refused.status).toBe(403);
    expect((await errorOf(refused)).metadata).toEqual({ reason: "reauthentication_required" });
    expect((await send(things, { headers })).status).toBe(201);
    expect((await send(guarded, { headers: await keyOf(world) })).status).toBe(201);
  });

  it("is ignored beside a bearer key, valid or not", async () => {
    const world = await testWorld();
    const cookie = await cookieOf(world);
    expect((await send(things, { headers: { ...cookie, ...(await keyOf(world)) } })).status).toBe(201);
    expect((await send(things, { headers: { ...cookie, ...bearer("x".repeat(40)), origin: HOST } })).status).toBe(401);
  });

  it("can only be started from a page of this host", async () => {
    const open = handle({ ...thing, access: "public", sameOrigin: true }, (_, { body }) =>
      Promise.resolve({ data: { id: ID, revision: 1, ...body } }),
    );
    expect((await send(open)).status).toBe(403);
    expect((await send(open, { headers: { origin: HOST } })).status).toBe(201);
  });
});

describe("a repeated read", () => {
  const { body: _, idempotent: __, etag, ...reading } = { ...thing, method: "GET", status: 200 } as const;
  const data = { id: ID, revision: 1, name: "a" };

  it.each([
    ["its revision", handle({ ...reading, etag }, () => Promise.resolve({ data })), /^"1"$/],
    ["its content", handle(reading, () => Promise.resolve({ data })), /^W\/"[\w-]{22}"$/],
  ])("is tagged with %s, and answered with 304 while it is the same", async (_tag, read, pattern) => {
    const headers = await keyOf(await testWorld());
    const first = await send(read, { method: "GET", headers });
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(pattern);
    const second = await send(read, { method: "GET", headers: { ...headers, "if-none-match": tag } });
    expect([second.status, await second.text(), second.headers.get("etag")]).toEqual([304, "", tag]);
    const other = await send(read, { method: "GET", headers: { ...headers, "if-none-match": '"0"' } });
    expect([other.status, await other.json()]).toEqual([200, { data }]);
  });
});

describe("the audit log", () => {
  const refusals = async (world: World, action: string) => {
    await drained(world.context.db);
    return world.context.db.auditEvent.findMany({ where: { action, organizationId: world.organizationId } });
  };

  it("counts what a caller is denied in one event per minute", async () => {
    const world = await testWorld();
    const { id, text } = await createKey(world, { kind: "inference" });
    for (let i = 0; i < 5; i++) await send(things, { headers: bearer(text) });
    expect(await refusals(world, "access.deny")).toMatchObject([
      { actorType: "key", actorId: id, targetType: "operation", targetId: "createThing", after: { count: 5 } },
    ]);
  });

  it("counts invalid keys by network, in a bounded number of events", async () => {
    const world = await testWorld();
    // Events without an organization are recorded in the installation's first one.
    await world.context.db.organization.update({
      where: { id: world.organizationId },
      data: { createdAt: new Date(0) },
    });
    const from = (i: number) => ({ ...bearer("x".repeat(40)), "x-signalbox-client-address": `198.51.100.${i}` });
    for (let i = 0; i < 60; i++) await send(things, { headers: from(i) });
    await send(things, { headers: { "x-signalbox-client-address": "198.51.100.99" } });
    const events = await refusals(world, "key.reject");
    // The test may run across the end of a minute.
    expect(events.length).toBeLessThanOrEqual(42);
    expect(events.reduce((sum, { after }) => sum + (after as { count: number }).count, 0)).toBe(60);
    expect(events).toContainEqual(
      expect.objectContaining({ actorType: "anonymous", actorName: "198.51.100.1", ip: "198.51.100.1" }),
    );
    expect(events.map(({ actorName }) => actorName)).toContain("Other callers");
  });
});

describe("the input", () => {
  it("is rejected with every problem at once", async () => {
    const headers = await keyOf(await testWorld());
    const error = await errorOf(
      await send(things, {
        headers,
        query: "?size=10",
        body: JSON.stringify({ name: "", weight: "1", colour: 1, taste: 2 }),
      }),
    );
    expect(error.message).toMatch(/^Invalid request parameters: size: .* \(and 4 more\)$/);
    expect(error.metadata?.issues?.map(({ path }) => path)).toEqual([
      ["size"],
      ["name"],
      ["weight"],
      ["colour"],
      ["taste"],
    ]);
  });

  it("with a malformed path parameter is a 404", async () => {
    expect((await send(things, { headers: await keyOf(await testWorld()), id: "42" })).status).toBe(404);
  });

  const deep = (levels: number) => `{"name":"a","nested":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  it.each([
    ["malformed JSON", { body: '{"name":' }, 400],
    ["nothing", { body: "" }, 400],
    ["an array", { body: "[]" }, 400],
    ["a string", { body: '"a"' }, 400],
    ["null", { body: "null" }, 400],
    ["another content type", { headers: { "content-type": "text/plain" } }, 400],
    ["a content type with the same prefix", { headers: { "content-type": "application/json-patch+json" } }, 400],
    ["a content type with a charset", { headers: { "content-type": "application/json; charset=utf-8" } }, 201],
    ["NUL in a value", { body: '{"name":"a\\u0000"}' }, 400],
    ["NUL in a field name", { body: '{"name":"a","b\\u0000":1}' }, 400],
    ["NUL in a query", { query: "?size=%00" }, 400],
    ["an unpaired surrogate", { body: '{"name":"\\ud800"}' }, 400],
    ["invalid UTF-8", { body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) }, 400],
    ["64 levels and an unknown field", { body: deep(64) }, 400],
    ["65 levels", { body: deep(65) }, 400],
    ["__proto__", { body: '{"name":"a","__proto__":{"weight":1}}' }, 400],
    ["too many values", { body: `{"name":"a","nested":[${"[],".repeat(600)}[]]}` }, 400],
    ["too many bytes", { body: JSON.stringify({ name: "a".repeat(MAX_BODY_BYTES) }) }, 413],
  ] satisfies [string, Sent, number][])("of %s", async (_, sent, status) => {
    const world = await testWorld();
    const response = await send(things, {
      ...sent,
      headers: { ...(await keyOf(world)), ...("headers" in sent ? sent.headers : {}) },
    });
    expect(response.status).toBe(status);
    if (status !== 201)
      expect((await errorOf(response)).message).toMatch(
        status === 413 ? /exceeds the maximum of 10000 bytes/ : /^Invalid request parameters/,
      );
  });

  it("lists at most 100 problems and shortens long names", async () => {
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field_${index}`, index]));
    const headers = await keyOf(await testWorld());
    const { message, metadata } = await errorOf(
      await send(things, { headers, body: JSON.stringify({ ["x".repeat(5000)]: 1, name: "a", ...fields }) }),
    );
    expect([message.length < 400, message.endsWith("(and 150 more)"), metadata?.issues?.length]).toEqual([
      true,
      true,
      100,
    ]);
  });

  it("has as many bytes and values as its operation declares", async () => {
    const headers = await keyOf(await testWorld());
    const values = JSON.stringify({ name: "a", nested: Array<number>(2000).fill(1) });
    const problem = async (bodySize: "small" | "medium") =>
      (await errorOf(await send(handle({ ...thing, bodySize }, createThing), { headers, body: values }))).message;
    expect(await problem("small")).toMatch(/more than 1000 values/);
    expect(await problem("medium")).toMatch(/nested: unknown field/);
  });

  it("without a credential is read only within the rate limit of the client's address", async () => {
    stopClock();
    const open = handle({ ...thing, access: "public" }, (_, { body }) =>
      Promise.resolve({ data: { id: ID, revision: 1, ...body } }),
    );
    const headers = { "x-signalbox-client-address": "192.0.2.77" };
    for (let sent = 0; sent < RATE_LIMIT; sent += 1) expect((await send(open, { headers })).status).toBe(201);
    const refused = await send(open, { headers, body: new ReadableStream({}) });
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
    expect((await send(open, { headers: { "x-signalbox-client-address": "192.0.2.78" } })).status).toBe(201);
  });

  it("distinguishes 65 levels from an unknown field", async () => {
    const headers = await keyOf(await testWorld());
    expect((await errorOf(await send(things, { headers, body: deep(65) }))).message).toMatch(
      /nested deeper than 64 levels/,
    );
    expect((await errorOf(await send(things, { headers, body: deep(64) }))).message).toMatch(/nested: unknown field/);
  });

  it("of unknown length is read only up to the limit", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1000;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
    });
    expect((await send(things, { headers: await keyOf(await testWorld()), body: endless })).status).toBe(413);
    expect(pulled).toBeLessThan(2 * MAX_BODY_BYTES);
  });
});

describe("the response", () => {
  it("contains only the contract's fields, with ETag and request id", async () => {
    const response = await send(things, {
      headers: { ...(await keyOf(await testWorld())), "x-request-id": "trace-12345" },
    });
    expect(envelope(Thing.strict()).parse(await response.json()).data).toMatchObject({ name: "a", revision: 7 });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      etag: '"7"',
      "x-request-id": "trace-12345",
    });
  });

  it("passes the revisions of If-Match to the service", async () => {
    const seen: unknown[] = [];
    const spy = handle(thing, (context, input) => (seen.push(context.ifMatch), createThing(context, input)));
    const headers = await keyOf(await testWorld());
    for (const tag of ['"7"', '"1", "2"', "*", 'W/"7"']) await send(spy, { headers: { ...headers, "if-match": tag } });
    await send(spy, { headers });
    expect(seen).toEqual([[7], [1, 2], null, [], null]);
  });

  it.each([
    [
      "a result that breaks the contract",
      () => Promise.resolve({ data: { id: ID, name: "sb-key-v1-secret", revision: "7" as never } }),
    ],
    ["an unexpected error", () => Promise.reject(new Error("password=sb-key-v1-secret"))],
  ])("is a generic 500 after %s", async (_, run) => {
    const response = await send(handle(thing, run), { headers: await keyOf(await testWorld()) });
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"error":{"code":500,"message":"Internal Server Error"}}');
  });

  it("is a 409 for a duplicate in the database", async () => {
    const world = await testWorld();
    const duplicate = handle(thing, async (context) => {
      await context.db.workspace.create({
        data: {
          id: uuidv7(context.now),
          organizationId: context.caller.organizationId,
          name: "D",
          slug: "default",
          contentLogging: true,
        },
      });
      return { data: { id: ID, name: "a", revision: 1 } };
    });
    const error = await errorOf(await send(duplicate, { headers: await keyOf(world) }));
    expect(error).toEqual({ code: 409, message: "Resource conflict. Please try again later." });
  });
});

describe("Idempotency-Key", () => {
  const once = async (world: World) => ({ ...(await keyOf(world)), "idempotency-key": randomUUID() });

  it("replays the first response without repeating the work", async () => {
    const world = await testWorld();
    const headers = await once(world);
    const [first, second] = [await send(things, { headers }), await send(things, { headers })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect([first.headers.get("etag"), second.headers.get("etag")]).toEqual(['"7"', '"7"']);
    expect(await made(world)).toBe(1);
  });

  it("replays the same JSON with its keys in another order, nested ones too", async () => {
    const world = await testWorld();
    const service = handle({ ...thing, body: z.strictObject({ name: z.string(), more: z.json() }) }, createThing);
    const headers = await once(world);
    const statusOf = async (body: string) => (await send(service, { headers, body })).status;
    expect(await statusOf('{"name": "a", "more": [{"a": 1, "b": 2.0}]}')).toBe(201);
    expect(await statusOf('{"more":[{"b":2,"a":1}],"name":"\\u0061"}')).toBe(201);
    expect(await statusOf('{"name": "a", "more": [{"a": 2, "b": 1}]}')).toBe(409);
    expect(await made(world)).toBe(1);
  });

  it("is a 409 with another body, and independent per caller", async () => {
    const world = await testWorld();
    const headers = await once(world);
    await send(things, { headers });
    expect((await send(things, { headers, body: JSON.stringify({ name: "b" }) })).status).toBe(409);
    expect(
      (await send(things, { headers: { ...headers, ...(await keyOf(world)) }, body: JSON.stringify({ name: "b" }) }))
        .status,
    ).toBe(201);
  });

  it("creates one thing for 12 parallel requests", async () => {
    const world = await testWorld();
    const headers = await once(world);
    const responses = await Promise.all(Array.from({ length: 12 }, () => send(things, { headers })));
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const answers = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(answers).size).toBe(1);
    expect(await made(world)).toBe(1);
  });

  it("stores no failure and rolls back the work", async () => {
    const world = await testWorld();
    const headers = await once(world);
    const failing = handle(thing, async (context, input) => {
      await createThing(context, input);
      throw conflict();
    });
    expect((await send(failing, { headers })).status).toBe(409);
    expect([
      await made(world),
      await world.context.db.idempotencyRecord.count({ where: { key: headers["idempotency-key"] } }),
    ]).toEqual([0, 0]);
    expect((await send(things, { headers })).status).toBe(201);
  });

  it("stores the response encrypted, for 24 hours", async () => {
    const world = await testWorld();
    const headers = await once(world);
    const find = { where: { key: headers["idempotency-key"] } };
    await send(things, { headers, body: JSON.stringify({ name: "visible" }) });
    expect(JSON.stringify(await world.context.db.idempotencyRecord.findFirst(find))).not.toContain("visible");
    await world.context.db.idempotencyRecord.updateMany({
      ...find,
      data: { createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000 - 1) },
    });
    const again = await send(things, { headers, body: JSON.stringify({ name: "new" }) });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, null]);
  });

  it("has at most 255 characters", async () => {
    const headers = await keyOf(await testWorld());
    expect((await send(things, { headers: { ...headers, "idempotency-key": "x".repeat(255) } })).status).toBe(201);
    expect((await send(things, { headers: { ...headers, "idempotency-key": "x".repeat(256) } })).status).toBe(400);
  });
});
