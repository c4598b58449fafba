import "server-only";
import { isDriverAdapterError } from "@prisma/driver-adapter-utils";
import { ApiError } from "../api-error";
import { Prisma } from "../../../prisma/generated/client";
import { StatementError } from "./statement";
import { processWide } from "../process-wide";

/** Delay before a retry: a restart of the database takes seconds, and a longer wait would outlast most failures. */
const RETRY = { "retry-after": "1" };

const TIMED_OUT = () => new ApiError(524, "Request timed out. Please try again later.", undefined, RETRY);
const unavailable = (reason: "store_unreachable" | "store_full") => () =>
  new ApiError(502, "Provider returned error", { reason }, RETRY);
const UNREACHABLE = unavailable("store_unreachable");
const FULL = unavailable("store_full");
/** Error for a store with too many pending writes. */
export const SATURATED = () => new ApiError(529, "Provider returned error", { reason: "store_saturated" }, RETRY);

/** Codes for a full disk, a failing disk, and a read-only server. */
const CANNOT_WRITE = ["53100", "58030", "25006"];
const LOST = ["08000", "08003", "08006", "57P01", "57P02", "57P03", "57P05"];
const NETWORK = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
];
/** Error codes of the client, its driver and PostgreSQL for store failures. */
const FAILURES: readonly (readonly [names: readonly string[], answer: () => ApiError])[] = [
  [["57014", "P1002", "P1008", "SocketTimeout"], TIMED_OUT],
  [["P1001", "P1017", "DatabaseNotReachable", "ConnectionClosed", ...LOST, ...NETWORK], UNREACHABLE],
  [CANNOT_WRITE, FULL],
  [["P2024", "P2028", "P2037", "TooManyConnections", "53200", "53300"], SATURATED],
];
/** Errors of the driver that have no code. */
const CLOSED_MESSAGES = [
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
];

/**
 * Returns the error for a store that is too slow (524), unreachable or can't write (502) or saturated (529), see
 * docs/semantics.md#errors; else null.
 */
export function storeFailure(error: unknown): ApiError | null {
  if (error instanceof Prisma.PrismaClientInitializationError) return UNREACHABLE();
  const names = namesOf(error);
  return FAILURES.find(([known]) => names.some((name) => known.includes(name)))?.[1]() ?? null;
}

function namesOf(error: unknown): string[] {
  if (error instanceof StatementError) return [error.code];
  if (error instanceof Prisma.PrismaClientKnownRequestError) return [error.code, ...driverNames(error.meta)];
  if (!(error instanceof Error)) return [];
  // The end of a transaction rethrows the adapter's error.
  return isDriverAdapterError(error) ? causeNames(error.cause) : plainNames(error);
}

interface DriverCause {
  kind?: string;
  originalCode?: string;
}

const driverNames = (meta: Record<string, unknown> | undefined): string[] =>
  causeNames(((meta?.["driverAdapterError"] ?? {}) as { cause?: DriverCause }).cause);

function causeNames(cause: DriverCause | undefined): string[] {
  return [cause?.kind, cause?.originalCode].filter((name) => name !== undefined);
}

/** Returns true for a statement that exceeded its time limit. */
export const isCancelled = (error: unknown): boolean => namesOf(error).includes("57014");

/** Returns true for a statement or a transaction that exceeded its time limit. Less work may succeed. */
export const isTimedOut = (error: unknown): boolean =>
  storeFailure(error)?.status === 524 || namesOf(error).includes("P2028");

/** Names of driver errors that Prisma rethrows. Errors of a system call have its name. */
function plainNames(error: Error & { code?: unknown; syscall?: unknown }): string[] {
  if (CLOSED_MESSAGES.includes(error.message)) return ["ConnectionClosed"];
  return typeof error.code === "string" && typeof error.syscall === "string" ? [error.code] : [];
}

/** Time for which a process isn't ready after a write found a full disk. After it, requests are tried again. */
const FULL_FOR_MS = 5_000;
/** Time at which a write last found a full disk. */
const full = processWide("full store", () => ({ foundAt: -Infinity }));

/** Returns the error for a store failure as `storeFailure` does, and notes a full disk. */
export function noteStoreFailure(error: unknown, at = performance.now()): ApiError | null {
  const failure = storeFailure(error);
  if (failure?.metadata?.["reason"] === "store_full") full().foundAt = at;
  return failure;
}

export const isStoreFull = (at = performance.now()): boolean => at - full().foundAt < FULL_FOR_MS;

/**
 * Unique violation, foreign key violation (the referenced row was deleted), and a deadlock resolved by the database: of a model query,
 * of a raw one, and of a prepared statement.
 */
const CONFLICTS: ReadonlySet<string> = new Set(["P2002", "P2003", "P2034", "TransactionWriteConflict", "40P01"]);

export const isConflict = (error: unknown): boolean => namesOf(error).some((name) => CONFLICTS.has(name));
