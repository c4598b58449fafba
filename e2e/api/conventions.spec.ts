import assert from "node:assert/strict";
import { createGuardrail, getGuardrail, listGuardrails, updateGuardrail } from "../../lib/records/guardrails/contract";
import { updateKey, deleteKey } from "../../lib/records/keys/contract";
import { listModels } from "../../lib/records/models/contract";
import { listUserModels } from "../../lib/records/models/lookup-contract";
import { operations } from "../../lib/server/operations";
import { readRefusal, type SendOptions } from "../api-client";
import { forEachOperation } from "../each-operation";
import { expect, test } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { exampleParams } from "../unknown-things";

const authorized = { authorization: `Bearer ${MANAGEMENT_KEY}` };
const json = { ...authorized, "content-type": "application/json" };

const shapeOf = (schema: object): object =>
  "shape" in schema && typeof schema.shape === "object" && schema.shape ? schema.shape : {};

test.describe("paths and methods", () => {
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/guardrails/", "/v1/guardrails/x/y/z", "/v1/%00", "/v1/%ff"]) {
    test(`${path} is 404 in the error body`, async ({ serverUrl }) => {
      expect(await readRefusal(await fetch(serverUrl + path, { headers: authorized }))).toMatchObject({ status: 404 });
    });
  }

  test("every path returns 405 and Allow for other methods", async ({ serverUrl }) => {
    const paths = operations.filter(
      ({ path }, index) => operations.findIndex((other) => other.path === path) === index,
    );
    await forEachOperation(paths, async ({ path }) => {
      const allowed = operations.filter((operation) => operation.path === path).map(({ method }) => method);
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleParams[name] ?? name);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
        (one) => !allowed.some((other) => other === one),
      )) {
        const { status, headers } = await readRefusal(
          await fetch(`${serverUrl}/v1${filled}`, { method, headers: authorized }),
          path.startsWith("/scim/") ? "scim" : undefined,
        );
        assert.equal(status, 405, method);
        const allow = headers.get("allow")?.split(", ") ?? [];
        for (const one of allowed) assert.ok(allow.includes(one), `${one} isn't in Allow`);
        assert.ok(!allow.includes(method), `${method} is in Allow`);
      }
    });
  });
});

test.describe("authentication", () => {
  const answer = async (serverUrl: string, authorization: string) =>
    readRefusal(await fetch(`${serverUrl}/v1/guardrails`, { headers: { authorization } }));

  test("no key: Missing Authentication header", async ({ api }) => {
    expect(await api.refuse(listGuardrails, 401, {}, { as: null })).toMatchObject({
      message: "Missing Authentication header",
    });
  });

  for (const authorization of [
    "Bearer",
    "Bearer ",
    "Basic abc",
    `Bearer ${MANAGEMENT_KEY}x`,
    "Bearer sb-mgmt-v1-short",
    `Token ${MANAGEMENT_KEY}`,
  ]) {
    test(`"${authorization}": Invalid credentials`, async ({ serverUrl }) => {
      expect(await answer(serverUrl, authorization)).toMatchObject({ status: 401, message: "Invalid credentials" });
    });
  }

  test("mistyped, disabled, expired and deleted keys are indistinguishable", async ({ api, world, serverUrl }) => {
    const [typo, disabled, expired, deleted] = await Promise.all(
      Array.from({ length: 4 }, () => world.managementKey()),
    );
    if (!typo || !disabled || !expired || !deleted) throw new Error("four keys");
    await api.call(updateKey, { params: { hash: disabled.hash }, body: { disabled: true } });
    // On a slow machine, the time may have passed before the change.
    await expect(async () => {
      const body = { expires_at: new Date(Date.now() + 1000).toISOString() };
      await api.call(updateKey, { params: { hash: expired.hash }, body });
    }).toPass();
    await api.call(deleteKey, { params: { hash: deleted.hash } });
    await expect.poll(async () => (await api.send(listGuardrails, {}, { as: expired.text })).status).toBe(401);
    const swapped = typo.text.slice(0, -1) + (typo.text.endsWith("a") ? "b" : "a");
    for (const text of [swapped, disabled.text, expired.text, deleted.text]) {
      expect(await answer(serverUrl, `Bearer ${text}`)).toMatchObject({ status: 401, message: "Invalid credentials" });
    }
  });
});

test.describe("request ids", () => {
  test("a valid one is used, an invalid one is replaced", async ({ api }) => {
    const idOf = async (given: string) => {
      const answer = await api.send(listGuardrails, {}, { headers: { "x-request-id": given } });
      return answer.headers.get("x-request-id");
    };
    expect(await idOf("trace-0123456789")).toBe("trace-0123456789");
    expect(await idOf("<script>")).toMatch(/^req-/);
    expect(await idOf("a".repeat(500))).toMatch(/^req-/);
  });

  test("a valid one is used for requests that no operation handles", async ({ serverUrl }) => {
    const idOf = async (path: string, method = "GET") => {
      const answer = await fetch(`${serverUrl}${path}`, { method, headers: { "x-request-id": "trace-0123456789" } });
      return [answer.status, answer.headers.get("x-request-id")];
    };
    expect(await idOf("/v1/nothing")).toEqual([404, "trace-0123456789"]);
    expect(await idOf("/v1/guardrails", "DELETE")).toEqual([405, "trace-0123456789"]);
    expect(await idOf("/metrics")).toEqual([401, "trace-0123456789"]);
    expect(await idOf("//v1")).toEqual([400, "trace-0123456789"]);
  });
});

test.describe("entity tags", () => {
  test("If-Match with an older revision returns 412 without changes", async ({ api, world }) => {
    const { id } = await world.guardrail({ description: "first" });
    const params = { id };
    const read = await api.send(getGuardrail, { params });
    expect(read.headers.get("etag")).toBe('"1"');
    const patch = (description: string, options: SendOptions) =>
      api.send(updateGuardrail, { params, body: { description } }, options);
    expect((await patch("second", { headers: { "if-match": '"1"' } })).headers.get("etag")).toBe('"2"');
    for (const tag of ['"1"', '"nonsense"', 'W/"2"']) {
      const stale = { params, body: { description: "lost" } };
      expect(await api.refuse(updateGuardrail, 412, stale, { headers: { "if-match": tag } })).toMatchObject({
        metadata: { current_revision: 2 },
      });
    }
    expect((await api.call(getGuardrail, { params })).data.description).toBe("second");
    for (const tag of ["*", '"1", "2"'])
      expect((await patch(tag, { headers: { "if-match": tag } })).status, tag).toBe(tag === "*" ? 200 : 412);
  });

  test("one of eight concurrent writers with the same tag wins", async ({ api, world }) => {
    const { id } = await world.guardrail();
    const writes = Array.from({ length: 8 }, (_, index) =>
      api.send(
        updateGuardrail,
        { params: { id }, body: { description: String(index) } },
        { headers: { "if-match": '"1"' } },
      ),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(7).fill(412)]);
  });
});

test.describe("bodies", () => {
  const nested = (depth: number) => `{"name":"x","description":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  const rows: readonly [
    what: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
    status: number,
  ][] = [
    ["broken JSON", '{"name":', json, 400],
    ["an empty body", "", json, 400],
    ["an array", "[]", json, 400],
    ["a string", '"text"', json, 400],
    ["null", "null", json, 400],
    ["no content type", '{"name":"x"}', authorized, 400],
    ["a form", "name=x", { ...authorized, "content-type": "application/x-www-form-urlencoded" }, 400],
    ["JSON under a text type", '{"name":"x"}', { ...authorized, "content-type": "text/plain" }, 400],
    [
      "a type that only begins like JSON's",
      '{"name":"x"}',
      { ...authorized, "content-type": "application/json5" },
      400,
    ],
    ["NUL", '{"name":"a\\u0000b"}', json, 400],
    ["a lone surrogate", '{"name":"\\ud800"}', json, 400],
    ["invalid UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400],
    ["65 levels", nested(65), json, 400],
    ["a field named __proto__", '{"name":"x","__proto__":{"a":1}}', json, 400],
    ["a field named constructor", '{"name":"x","constructor":{"prototype":1}}', json, 400],
    ["more than 8 MiB", JSON.stringify({ name: "x".repeat(8 * 1024 * 1024) }), json, 413],
  ];
  for (const [what, body, headers, status] of rows) {
    test(`${what} is ${status}`, async ({ serverUrl }) => {
      const refusal = await readRefusal(await fetch(`${serverUrl}/v1/guardrails`, { method: "POST", headers, body }));
      expect(refusal).toMatchObject({ status });
    });
  }

  test("nesting of 64 levels is accepted, 65 is rejected", async ({ serverUrl }) => {
    const at = async (depth: number) =>
      readRefusal(await fetch(`${serverUrl}/v1/guardrails`, { method: "POST", headers: json, body: nested(depth) }));
    expect((await at(64)).metadata["issues"]).toEqual([expect.objectContaining({ path: ["description"] })]);
    expect((await at(65)).message).toContain("64");
  });

  test("a charset in the content type is accepted", async ({ api, world }) => {
    const body = { name: "x", workspace_id: world.workspaceId };
    const answer = await api.send(
      createGuardrail,
      { body },
      { headers: { "content-type": "application/json; charset=utf-8" } },
    );
    expect(answer.status).toBe(201);
  });
});

test("unknown query parameters are a 400 that names all of them", async ({ serverUrl }) => {
  const issues = expect.arrayContaining(
    ["limt", "sorted"].map((name) => expect.objectContaining({ path: [name], message: "unknown query parameter" })),
  );
  const answers = await Promise.all(
    operations
      .filter(({ method, body, params }) => method === "GET" && !body && !params)
      .map(async ({ path }) => fetch(`${serverUrl}/v1${path}?limt=1&sorted=up`, { headers: authorized })),
  );
  const allowed = answers.filter(({ status }) => status !== 401 && status !== 403);
  expect(allowed.length).toBeGreaterThan(20);
  for (const answer of allowed)
    expect(await readRefusal(answer), answer.url).toMatchObject({ status: 400, metadata: { issues } });
});

test.describe("lists", () => {
  const paged = operations.filter(
    ({ method, query, params }) => method === "GET" && query && !params && "offset" in shapeOf(query),
  );
  /** Lists of the catalogue, with up to 1,000 entries. */
  const LONG = new Set<string>([listModels.id, listUserModels.id]);
  const refused = [
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=1.5",
    "limit=1e1",
    "limit=",
    "limit=ten",
    "limit=5&limit=6",
    "offset=-1",
    "offset=0x1",
    "offset=",
  ];
  test("validate limit and offset", async ({ serverUrl }) => {
    await forEachOperation(paged, async ({ id, path }) => {
      const get = (query: string) => fetch(`${serverUrl}/v1${path}?${query}`, { headers: authorized });
      for (const query of [...refused, ...(LONG.has(id) ? [] : ["limit=101"])]) {
        const { status, message } = await readRefusal(await get(query));
        assert.equal(status, 400, query);
        assert.match(message, /^Invalid request parameters/, query);
      }
      for (const query of ["limit=1", "limit=100", "offset=0", "offset=2147483648", "offset=9007199254740991"])
        assert.equal((await get(query)).status, 200, query);
    });
  });
});
