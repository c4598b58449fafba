import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Gauge } from "prom-client";
import { PrismaClient } from "../../../prisma/generated/client";
import { logger } from "../logger";
import { instruments } from "../metrics/instruments";
import { PlainSignal } from "../signal";
import { addressOf, settle, type Address } from "./connection";
import { attachReplica, readOutcome, type Replica } from "./replica";
import { Staleness } from "./staleness";
import { statementNames } from "./statement-names";
import type { Database } from "./transaction";

const LOOK_EVERY_MS = 400;
/** Time without a response after which a server counts as unreachable. */
const LOOK_WITHIN_MS = 3_000;

/** Identifies a database in all servers of its cluster, because a standby of another database would have other data. */
const IDENTITY = `(SELECT system_identifier FROM pg_control_system())::text || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())::text AS identity`;
const WRITTEN = `SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS position, ${IDENTITY}`;
const REPLAYED = `SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS position, pg_is_in_recovery() AS is_standby, ${IDENTITY}`;

interface Position {
  position: string | null;
  identity: string;
  is_standby?: boolean;
}

interface ReplicaOptions {
  primaryUrl: string;
  readUrl: string;
  poolSize: number;
  maxStalenessMs: number;
}

function poolOf({ url, sharesSessions }: Address, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: LOOK_WITHIN_MS,
    keepAlive: true,
    ...(!sharesSessions && { onConnect: async (connection) => void (await settle(connection)) }),
  });
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return pool;
}

async function positionOf(pool: pg.Pool, text: string): Promise<Position> {
  // The driver takes a timeout by statement, which its types don't list.
  const { rows } = await pool.query<Position>(Object.assign({ text }, { query_timeout: LOOK_WITHIN_MS }));
  if (!rows[0]) throw new Error("no position");
  return rows[0];
}

/**
 * Lets `onReplica` read from a hot standby. Compares the standby's replay with the primary's log, on a separate connection to each.
 * Returns a function that closes it. An unreachable standby doesn't fail the start.
 */
export function openReplica(primary: Database, options: ReplicaOptions): () => Promise<void> {
  const [address, primaryAddress] = [addressOf(options.readUrl), addressOf(options.primaryUrl)];
  const pool = poolOf(address, options.poolSize);
  const [written, replayed] = [poolOf(primaryAddress, 1), poolOf(address, 1)];
  const names = address.hasNames ? { statementNameGenerator: statementNames() } : {};
  const client = new PrismaClient({ adapter: new PrismaPg(pool, names) });
  const staleness = new Staleness();
  let connection: PlainSignal | null = null;
  const { replicaReads, registry } = instruments();
  const replica: Replica = {
    client,
    maxStalenessMs: options.maxStalenessMs,
    stalenessMs: () => staleness.at(performance.now()),
    connection: () => connection,
    count: (outcome) => replicaReads.inc({ outcome }),
  };
  attachReplica(primary, replica);
  registry.removeSingleMetric("signalbox_replica_staleness_seconds");
  new Gauge({
    name: "signalbox_replica_staleness_seconds",
    help: "Maximum age of what the standby shows; while it is unknown, the age of the process",
    registers: [registry],
    aggregator: "max",
    collect() {
      this.set(Math.min(replica.stalenessMs(), performance.now()) / 1000);
    },
  });

  let lastError: unknown = null;
  const lookAtStandby = async (identity: string | null) => {
    try {
      const seen = await positionOf(replayed, REPLAYED);
      if (seen.is_standby === false) throw new Error("the server isn't a standby");
      if (identity !== null && seen.identity !== identity)
        throw new Error("the server isn't a standby of this database");
      if (seen.position !== null) staleness.noteReplayed(BigInt(seen.position));
      connection ??= new PlainSignal();
    } catch (error) {
      lastError = error;
      staleness.reset();
      connection?.abort(error);
      connection = null;
    }
  };
  let identity: string | null = null;
  let reported: string | null = null;
  const report = () => {
    const outcome = readOutcome(replica);
    if (outcome === reported) return;
    reported = outcome;
    const facts = { stalenessMs: Math.round(replica.stalenessMs()) };
    if (outcome === "standby") logger().info(facts, "reads use the standby");
    else if (outcome === "stale") logger().warn(facts, "the standby lags too far behind: reads use the primary");
    else logger().warn({ err: lastError }, "the standby can't be read: reads use the primary");
  };
  const look = async () => {
    const at = performance.now();
    try {
      const seen = await positionOf(written, WRITTEN);
      identity = seen.identity;
      if (seen.position !== null) staleness.noteWritten(at, BigInt(seen.position));
    } catch {
      // The standby's data gets older meanwhile.
    }
    await lookAtStandby(identity);
    report();
  };
  let looking: Promise<void> | null = null;
  const tick = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
  };
  tick();
  const timer = setInterval(tick, LOOK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
    await client.$disconnect();
    await Promise.all([pool, written, replayed].map((one) => one.end()));
  };
}
