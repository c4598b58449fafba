import "server-only";
import type pg from "pg";
import { LIST_LIMIT } from "./pending-lists";

/** Addresses of a database. */
export interface Address {
  /** For statements and transactions; may lead to a pooler that gives each transaction another session, as PgBouncer does in transaction mode. */
  url: string;
  /** For migrations and notifications, which need a session. Null if only such a pooler can be reached. */
  directUrl: string | null;
  /** True if the sessions of `url` change between transactions, so that nothing may be set or prepared in them. */
  sharesSessions: boolean;
  /** True if statements may have names: PgBouncer passes them on since version 1.21. */
  hasNames: boolean;
}

/** Parses the connection strings of the pooler and of the server behind it. Users of Prisma write `pgbouncer=true`. */
export function addressOf(url: string, directUrl?: string): Address {
  const isOldPooler = new URL(url).searchParams.get("pgbouncer") === "true";
  const sharesSessions = isOldPooler || directUrl !== undefined;
  return { url, directUrl: directUrl ?? (sharesSessions ? null : url), sharesSessions, hasNames: !isOldPooler };
}

/** Prepares a pooled connection that keeps its session. */
export const settle = (connection: pg.ClientBase): Promise<unknown> =>
  // Compiling a query takes longer than running any of our statements.
  connection.query(`SET jit = off; SET gin_pending_list_limit = '${LIST_LIMIT}'`);
