import assert from "node:assert/strict";
import { getOpenApiDocument } from "../../lib/server/docs/contract";
import { exchangeToken } from "../../lib/records/workload-identities/token-contract";
import { alternatives, operations } from "../../lib/server/operations";
import { everyNth } from "../../lib/testing/random";
import { readRefusal } from "../api-client";
import { expect, test } from "../fixtures";
import { forEachOperation } from "../each-operation";
import { createForeignOrganization } from "../foreign-organization";
import { acceptable, operationsOnOneThing } from "../unknown-things";

const MALFORMED_IDS = [
  "0",
  "not an id",
  "../guardrails",
  "%",
  "019aa000-0000-7000-8000-00000000000G",
  "🦊",
  "a".repeat(5000),
];

const everyOperation = [...operations, ...alternatives];
const guarded = everyOperation.filter(({ access }) => access !== "public");

test("every operation except the OpenAPI document and the exchange of a token requires authentication", () => {
  expect(everyOperation.filter(({ access }) => access === "public")).toEqual([exchangeToken, getOpenApiDocument]);
});

test("without a key, every operation is 401", async ({ api }) => {
  await forEachOperation(guarded, (operation) => api.refuse(operation, 401, acceptable(operation), { as: null }));
});

test("with an inference key, every operation of managers and members is 403", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const managed = guarded.filter(({ access }) => access === "management" || access === "member");
  await forEachOperation(managed, async (operation) => {
    const { message } = await api.refuse(operation, 403, acceptable(operation), { as: text });
    assert.equal(message, "Only management keys can perform this operation");
  });
});

test("with a management key, every operation of inference is 403", async ({ api }) => {
  const called = guarded.filter(({ access }) => access === "inference");
  await forEachOperation(called, (operation) => api.refuse(operation, 403, acceptable(operation)));
});

test("with a key, every operation of directories is 401", async ({ api }) => {
  const scim = guarded.filter(({ access }) => access === "scim");
  await forEachOperation(scim, async (operation) => {
    const { message } = await api.refuse(operation, 401, acceptable(operation));
    assert.equal(message, "Invalid credentials");
  });
});

test("with a key, every operation of console sessions is 403", async ({ api }) => {
  const own = guarded.filter(({ access }) => access === "session");
  await forEachOperation(own, async (operation) => {
    const { message } = await api.refuse(operation, 403, acceptable(operation));
    assert.equal(message, "Only console sessions can perform this operation");
  });
});

test("every operation on an unknown object is 404", async ({ api }) => {
  await forEachOperation(operationsOnOneThing, async (operation) => {
    const { message } = await api.refuse(operation, 404, acceptable(operation));
    assert.equal(message, "Resource not found");
  });
});

test("every operation on a malformed id is 404", async ({ api }) => {
  const named = operationsOnOneThing.filter(({ path }) => path.includes("{"));
  await forEachOperation(named, async (operation) => {
    const accepted = acceptable(operation);
    for (const malformed of everyNth(3, MALFORMED_IDS)) {
      const params = Object.fromEntries(Object.keys(accepted.params ?? {}).map((name) => [name, malformed]));
      const { message } = await api.refuse(operation, 404, { ...accepted, params });
      assert.equal(message, "Resource not found", malformed.slice(0, 40));
    }
  });
});

test.describe("another organization", () => {
  test("its objects are indistinguishable from objects that don't exist", async ({ api }) => {
    const theirs = await createForeignOrganization(api);
    for (const operation of operationsOnOneThing) {
      const accepted = acceptable(operation);
      const { params, query } = theirs.namesOf(operation.path);
      const named = { ...accepted, params: { ...accepted.params, ...params }, query: { ...accepted.query, ...query } };
      expect(named, operation.path).not.toEqual(accepted);
      const [foreign, unknown] = await Promise.all([
        api.send(operation, named).then((answer) => readRefusal(answer, operation.errorFormat)),
        api.send(operation, accepted).then((answer) => readRefusal(answer, operation.errorFormat)),
      ]);
      // The response echoes the requested ID.
      const metadata = "key_hash" in unknown.metadata ? { key_hash: query?.["key_hash"] } : unknown.metadata;
      expect({ ...foreign, headers: null }, operation.id).toEqual({ ...unknown, metadata, headers: null });
      expect(foreign.status).toBe(404);
    }
    await theirs.assertUntouched();
  });

  test("neither organization sees the other's objects in lists", async ({ api, world }) => {
    const theirs = await createForeignOrganization(api);
    await world.guardrail();
    const lists = everyOperation.filter(
      ({ method, path, access }) =>
        method === "GET" && !path.includes("{") && (access === "management" || access === "any"),
    );
    const { slug: theirModel = "" } = theirs.namesOf("/models/{slug}").params;
    for (const operation of lists.filter((one) => !operationsOnOneThing.includes(one))) {
      const { query } = acceptable(operation);
      const answers = await Promise.all([api.send(operation, { query }), theirs.api.send(operation, { query })]);
      expect(
        answers.map(({ status }) => status),
        operation.id,
      ).toEqual([200, 200]);
      const [ours = "", other = ""] = await Promise.all(answers.map((answer) => answer.text()));
      expect(ours, operation.id).not.toContain(theirs.organizationId);
      expect(ours, operation.id).not.toContain(theirs.world.workspaceId);
      expect(ours, operation.id).not.toContain(theirModel);
      expect(other, operation.id).not.toContain(world.workspaceId);
    }
  });
});
