import { beforeAll, describe, expect, it, vi } from "vitest";
import { newKeyText, keyHash, keyLabel } from "../platform/key-text";
import { newUserId, uuidv7 } from "../platform/ids";
import * as contract from "../records/scim/contract";
import * as discovery from "../records/scim/discovery-service";
import * as groups from "../records/scim/groups-service";
import * as users from "../records/scim/users-service";
import * as keys from "../records/keys/contract";
import * as keysService from "../records/keys/service";
import { createKey } from "../testing/factories";
import * as okta from "../testing/okta-requests";
import { testDatabase, testWorld, type World } from "../testing/test-context";
import { handle, type RouteHandler } from "./handle";

const HOST = "http://signalbox.test";
const BASE = `${HOST}/v1/scim/v2`;
const ERROR = ["urn:ietf:params:scim:api:messages:2.0:Error"];

const handlers = {
  "GET /Users": handle(contract.listUsers, users.list),
  "POST /Users": handle(contract.createUser, users.create),
  "GET /Users/{id}": handle(contract.getUser, users.get),
  "PUT /Users/{id}": handle(contract.replaceUser, users.replace),
  "PATCH /Users/{id}": handle(contract.patchUser, users.patch),
  "DELETE /Users/{id}": handle(contract.deleteUser, users.remove),
  "POST /Groups": handle(contract.createGroup, groups.create),
  "PUT /Groups/{id}": handle(contract.replaceGroup, groups.replace),
  "PATCH /Groups/{id}": handle(contract.patchGroup, groups.patch),
  "DELETE /Groups/{id}": handle(contract.deleteGroup, groups.remove),
  "GET /Me": handle(contract.getMe, discovery.me),
  "GET /Schemas": handle(contract.listSchemas, discovery.schemas),
  "GET /Schemas/{id}": handle(contract.getSchema, discovery.schema),
  "GET /ResourceTypes/{id}": handle(contract.getResourceType, discovery.resourceType),
  "GET /ResourceTypes": handle(contract.listResourceTypes, discovery.resourceTypes),
  "GET /ServiceProviderConfig": handle(contract.getServiceProviderConfig, discovery.serviceProviderConfig),
} as const satisfies Record<string, RouteHandler>;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

async function tokenOf({ context, organizationId }: World): Promise<string> {
  const text = newKeyText("scim");
  await context.db.scimToken.create({
    data: { id: uuidv7(new Date()), organizationId, hash: keyHash(text), label: keyLabel(text), name: "Okta" },
  });
  return text;
}

interface Sent {
  id?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends requests with a token, and reads their responses. */
const directory =
  (token: string | null) =>
  async (name: keyof typeof handlers, { id, query = "", body, headers = {} }: Sent = {}) => {
    const [method = "", path = ""] = name.split(" ");
    const request = new Request(`${BASE}${path.replace("{id}", id ?? "")}${query}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/scim+json; charset=utf-8" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const response = await handlers[name](request, { params: id === undefined ? {} : { id } });
    const text = await response.text();
    if (text !== "") expect(response.headers.get("content-type")).toBe("application/scim+json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> & {
        id: string;
        meta: { version: string };
      },
    };
  };

async function open() {
  const world = await testWorld();
  return { world, scim: directory(await tokenOf(world)) };
}

const user = () => ({ userName: `grace-${uuidv7(new Date())}@example.com` });

describe("SCIM over HTTP", () => {
  it("creates, reads, changes and deletes with the standard's statuses and headers", async () => {
    const { scim } = await open();
    const created = await scim("POST /Users", { body: okta.createUser(user().userName) });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.headers.get("location")).toBe(`${BASE}/Users/${id}`);
    const etag = created.headers.get("etag") ?? "";
    expect(etag).toBe(created.body.meta.version);
    expect(created.text).not.toContain("1mz050nq");
    const read = await scim("GET /Users/{id}", { id });
    expect([read.status, read.headers.get("etag"), read.body]).toEqual([200, etag, created.body]);
    const known = await scim("GET /Users/{id}", { id, headers: { "if-none-match": etag } });
    expect([known.status, known.text]).toEqual([304, ""]);
    const changed = await scim("PATCH /Users/{id}", { id, body: okta.deactivate, headers: { "if-match": etag } });
    expect([changed.status, changed.body["active"]]).toEqual([200, false]);
    const stale = await scim("PUT /Users/{id}", { id, body: user(), headers: { "if-match": etag } });
    expect(stale).toMatchObject({ status: 412, body: { schemas: ERROR, status: "412" } });
    const group = await scim("POST /Groups", { body: okta.createGroup("Ops") });
    const filled = await scim("PATCH /Groups/{id}", { id: group.body.id, body: okta.replaceMembers(id) });
    expect([filled.status, filled.text]).toEqual([204, ""]);
    const same = { id: group.body.id, body: okta.replaceMembers(id), query: "?excludedAttributes=members" };
    expect((await scim("PATCH /Groups/{id}", same)).status).toBe(204);
    expect(filled.headers.get("etag")).not.toBe(group.headers.get("etag"));
    const listed = await scim("GET /Users", { query: `?filter=${encodeURIComponent(`id eq "${id}"`)}&count=500` });
    expect(listed.body).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: 1,
      Resources: [{ id, active: false, groups: [{ value: group.body.id, display: "Ops" }] }],
    });
    expect((await scim("DELETE /Groups/{id}", { id: group.body.id })).status).toBe(204);
    expect(await scim("DELETE /Users/{id}", { id })).toMatchObject({ status: 204, text: "" });
    expect(await scim("GET /Users/{id}", { id })).toMatchObject({
      status: 404,
      body: { schemas: ERROR, status: "404", detail: "Resource not found" },
    });
  });

  it("describes itself", async () => {
    const { scim } = await open();
    expect((await scim("GET /ServiceProviderConfig")).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
      meta: { location: `${BASE}/ServiceProviderConfig` },
    });
    expect((await scim("GET /ResourceTypes")).body).toMatchObject({
      totalResults: 2,
      Resources: [
        { id: "User", endpoint: "/Users" },
        { id: "Group", endpoint: "/Groups" },
      ],
    });
    const { body } = await scim("GET /Schemas");
    const attributes = (body["Resources"] as { attributes: { name: string }[] }[]).map(
      (one) => one.attributes[0]?.name,
    );
    expect(attributes).toEqual(["userName", "displayName"]);
    const id = "urn:ietf:params:scim:schemas:core:2.0:Group";
    expect((await scim("GET /Schemas/{id}", { id })).body).toMatchObject({ id, name: "Group" });
    expect((await scim("GET /ResourceTypes/{id}", { id: "User" })).body).toMatchObject({ endpoint: "/Users" });
    expect((await scim("GET /ResourceTypes/{id}", { id: "Device" })).status).toBe(404);
    for (const name of ["GET /Schemas", "GET /ResourceTypes", "GET /ServiceProviderConfig"] as const)
      expect((await scim(name, { query: "?startIndex=1&count=10&sortBy=id" })).status, name).toBe(200);
    expect((await scim("GET /Schemas/{id}", { id, query: "?attributes=name" })).status).toBe(200);
    expect(await scim("GET /Me")).toMatchObject({ status: 501, body: { schemas: ERROR, status: "501" } });
  });

  it("accepts a group with more members than a list of other objects may have", async () => {
    const { world, scim } = await open();
    const { db } = world.context;
    const members = Array.from({ length: 4_000 }, (_, index) => ({
      id: newUserId(),
      organizationId: world.organizationId,
      email: `${world.organizationId}-${index}@example.com`,
    }));
    await db.member.createMany({ data: members });
    const { body } = await scim("POST /Groups", { body: okta.createGroup("Everybody") });
    const all = okta.updateGroup(body.id, "Everybody", ...members.map(({ id }) => id));
    expect((await scim("PUT /Groups/{id}", { id: body.id, body: all })).status).toBe(200);
    expect(await db.groupMember.count({ where: { groupId: body.id } })).toBe(4_000);
  });

  it("accepts application/json, and reports errors in the standard's shape", async () => {
    const { scim } = await open();
    const json = { "content-type": "application/json" };
    expect((await scim("POST /Users", { body: user(), headers: json })).status).toBe(201);
    const taken = user();
    await scim("POST /Users", { body: taken });
    const table: [sent: Sent, status: number, scimType: string | undefined][] = [
      [{ body: taken }, 409, "uniqueness"],
      [{ body: { userName: "nobody" } }, 400, "invalidValue"],
      [{ body: { userName: 1 } }, 400, "invalidValue"],
      [{ body: "{" }, 400, "invalidSyntax"],
      [{ body: user(), headers: { "content-type": "text/plain" } }, 400, "invalidSyntax"],
      [{ body: { ...user(), padding: "x".repeat(1024 * 1024) } }, 413, undefined],
    ];
    for (const [sent, status, scimType] of table) {
      const { status: given, body } = await scim("POST /Users", sent);
      expect([given, body["scimType"]], JSON.stringify(sent).slice(0, 80)).toEqual([status, scimType]);
      expect(body).toMatchObject({ schemas: ERROR, status: String(status) });
    }
    expect((await scim("GET /Users", { query: "?filter=nonsense" })).body["scimType"]).toBe("invalidFilter");
    expect((await scim("GET /Users", { query: "?nonsense=1" })).status).toBe(400);
    expect((await scim("GET /Users/{id}", { id: "../x" })).status).toBe(404);
  });

  it("needs a token, which can do nothing else", async () => {
    const world = await testWorld();
    const token = await tokenOf(world);
    const { text: key } = await createKey(world, { kind: "management" });
    for (const given of [null, key, newKeyText("scim"), `${token.slice(0, -1)}x`, "nonsense"]) {
      const { status, body, headers } = await directory(given)("GET /Users");
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(body).toMatchObject({ schemas: ERROR, status: "401" });
    }
    const others = handle(keys.listKeys, keysService.list);
    const answer = await others(new Request(`${HOST}/v1/keys`, { headers: { authorization: `Bearer ${token}` } }), {
      params: {},
    });
    expect(answer.status).toBe(401);
  });
});
