import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startPostgres, type PostgresServer } from "../lib/testing/postgres";
import { startDatabaseProxy } from "./haproxy";

/** One or two servers behind one address, which leads to the server that accepts writes. */
export interface TestDatabase {
  url: string;
  /** The server that accepts writes. */
  current: () => Pick<PostgresServer, "url">;
  restart: PostgresServer["restart"];
  /** Kills the primary; resolves when the standby is promoted. */
  failOver: (pauseMs: number) => Promise<void>;
  /** Starts the killed server again; resolves when it is the synchronous standby of the other. */
  rejoin?: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a server without a standby. */
export async function startAlone(): Promise<TestDatabase> {
  const postgres = await startPostgres({ durable: true });
  const failOver = () => Promise.reject(new Error("no standby"));
  return {
    url: postgres.url("postgres"),
    current: () => postgres,
    restart: postgres.restart,
    failOver,
    stop: postgres.stop,
  };
}

export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const takesWrites = async (url: string): Promise<boolean> => {
  const [row] = await query<{ in_recovery: boolean }>(url, "SELECT pg_is_in_recovery() AS in_recovery");
  return row?.in_recovery === false;
};

/** Serves `/primary` like Patroni: 200 on the server that accepts writes. */
async function startHealthCheck(server: PostgresServer) {
  const check = createServer((_, response) => {
    void takesWrites(server.url("postgres"))
      .catch(() => false)
      .then((isPrimary) => response.writeHead(isPrimary ? 200 : 503).end());
  });
  check.listen(0, "127.0.0.1");
  await once(check, "listening");
  return { port: (check.address() as AddressInfo).port, stop: () => check.close() };
}

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(50);
}

/** Waits for HAProxy, which treats each server as healthy until its first check. */
export async function leadsToPrimary(url: string): Promise<void> {
  let inARow = 0;
  await until(async () => {
    inARow = (await takesWrites(url).catch(() => false)) ? inARow + 1 : 0;
    return inARow >= 6;
  });
}

/** Starts a primary with a synchronous standby. The test promotes the standby. */
export async function startDatabasePair(): Promise<TestDatabase> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const primary = await startPostgres({ durable: true });
    stops.push(primary.stop);
    const standby = await primary.standby();
    stops.push(standby.stop);
    await query(primary.url("postgres"), "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await query(primary.url("postgres"), "SELECT pg_reload_conf()");
    await until(async () => {
      const [replica] = await query<{ sync_state: string }>(
        primary.url("postgres"),
        "SELECT sync_state FROM pg_stat_replication",
      );
      return replica?.sync_state === "sync";
    });
    const checks = await Promise.all([primary, standby].map(startHealthCheck));
    stops.push(() => checks.forEach((check) => check.stop()));
    const servers = [primary, standby].map(({ port }, index) => ({ port, checkPort: checks[index]?.port ?? 0 }));
    const proxy = await startDatabaseProxy(servers);
    stops.push(proxy.stop);
    const url = Object.assign(new URL(primary.url("postgres")), { port: String(proxy.port) }).href;
    await leadsToPrimary(url);
    let current = primary;
    return {
      url,
      current: () => current,
      restart: () => Promise.reject(new Error("the test restarts no server of a pair")),
      failOver: async (pauseMs) => {
        await primary.crash();
        await sleep(pauseMs);
        await query(standby.url("postgres"), "SELECT pg_promote()");
        current = standby;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
