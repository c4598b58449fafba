import "server-only";
import pg from "pg";
import { logger } from "../logger";
import type { Address } from "./connection";
import type { PolicyCache } from "./policy-cache";

/** The channel on which the triggers of policy tables name the changed organization. */
export const CHANNEL = "policy_changes";
const LISTEN = `LISTEN ${CHANNEL}`;

/** Well below the time for which unconfirmed values are used. */
const LOOK_EVERY_MS = 400;
const LOOK_WITHIN_MS = 800;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * SQL for the organizations changed by transactions that an earlier snapshot didn't see, including those that were running then. A
 * snapshot shows everything committed before it, so that a poll confirms cached values as of its start.
 */
const LOOK = `
  SELECT pg_current_snapshot()::text AS snapshot, now()::text AS at,
    -- Well below the hour for which notes are stored.
    coalesce($2::timestamptz > now() - interval '30 minutes', false) AS is_recent,
    ARRAY(
      SELECT DISTINCT organization_id::text FROM policy_changes
      WHERE changed_in >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
        AND NOT pg_visible_in_snapshot(changed_in::text::xid8, $1::pg_snapshot)
    ) AS organizations`;

interface Look {
  snapshot: string;
  at: string;
  is_recent: boolean;
  organizations: string[];
}

/** Lets a pooled connection receive notifications of its own changes, which PostgreSQL sends before it confirms the commit. */
export async function listenForOwnChanges(client: pg.ClientBase, cache: PolicyCache): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  client.on("notification", ({ processId, payload }) => {
    if (processId === rows[0]?.pid) cache.drop(payload);
  });
  await client.query(LISTEN);
}

/**
 * Keeps a cache current with the changes of other processes: by notifications on a separate connection, and by polling several times a
 * second, on that connection or through the pool while it is lost. Behind a pooler, it only polls. Returns a function that stops it.
 */
export async function watchPolicy(
  cache: PolicyCache,
  { directUrl, sharesSessions }: Address,
  pool: pg.Pool,
): Promise<() => Promise<void>> {
  let listener: pg.Client | null = null;
  let snapshot: string | null = null;
  let lookedAt: string | null = null;
  let looking: Promise<void> | null = null;
  let connecting: Promise<void> | null = null;
  let isStopped = false;
  const lost = new WeakSet<pg.Client>();
  let failures = 0;
  let retryAt = 0;

  const lose = (client: pg.Client, err: unknown) => {
    if (isStopped || lost.has(client)) return;
    lost.add(client);
    if (listener === client) listener = null;
    // The next connection may reach another server, to which the snapshot means nothing.
    snapshot = null;
    client.end().catch(() => undefined);
    retryAt = performance.now() + Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
    failures += 1;
    logger().warn({ err }, "the connection for notifications of policy changes was lost");
  };

  const connect = async () => {
    if (directUrl === null) return;
    const client = new pg.Client({
      connectionString: directUrl,
      application_name: "signalbox policy",
      connectionTimeoutMillis: LONGEST_DELAY_MS,
      keepAlive: true,
    });
    client.on("error", (err) => lose(client, err));
    try {
      await client.connect();
      client.on("notification", ({ payload }) => cache.drop(payload));
      await client.query(LISTEN);
      listener = client;
      failures = 0;
    } catch (error) {
      lose(client, error);
    }
  };

  const look = async () => {
    const startedAt = performance.now();
    const client = listener;
    try {
      const { rows } = await (client ?? pool).query<Look>(
        // The driver takes a timeout by statement, which its types don't list.
        Object.assign({ text: LOOK, values: [snapshot, lookedAt] }, { query_timeout: LOOK_WITHIN_MS }),
      );
      const [seen] = rows;
      if (!seen) return;
      if (snapshot === null || !seen.is_recent) cache.drop();
      for (const organizationId of seen.organizations) cache.drop(organizationId);
      snapshot = seen.snapshot;
      lookedAt = seen.at;
      cache.confirm(startedAt);
    } catch (error) {
      if (client) lose(client, error);
      // The next poll may reach another server: see lose().
      else snapshot = null;
    }
  };

  cache.refresh = () =>
    (looking ??= look().finally(() => {
      looking = null;
    }));
  if (sharesSessions)
    cache.seeOwnChanges = async () => {
      // A running poll may have started before the change.
      await looking;
      await cache.refresh();
    };
  const tick = () => {
    if (!listener && !connecting && performance.now() >= retryAt)
      connecting = connect().finally(() => {
        connecting = null;
      });
    void cache.refresh();
  };
  await connect();
  await cache.refresh();
  const timer = setInterval(tick, LOOK_EVERY_MS).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await Promise.allSettled([connecting, looking]);
    await listener?.end().catch(() => undefined);
  };
}
