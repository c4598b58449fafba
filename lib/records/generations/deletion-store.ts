import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";

const { raw, sql } = Prisma;

/** SQL for the time range of a batch. Without it, the planner joins all partitions of the table. */
const amongTimesOfChosen = (table: string): Prisma.Sql =>
  sql`${raw(table)}.created_at >= (SELECT min(created_at) FROM chosen) AND ${raw(table)}.created_at <= (SELECT max(created_at) FROM chosen)`;

/** Deletes generations with their contents and decisions, and returns the number of generations. `chosen` selects `organization_id`, `created_at` and `id`. */
export const deleteGenerations = (db: Database, chosen: Prisma.Sql): Promise<number> => db.$executeRaw`
  WITH chosen AS MATERIALIZED (${chosen}), contents AS (
    DELETE FROM generation_contents c USING chosen
    WHERE ${amongTimesOfChosen("c")} AND c.created_at = chosen.created_at AND c.generation_id = chosen.id
  ), decided AS (
    DELETE FROM decisions d USING chosen
    WHERE ${amongTimesOfChosen("d")} AND d.created_at = chosen.created_at AND d.generation_id = chosen.id
  )
  DELETE FROM generations g USING chosen
  WHERE ${amongTimesOfChosen("g")}
    AND g.organization_id = chosen.organization_id AND g.created_at = chosen.created_at AND g.id = chosen.id`;
