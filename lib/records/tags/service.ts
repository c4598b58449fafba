import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { ownOnly, type Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import type { Input, Result } from "../../platform/http/operation";
import type { listTags } from "./contract";

const { sql, empty } = Prisma;

/** SQL for each tag of each key and member that the caller sees. */
function visibleTags({ caller }: Context, q: string | undefined): Prisma.Sql {
  const userId = ownOnly(caller, "keys:read") ? caller.userId : null;
  const found = q === undefined ? empty : sql`AND tag ILIKE ${`%${literal(q)}%`}`;
  return sql`
    SELECT tag, 1 AS keys, 0 AS members FROM keys, unnest(keys.tags) AS tag
    WHERE organization_id = ${caller.organizationId}::uuid AND deleted_at IS NULL
      ${userId === null ? empty : sql`AND creator_user_id = ${userId}`} ${found}
    UNION ALL
    SELECT tag, 0 AS keys, 1 AS members FROM members, unnest(members.tags) AS tag
    WHERE organization_id = ${caller.organizationId}::uuid AND deleted_at IS NULL
      ${userId === null ? empty : sql`AND id = ${userId}`} ${found}`;
}

export async function list(
  context: Context,
  { query: { q, limit, offset } }: Input<typeof listTags>,
): Promise<Result<typeof listTags>> {
  const data = await context.db.$queryRaw<{ tag: string; keys: number; members: number }[]>`
    SELECT tag, sum(keys)::int AS keys, sum(members)::int AS members FROM (${visibleTags(context, q)}) visible
    GROUP BY tag ORDER BY tag COLLATE "C" LIMIT ${limit} OFFSET ${offset}`;
  const [{ total_count } = { total_count: 0 }] = await context.db.$queryRaw<{ total_count: number }[]>`
    SELECT count(DISTINCT tag)::int AS total_count FROM (${visibleTags(context, q)}) visible`;
  return { data, total_count };
}
