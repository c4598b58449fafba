import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { KeptConnection } from "./kept-connection";

const PROCESS = { text: "SELECT pg_backend_pid() AS pid, pg_sleep($1)", values: [0] };

function keptConnection() {
  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), max: 3 });
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  const kept = new KeptConnection(pool);
  onTestFinished(async () => {
    kept.release();
    await pool.end();
  });
  const processOf = async (statement: pg.QueryConfig = PROCESS) =>
    (await kept.query<{ pid: number }>(statement))[0]?.pid;
  return { pool, kept, processOf };
}

it("keeps its connection from statement to statement, though others use the pool", async () => {
  const { pool, processOf } = keptConnection();
  const first = await processOf();
  await Promise.all([pool.query("SELECT pg_sleep(0.01)"), pool.query("SELECT pg_sleep(0.01)")]);
  expect([await processOf(), await processOf()]).toEqual([first, first]);
});

it("runs statements at the same time on others", async () => {
  const { processOf } = keptConnection();
  const slow = { ...PROCESS, values: [0.05] };
  expect(new Set(await Promise.all([processOf(slow), processOf(slow), processOf(slow)])).size).toBe(3);
});

it("runs a statement again that ran on another connection", async () => {
  const { processOf } = keptConnection();
  const statement = { ...PROCESS };
  const [first] = await Promise.all([processOf(statement), processOf(statement)]);
  expect(await processOf(statement)).toBe(first);
});

it("takes another one after its connection was lost, in a statement or between two", async () => {
  const { pool, kept, processOf } = keptConnection();
  const first = await processOf();
  await pool.query("SELECT pg_terminate_backend($1, 5000)", [first]);
  while (pool.totalCount > pool.idleCount) await sleep(1);
  const second = await processOf();
  expect(second).not.toBe(first);
  await expect(kept.query({ text: "SELECT pg_terminate_backend(pg_backend_pid())" })).rejects.toThrow();
  expect(await processOf()).not.toBe(second);
});

it("takes another one after a failed statement", async () => {
  const { pool, kept, processOf } = keptConnection();
  await expect(kept.query({ text: "SELECT 1 / 0" })).rejects.toThrow("division by zero");
  expect(pool.totalCount).toBe(0);
  expect(await processOf()).toBeTypeOf("number");
});
