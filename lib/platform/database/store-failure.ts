import "server-only";
import { ApiError } from "../api-error";
import { Prisma } from "../../../prisma/generated/client";
import { StatementError } from "./statement";

const TIMED_OUT = () => new ApiError(524, "Request timed out. Please try again later.");
const UNREACHABLE = () => new ApiError(502, "Provider returned error", { reason: "store_unreachable" });
/** Error for a store with too many pending writes. */
export const SATURATED = () => new ApiError(529, "Provider returned error", { reason: "store_saturated" });

const SOCKET_FAILURES = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"];
/** Error codes of the client, its driver and PostgreSQL for store failures. */
const FAILURES: readonly (readonly [names: readonly string[], answer: () => ApiError])[] = [
  [["57014", "P1002", "P1008", "SocketTimeout"], TIMED_OUT],
  [
    ["P1001", "P1017", "DatabaseNotReachable", "ConnectionClosed", "57P01", "57P03", "08006", ...SOCKET_FAILURES],
    UNREACHABLE,
  ],
  [["P2024", "P2028", "P2037", "TooManyConnections", "53300"], SATURATED],
];

/**
 * Returns the error for a store that is too slow (524), unreachable (502) or saturated (529), see
 * docs/semantics.md#errors; else null.
 */
export function storeFailure(error: unknown): ApiError | null {
  if (error instanceof Prisma.PrismaClientInitializationError) return UNREACHABLE();
  const names = namesOf(error);
  return FAILURES.find(([known]) => names.some((name) => known.includes(name)))?.[1]() ?? null;
}

function namesOf(error: unknown): string[] {
  if (error instanceof StatementError) return [error.code];
  return error instanceof Prisma.PrismaClientKnownRequestError ? [error.code, ...driverNames(error.meta)] : [];
}

function driverNames(meta: Record<string, unknown> | undefined): string[] {
  const { cause } = (meta?.["driverAdapterError"] ?? {}) as { cause?: { kind?: string; originalCode?: string } };
  return [cause?.kind, cause?.originalCode].filter((name) => name !== undefined);
}

/**
 * Unique violation, foreign key violation (the referenced row was deleted), and a deadlock resolved by the database.
 */
const CONFLICTS: ReadonlySet<string> = new Set(["P2002", "P2003", "P2034"]);

export const isConflict = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && CONFLICTS.has(error.code);
