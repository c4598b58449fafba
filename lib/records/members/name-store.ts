import "server-only";
import { Prisma } from "../../../prisma/generated/client";

/** SQL for the display name of a row of members, as `nameOf` returns it. */
export const nameSql = (table: string): Prisma.Sql =>
  Prisma.raw(`coalesce(nullif(concat_ws(' ', ${table}.first_name, ${table}.last_name), ''), ${table}.email)`);
