import pg from "pg";
import { vi } from "vitest";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { startPostgres, type PostgresServer } from "./postgres";
import { startTcpFront } from "./tcp-front";

export interface FailoverPair {
  primary: PostgresServer;
  standby: PostgresServer;
  /** The database as two processes open it, at the address of the server that accepts writes. */
  opened: readonly [OpenDatabase, OpenDatabase];
  /** Kills the primary and promotes its synchronous standby. */
  failOver: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function queryServer<T extends object>(server: PostgresServer, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  const { rows } = await client.query<T>(text);
  await client.end();
  return rows;
}

/** Starts a primary and its synchronous standby, and opens the database twice. */
export async function startFailoverPair(): Promise<FailoverPair> {
  const primary = await startPostgres({ durable: true });
  const standby = await primary.standby();
  await queryServer(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryServer(primary, "SELECT pg_reload_conf()");
  const state = () => queryServer<{ sync_state: string }>(primary, "SELECT sync_state FROM pg_stat_replication");
  await vi.waitUntil(async () => (await state())[0]?.sync_state === "sync", { timeout: 60_000, interval: 50 });
  const front = await startTcpFront(primary.port);
  const url = Object.assign(new URL(primary.url("postgres")), { port: String(front.port) }).href;
  const opened = [await openPostgres(url), await openPostgres(url)] as const;
  return {
    primary,
    standby,
    opened,
    failOver: async () => {
      await primary.crash();
      await queryServer(standby, "SELECT pg_promote()");
      front.switchTo(standby.port);
    },
    stop: async () => {
      for (const { close } of opened) await close();
      front.stop();
      await standby.stop();
      await primary.stop();
    },
  };
}
