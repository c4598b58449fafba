import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createChatCompletion } from "../gateway/contract";
import * as gateway from "../gateway/service";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { createKey } from "../testing/factories";
import { startPostgres, type PostgresServer } from "../testing/postgres";
import { startTcpFront } from "../testing/tcp-front";
import { testWorld } from "../testing/test-context";
import { createSandbox } from "./bootstrap";
import { handle } from "./handle";

const LANES = 8;

let primary: PostgresServer;
let standby: PostgresServer;
let front: Awaited<ReturnType<typeof startTcpFront>>;
const opened: OpenDatabase[] = [];

async function query<T extends object>(server: PostgresServer, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  const { rows } = await client.query<T>(text);
  await client.end();
  return rows;
}

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  primary = await startPostgres({ durable: true });
  standby = await primary.standby();
  await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(primary, "SELECT pg_reload_conf()");
  const state = () => query<{ sync_state: string }>(primary, "SELECT sync_state FROM pg_stat_replication");
  await vi.waitUntil(async () => (await state())[0]?.sync_state === "sync", { timeout: 60_000, interval: 50 });
  front = await startTcpFront(primary.port);
  const url = Object.assign(new URL(primary.url("postgres")), { port: String(front.port) }).href;
  for (let count = 0; count < 2; count++) opened.push(await openPostgres(url));
});
afterAll(async () => {
  for (const { close } of opened) await close();
  front.stop();
  await standby.stop();
  await primary.stop();
});

it("loses nothing acknowledged when the primary is killed under load and its synchronous standby promoted, and recovers by itself", async () => {
  const [first] = opened;
  if (!first) throw new Error("not open");
  const world = await testWorld({ db: first.client });
  await createSandbox(first.client, world.organizationId, new Date());
  const { text } = await createKey(world);
  const route = handle(createChatCompletion, gateway.createChatCompletion);
  const acknowledged: string[] = [];
  const failures = new Set<string>();
  let isOver = false as boolean;

  const send = async (database: OpenDatabase) => {
    Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
    const response = await route(
      new Request("http://localhost/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] }),
      }),
      {},
    );
    await response.text();
    if (response.status === 200) acknowledged.push(response.headers.get("x-generation-id") ?? "");
    else {
      failures.add(`${response.status} ${response.headers.get("retry-after")}`);
      await sleep(20);
    }
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    while (!isOver) await send(opened[lane % opened.length] as OpenDatabase);
  });
  const untilAcknowledged = (count: number) =>
    vi.waitUntil(() => acknowledged.length >= count, { timeout: 60_000, interval: 10 });

  await untilAcknowledged(50);
  await primary.crash();
  await query(standby, "SELECT pg_promote()");
  front.switchTo(standby.port);
  await untilAcknowledged(acknowledged.length + 100);
  isOver = true;
  await Promise.all(lanes);

  const recorded = new Set((await query<{ id: string }>(standby, "SELECT id FROM generations")).map(({ id }) => id));
  expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect([...failures].filter((failure) => !/^(502|524|529) 1$/.test(failure))).toEqual([]);
  // Each process reads and writes again.
  for (const { client } of opened) {
    await client.workspace.update({ where: { id: world.workspaceId }, data: { name: "After" } });
    expect(await client.generation.count()).toBe(recorded.size);
  }
});
