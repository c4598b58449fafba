import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Workspaces } from "../../platform/grants";
import { sortOrder } from "../../platform/http/pagination";
import type { ListGuardrailsQuery } from "./contract";

const COLUMNS = {
  name: Prisma.sql`lower(name)`,
  created_at: Prisma.sql`created_at`,
  updated_at: Prisma.sql`coalesce(updated_at, created_at)`,
  limit_usd: Prisma.sql`limit_micro_usd`,
} as const;
/** PostgreSQL sorts null as the highest value, which is also the order for "no limit". */
const DIRECTIONS = { asc: Prisma.sql`ASC`, desc: Prisma.sql`DESC` } as const;

function order(sort: ListGuardrailsQuery["sort"]): Prisma.Sql {
  const { field, direction } = sortOrder(sort ?? "-created_at");
  return Prisma.sql`${COLUMNS[field]} ${DIRECTIONS[direction]}, id DESC`;
}

/** Returns the ids of matching guardrails of these workspaces, or of all of the organization, in order, and the total count. */
export async function findPage(
  db: Database,
  organizationId: string,
  workspaces: Workspaces,
  { q = "", sort, offset, limit }: ListGuardrailsQuery,
) {
  const among =
    workspaces === "all"
      ? Prisma.sql`ANY(ARRAY(SELECT id FROM workspaces WHERE organization_id = ${organizationId}::uuid))`
      : workspaces.length === 1
        ? Prisma.sql`${workspaces[0]}::uuid`
        : Prisma.sql`ANY(${workspaces}::uuid[])`;
  const matching = Prisma.sql`
    FROM guardrails WHERE workspace_id = ${among} AND deleted_at IS NULL
      AND strpos(lower(name || chr(10) || coalesce(description, '')), lower(${q})) > 0`;
  const [found] = await db.$queryRaw<{ ids: string[]; total: number }[]>`
    SELECT ARRAY(SELECT id::text ${matching} ORDER BY ${order(sort)} OFFSET ${offset} LIMIT ${limit}) AS ids,
      (SELECT count(*)::int ${matching}) AS total`;
  return found ?? { ids: [], total: 0 };
}
