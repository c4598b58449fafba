import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { beforeAll, expect, it, vi } from "vitest";
import type { Operation } from "../platform/http/operation";
import { createKey } from "../testing/factories";
import { createGeneration } from "../testing/generations";
import { isOfOperation } from "../testing/statements";
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

const query = vi.spyOn(PGlite.prototype, "query");
/** Number of statements since `query.mockClear()`. */
const statements = () => query.mock.calls.filter(([text]) => isOfOperation(text)).length;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
});

/** Lists whose rows also have spend by day and balances of budgets. */
const MORE: Record<string, number> = { listKeys: 3, listBudgets: 4 };

it("reads each list with at most two statements, and a guardrail with one", async () => {
  const world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, new Date());
  const { text } = await createKey(world, { kind: "management" });
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" };
    query.mockClear();
    const response = await call(
      new Request(`${HOST}/v1${path}`, { method, headers, body: body ? JSON.stringify(body) : null }),
    );
    const answer = (await response.json()) as { data: { id: string; hash: string } };
    expect(response.status, `${method} ${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
    return answer.data;
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
  const { id: webhook } = await send("POST", "/webhooks", { url: "https://example.com/hook", events: ["key.created"] });
  const { id: delivery } = await send("POST", `/webhooks/${webhook}/test`);
  const { id: alert } = await send("POST", "/alerts", {
    name: "Errors",
    kind: "error_rate",
    threshold: 5,
    webhook_ids: [webhook],
  });
  await send("POST", `/alerts/${alert}/test`);
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
  const pathOf = ({ path }: Operation) =>
    path
      .replace("/guardrails/{id}", `/guardrails/${guardrail}`)
      .replace("/webhooks/{id}", `/webhooks/${webhook}`)
      .replace("/alerts/{id}", `/alerts/${alert}`)
      .replace("{delivery_id}", delivery)
      .replace("/exceptions/{id}", `/exceptions/${exception}`)
      .replace("/workspaces/{id}", `/workspaces/${world.workspaceId}`)
      .replace("/presets/{slug}", "/presets/coder")
      .replace("/providers/{slug}", "/providers/sandbox")
      .replace("/models/{slug}", "/models/sandbox%2Fecho")
      .replace("{hash}", hash)
      .replace("{user_id}", world.adminId)
      .replace(/\{(n|version)\}/, "1") + (/^\/generation(\/|$|s\/previews)/.test(path) ? `?id=${generation}` : "");
  const reads = operations.filter(
    ({ id, method, access }) =>
      method === "GET" && access !== "any" && (id.startsWith("list") || id === "getGuardrail"),
  );
  expect(reads.length).toBeGreaterThan(20);
  const counts: Record<string, number> = {};
  for (const read of reads) {
    await send("GET", pathOf(read));
    counts[read.id] = statements();
  }
  const bounds: Record<string, number> = {
    ...Object.fromEntries(reads.map(({ id }) => [id, 2])),
    getGuardrail: 1,
    ...MORE,
  };
  expect(reads.filter(({ id }) => (counts[id] ?? 0) > (bounds[id] ?? 0)).map(({ id }) => [id, counts[id]])).toEqual([]);
});
