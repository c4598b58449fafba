import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { beforeAll, expect, it, vi } from "vitest";
import type { Operation } from "../platform/http/operation";
import { createKey } from "../testing/factories";
import { createGeneration } from "../testing/generations";
import { isOfOperation, readAcrossOrganizations } from "../testing/statements";
import { testDatabase, testWorld } from "../testing/test-context";
import { createSandbox } from "./bootstrap";
import { createDispatcher } from "./dispatch.mjs";
import { operations } from "./operations";
import type { Handlers } from "./routes.mjs";

const HOST = "http://signalbox.test";
const APP = fileURLToPath(new URL("../../app", import.meta.url));
const { call } = createDispatcher(
  readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(`${sep}route.ts`))
    .map((path) => ({
      segments: dirname(path).split(sep),
      handlers: () => import(join(APP, path)) as Promise<Handlers>,
    })),
);

const query = vi.spyOn(pg.Client.prototype, "query");
/** Texts of the statements since `query.mockClear()`. */
const texts = () =>
  query.mock.calls
    .map(([call]: unknown[]) => (typeof call === "string" ? call : (call as { text: string }).text))
    .filter(isOfOperation);
/** Texts of all statements that operations sent. */
const sent = new Set<string>();

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

/**
 * Lists whose rows have spend by day and balances of budgets or limits with the names of their subjects, lists that record who
 * has read contents, and lists of a directory, whose token is looked up.
 */
const MORE: Record<string, number> = {
  listKeys: 3,
  listBudgets: 5,
  listLimits: 3,
  listLimitSubjects: 4,
  listGenerationContent: 3,
  listGenerationPreviews: 4,
  listScimUsers: 3,
  listScimGroups: 4,
};

it("reads each list with at most two statements, and a guardrail with one", async () => {
  const world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, new Date());
  const { text } = await createKey(world, { kind: "management", role: "owner" });
  const send = async (method: string, path: string, body?: object, token = text) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    query.mockClear();
    const response = await call(
      new Request(`${HOST}/v1${path}`, { method, headers, body: body ? JSON.stringify(body) : null }),
    );
    for (const text of texts()) sent.add(text);
    const answer = (await response.json()) as { data: { id: string; hash: string }; token?: string };
    expect(response.status, `${method} ${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
    return { ...answer.data, token: answer.token };
  };
  const { hash } = await send("POST", "/keys", { name: "k", limit: 5, limit_reset: "daily" });
  const { id: guardrail } = await send("POST", "/guardrails", {
    name: "Strict",
    limit_usd: 5,
    reset_interval: "daily",
  });
  await send("POST", `/guardrails/${guardrail}/assignments/keys`, { key_hashes: [hash] });
  await send("POST", `/guardrails/${guardrail}/assignments/members`, { member_user_ids: [world.adminId] });
  await send("PATCH", `/guardrails/${guardrail}/thresholds`, { percents: [50] });
  const { id: group } = await send("POST", "/organization/groups", { name: "Team" });
  const { id: webhook } = await send("POST", "/webhooks", { url: "https://example.com/hook", events: ["key.created"] });
  const { id: delivery } = await send("POST", `/webhooks/${webhook}/test`);
  const { id: alert } = await send("POST", "/alerts", {
    name: "Errors",
    kind: "error_rate",
    threshold: 5,
    webhook_ids: [webhook],
  });
  await send("POST", `/alerts/${alert}/test`);
  const limited = { name: "Key", subject_type: "key", subject_ids: [hash], metric: "spend", amount: 5 };
  const { id: limit } = await send("POST", "/limits", limited);
  const { id: destination } = await send("POST", "/export-destinations", {
    name: "Collector",
    kind: "otlp",
    otlp: { url: "https://otel.example.com/v1/traces" },
  });
  await send("POST", "/presets/coder/chat/completions", {
    model: "sandbox/echo",
    messages: [{ role: "user", content: "x" }],
  });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id: exception } = await send("POST", "/exceptions", {
    kind: "raise_limit",
    key_hash: hash,
    raise_usd: 1,
    reason: "test",
    expires_at,
  });
  const generation = await createGeneration(world, { content: {} });
  const { token: directory } = await send("POST", "/organization/scim-tokens", { name: "Directory" });
  const pathOf = ({ path }: Operation) =>
    path
      .replace("/guardrails/{id}", `/guardrails/${guardrail}`)
      .replace("/webhooks/{id}", `/webhooks/${webhook}`)
      .replace("/alerts/{id}", `/alerts/${alert}`)
      .replace("/limits/{id}", `/limits/${limit}`)
      .replace("/export-destinations/{id}", `/export-destinations/${destination}`)
      .replace("{delivery_id}", delivery)
      .replace("/exceptions/{id}", `/exceptions/${exception}`)
      .replace("/groups/{id}", `/groups/${group}`)
      .replace("/workspaces/{id}", `/workspaces/${world.workspaceId}`)
      .replace("/presets/{slug}", "/presets/coder")
      .replace("/providers/{slug}", "/providers/sandbox")
      .replace("/models/{slug}", "/models/sandbox%2Fecho")
      .replace("{hash}", hash)
      .replace("{user_id}", world.adminId)
      .replace(/\{(n|version)\}/, "1") + (/^\/generation(\/|$|s\/previews)/.test(path) ? `?id=${generation}` : "");
  const reads = operations.filter(
    ({ id, method, access }) =>
      method === "GET" && access !== "any" && access !== "session" && (id.startsWith("list") || id === "getGuardrail"),
  );
  expect(reads.length).toBeGreaterThan(20);
  const counts: Record<string, number> = {};
  for (const read of reads) {
    await send("GET", pathOf(read), undefined, read.access === "scim" ? directory : text);
    counts[read.id] = texts().length;
  }
  const bounds: Record<string, number> = {
    ...Object.fromEntries(reads.map(({ id }) => [id, 2])),
    getGuardrail: 1,
    ...MORE,
  };
  expect(reads.filter(({ id }) => (counts[id] ?? 0) > (bounds[id] ?? 0)).map(({ id }) => [id, counts[id]])).toEqual([]);
});

/**
 * Statements on tables with an organization that have only ids in their condition, and the owner of these ids. A database distributed
 * by organization must send them to every node, unless the organization is in the condition.
 */
const BY_IDS: readonly (readonly [statement: RegExp, reason: string])[] = [
  [
    /default_guardrail_id AS guardrail_id FROM workspaces/,
    "policy of the caller, by ids of the authenticated key; cached",
  ],
  [
    /"presets" AS "t\d+" WHERE \("t0"\."id" = "t\d+"\."workspace_id"/,
    "a workspace that the caller's key or a list names",
  ],
  [/AS requested\(key_id\)/, "spend of keys that a list of the organization has found"],
  [/WHERE 1=0/, "no row"],
  [/"scim_tokens" AS "t0" WHERE \("t0"."hash"/, "token of a directory, by its hash"],
  [/FROM keys[^]*AND workspace_id = \$3/, "keys of the caller's workspace that a request names"],
  [/"guardrail_member_assignments" AS "t0" WHERE \("t0"."workspace_id"/, "members of the caller's workspace"],
  [/"alert_(rules|firings)" AS "t0" .*"t0"."id" = \$\d/, "an alert that a change of the organization has found"],
  [/"exceptions"."key_id" = \$1/, "exceptions of a key that was found in the organization"],
  [/AS requested\(place int/, "spend under budgets that a list of the organization has found"],
];

it("names the organization in every statement on a table that has it", async () => {
  const { rows } = await (
    await testDatabase()
  ).query(
    "SELECT table_name FROM information_schema.columns WHERE column_name = 'organization_id' AND table_schema = 'public'",
  );
  const tables = new Set(rows.map(({ table_name }) => String(table_name)));
  expect(tables.size).toBeGreaterThan(15);
  const across = [...sent].filter((text) => readAcrossOrganizations(text, tables).length > 0);
  expect(across.filter((text) => !BY_IDS.some(([statement]) => statement.test(text)))).toEqual([]);
  expect(BY_IDS.filter(([statement]) => !across.some((text) => statement.test(text)))).toEqual([]);
});
