import "server-only";
import { Prisma } from "../../../prisma/generated/client";

const { sql, empty } = Prisma;

/** Time range of a list: `from` and `to` (exclusive) of its filters, `until` of its cursor (inclusive). */
export interface Bounds {
  from?: string | undefined;
  to?: string | undefined;
  until?: Date | null;
}

/** SQL for a time within bounds. */
export const within = (column: Prisma.Sql, { from, to, until }: Bounds): Prisma.Sql => sql`
  ${from ? sql`AND ${column} >= ${from}::timestamptz` : empty}
  ${to ? sql`AND ${column} < ${to}::timestamptz` : empty}
  ${until ? sql`AND ${column} <= ${until}::timestamptz` : empty}`;
