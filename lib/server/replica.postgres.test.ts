import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { getOverview } from "../features/analytics/contract";
import { overview } from "../features/analytics/service";
import { deleteGenerationContent } from "../features/content-access/contract";
import * as content from "../features/content-access/service";
import { listAuditEvents } from "../platform/audit/contract";
import * as audit from "../platform/audit/service";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { onReplica, readOutcome, replicaOf } from "../platform/database/replica";
import { openReplica } from "../platform/database/replica-watch";
import { uuidv7 } from "../platform/ids";
import { sha256 } from "../platform/secrets";
import { exportGenerations, getGeneration, listGenerations, tailGenerations } from "../records/generations/contract";
import { exportAll } from "../records/generations/export-service";
import * as generations from "../records/generations/service";
import { createKey } from "../testing/factories";
import { createGeneration } from "../testing/generations";
import { startPostgres, type PostgresServer } from "../testing/postgres";
import { testWorld, type World } from "../testing/test-context";
import { handle, type RouteHandler } from "./handle";
import { readiness } from "./health";

const MAX_STALENESS_MS = 60_000;
const TOKEN = "s".repeat(43);
const ORIGIN = "http://localhost";

const routes = {
  list: ["/v1/generations", handle(listGenerations, generations.list)],
  get: ["/v1/generation", handle(getGeneration, generations.get)],
  tail: ["/v1/generations/tail", handle(tailGenerations, generations.tail)],
  export: ["/v1/generations/export", handle(exportGenerations, exportAll)],
  overview: ["/v1/analytics/overview", handle(getOverview, overview)],
  audit: ["/v1/audit-events", handle(listAuditEvents, audit.list)],
  deleteContent: ["/v1/generation/content", handle(deleteGenerationContent, content.remove)],
} as const satisfies Record<string, [string, RouteHandler]>;

let primary: PostgresServer;
let standby: PostgresServer;
let database: OpenDatabase;
let closeReplica: () => Promise<void>;
let world: World;
let keyText: string;
let readsOn: string[] = [];

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  primary = await startPostgres();
  database = await openPostgres(primary.url("postgres"));
  standby = await primary.standby();
  closeReplica = open(MAX_STALENESS_MS);
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  world = await testWorld({ db: database.client });
  keyText = (await createKey(world, { kind: "management" })).text;
  const now = new Date();
  await database.client.session.create({
    data: {
      id: uuidv7(now),
      tokenHash: sha256(TOKEN),
      memberId: world.adminId,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    },
  });
});
afterAll(async () => {
  await closeReplica();
  await database.close();
  await standby.stop();
  await primary.stop();
});

function open(maxStalenessMs: number): () => Promise<void> {
  const close = openReplica(database.client, {
    primaryUrl: primary.url("postgres"),
    readUrl: standby.url("postgres"),
    poolSize: 4,
    maxStalenessMs,
  });
  const replica = replicaOf(database.client);
  if (replica) vi.spyOn(replica, "count").mockImplementation((outcome) => void readsOn.push(outcome));
  return close;
}

const untilReadsAre = (expected: string) =>
  vi.waitUntil(
    () => {
      const replica = replicaOf(database.client);
      return replica && readOutcome(replica) === expected;
    },
    { timeout: 20_000, interval: 20 },
  );

const onStandby = async (sql: string) => {
  const client = new pg.Client({ connectionString: standby.url("postgres") });
  await client.connect();
  await client.query(sql);
  await client.end();
};

/** Calls an operation with the management key or the headers of a browser, and returns the server of its reads. */
async function send(
  name: keyof typeof routes,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${keyText}` },
) {
  readsOn = [];
  const [path, route] = routes[name];
  const method = name === "deleteContent" ? "DELETE" : "GET";
  const request = new Request(`${ORIGIN}${path}?${new URLSearchParams(query)}`, { method, headers });
  const response = await route(request, {});
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { text, readsOn, cookies: response.headers.getSetCookie() };
}

it("reads lists, figures and exports from the standby, and what must be current from the primary", async () => {
  await untilReadsAre("standby");
  for (const name of ["list", "overview", "audit", "export"] as const) {
    const sent = await send(name);
    expect(new Set(sent.readsOn), name).toEqual(new Set(["standby"]));
  }
  expect(await (await readiness()).json()).toMatchObject({ status: "ready", standby: { reads: "standby" } });

  await onStandby("SELECT pg_wal_replay_pause()");
  const id = await createGeneration(world, { content: {} });
  expect((await send("list")).text).not.toContain(id);
  expect((await send("export")).text).not.toContain(id);
  expect((await send("get", { id })).text).toContain(id);
  expect((await send("list", {}, { authorization: `Bearer ${keyText}`, "cache-control": "no-cache" })).text).toContain(
    id,
  );

  // A client that takes the position, lists and follows misses nothing, although the list is old.
  const { next_cursor: since } = JSON.parse((await send("tail")).text) as { next_cursor: string };
  expect((await send("tail", { since })).text).toContain(id);
});

it("shows members their own change, whichever process answers", async () => {
  const id = await createGeneration(world, { content: {} });
  const browser = (cookie: string) => ({ cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" });
  const session = `signalbox_session=${TOKEN}`;
  expect((await send("list", {}, browser(session))).text).not.toContain(id);
  const { cookies } = await send("deleteContent", { id }, browser(session));
  const [changed = ""] = cookies;
  expect(changed).toContain(`signalbox_changed=1; Path=/; Max-Age=${MAX_STALENESS_MS / 1000};`);
  const reloaded = await send("list", {}, browser(`${session}; ${changed.split(";")[0]}`));
  expect(reloaded.text).toContain(id);
  expect(reloaded.readsOn).toEqual([]);
});

it("reads from the primary while the standby lags by more than the limit", async () => {
  await closeReplica();
  closeReplica = open(1_500);
  const id = await createGeneration(world);
  await untilReadsAre("stale");
  const lagging = await send("list");
  expect(lagging.text).toContain(id);
  expect(lagging.readsOn).toEqual(["stale"]);
  await onStandby("SELECT pg_wal_replay_resume()");
  await untilReadsAre("standby");
  expect((await send("list")).text).toContain(id);
});

/** A read that is slow only on a standby. */
const slowOnStandby = () =>
  onReplica(
    database.client,
    (db) =>
      db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int FROM organizations WHERE NOT pg_is_in_recovery() OR pg_sleep(60) IS NOT NULL`,
  );

const untilSlowReadRuns = async () => {
  const client = new pg.Client({ connectionString: standby.url("postgres") });
  await client.connect();
  const running = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  while ((await client.query(running)).rowCount === 0);
  await client.end();
};

it("repeats on the primary what a conflict with the recovery cancels", async () => {
  await onStandby("ALTER SYSTEM SET max_standby_streaming_delay = 0");
  await onStandby("SELECT pg_reload_conf()");
  await untilReadsAre("standby");
  readsOn = [];
  const reading = slowOnStandby();
  await untilSlowReadRuns();
  await database.query("BEGIN; LOCK TABLE organizations IN ACCESS EXCLUSIVE MODE; COMMIT");
  expect(await reading).toEqual([{ count: 1 }]);
  expect(readsOn).toEqual(["failed"]);
});

it("reads from the primary when the standby is stopped, also what was running, and from the standby again later", async () => {
  await untilReadsAre("standby");
  const reading = slowOnStandby();
  await untilSlowReadRuns();
  await standby.crash();
  expect(await reading).toEqual([{ count: 1 }]);
  await untilReadsAre("unreachable");
  expect((await send("list")).readsOn).toEqual(["unreachable"]);
  await standby.restart();
  await untilReadsAre("standby");
  expect((await send("list")).readsOn).toEqual(["standby"]);
});

it("doesn't read from a promoted standby, whose data is no longer the primary's", async () => {
  await onStandby("SELECT pg_promote()");
  await untilReadsAre("unreachable");
  expect((await send("list")).readsOn).toEqual(["unreachable"]);
});
