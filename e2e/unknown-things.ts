import { alternatives, operations } from "../lib/server/operations";
import type { Operation } from "../lib/platform/http/operation";
import type { LooselySent } from "./api-client";

/** Well-formed identifiers of nonexistent objects, by path parameter. */
export const exampleParams: Readonly<Record<string, string>> = {
  id: "019aa000-0000-7000-8000-000000000000",
  hash: "0".repeat(64),
  slug: "there-is-no-such-thing",
  label: "prod",
  version: "1",
  n: "1",
  test_id: "019aa000-0000-7000-8000-000000000001",
  delivery_id: "019aa000-0000-7000-8000-000000000002",
  connection_id: "019aa000-0000-7000-8000-000000000003",
  user_id: "user_000000000000000000000000",
};

const UNKNOWN_GENERATION = { id: "gen-1700000000-00000000000000000000" };

/** Query that identifies the object of an operation without path parameters. */
const namedByQuery: Readonly<Record<string, Record<string, string>>> = {
  "/generation": UNKNOWN_GENERATION,
  "/generation/content": UNKNOWN_GENERATION,
  "/generation/neighbours": UNKNOWN_GENERATION,
  "/generation/policy": UNKNOWN_GENERATION,
  "/policy/effective": { key_hash: "0".repeat(64) },
};

/** Required query of lists. */
const queryOfLists: typeof namedByQuery = {
  "/generations/previews": UNKNOWN_GENERATION,
  "/audit-events/counts": { from: new Date(Date.now() - 60_000).toISOString() },
};

/** Returns valid input of an operation that names nonexistent objects. */
export function acceptable(operation: Operation): LooselySent {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    params: Object.fromEntries(names.map((name) => [name, exampleParams[name] ?? name])),
    query: namedByQuery[operation.path] ?? queryOfLists[operation.path] ?? {},
    ...(operation.body ? { body: operation.example?.body ?? {} } : {}),
  };
}

/** Operations of keys (not of directories) on one existing object, identified by path or query. */
export const operationsOnOneThing = [...operations, ...alternatives].filter(
  ({ path, access, invalidParams }) =>
    access !== "session" &&
    access !== "scim" &&
    ((path.includes("{") && invalidParams !== 400) || path in namedByQuery),
);
