import "server-only";
import { ApiError } from "../api-error";
import { logger } from "../logger";
import { unlessAborted, type Signal } from "../signal";
import { storeFailure } from "./store-failure";
import type { Database } from "./transaction";
import { processWide } from "../process-wide";

/** Outcomes of reads in the metric `signalbox_replica_reads_total`: the server, and the reason if it wasn't the standby. */
export type ReadOutcome = "standby" | "stale" | "unreachable" | "failed";

/** A hot standby that some reads may use. */
export interface Replica {
  readonly client: Database;
  /** Maximum age of the standby's data in milliseconds; infinite while it is unknown. */
  readonly stalenessMs: () => number;
  readonly maxStalenessMs: number;
  /** Aborts when the connection to the standby is lost; null while it is lost. */
  readonly connection: () => Signal | null;
  readonly count: (outcome: ReadOutcome) => void;
}

/** Standbys by primary. */
const replicas = processWide("replicas", () => new WeakMap<object, Replica>());

export function attachReplica(primary: Database, replica: Replica): void {
  replicas().set(primary, replica);
}

export const replicaOf = (primary: Database): Replica | null => replicas().get(primary) ?? null;

/** Returns the outcome of a read that would start now, before it can fail. */
export const readOutcome = (replica: Replica): Exclude<ReadOutcome, "failed"> =>
  replica.connection() === null ? "unreachable" : replica.stalenessMs() > replica.maxStalenessMs ? "stale" : "standby";

/** True for failures that the primary may not have: all except error responses of the API, and timeouts, which would be as slow there. */
const mayDifferOnPrimary = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 404
    : !(error instanceof Error && error.name === "AbortError") && storeFailure(error)?.status !== 524;

/**
 * Reads from the standby of a database if it lags no more than configured, else from the database. A read that fails on the standby,
 * such as by a conflict with its recovery, is repeated on the database. `work` only reads, and may run twice.
 */
export async function onReplica<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const replica = replicaOf(db);
  if (!replica) return work(db);
  const outcome = readOutcome(replica);
  const connection = replica.connection();
  if (outcome !== "standby" || !connection) {
    replica.count(outcome);
    return work(db);
  }
  try {
    // A disconnected standby doesn't respond at all.
    const result = await unlessAborted(connection, work(replica.client));
    replica.count("standby");
    return result;
  } catch (error) {
    if (!mayDifferOnPrimary(error)) throw error;
    replica.count("failed");
    if (!(error instanceof ApiError))
      logger().warn({ err: error }, "a read failed on the standby and is repeated on the primary");
    return work(db);
  }
}
