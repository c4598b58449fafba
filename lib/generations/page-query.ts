import "server-only";
import { decodeCursor } from "../http/cursor";
import { generationSecond } from "../ids";
import { Prisma } from "../../prisma/generated/client";
import type { ListGenerationsQuery } from "./contract";

export interface Found {
  created_at: Date;
  id: string;
}

/** Whose generations a list may show: the organization's, or those of one member. */
export interface Scope {
  organizationId: string;
  userId: string | null;
}

type OneOrMany = string | readonly string[] | undefined;

const { sql, empty } = Prisma;

/** `column = value`, which an ordered index can serve, or any of several values. */
function among(column: Prisma.Sql, given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const values = [given].flat();
  return values.length === 1 ? sql`AND ${column} = ${values[0]}` : sql`AND ${column} = ANY(${values}::text[])`;
}

/** The same for a column that holds the id of what the caller names otherwise. */
function amongIdsOf(column: Prisma.Sql, given: OneOrMany, ids: (values: string[]) => Prisma.Sql): Prisma.Sql {
  if (given === undefined) return empty;
  const values = [given].flat();
  return typeof given === "string" ? sql`AND ${column} = (${ids(values)} LIMIT 1)` : sql`AND ${column} = ANY(ARRAY(${ids(values)}))`;
}

const statuses = (given: OneOrMany) => {
  if (given === undefined) return empty;
  return typeof given === "string" ? sql`AND g.status = ${given}::generation_status` : sql`AND g.status = ANY(${given}::text[]::generation_status[])`;
};

const microUsd = (usd: string) => sql`round(${usd}::numeric * 1000000)::bigint`;

/**
 * The generations of one page, newest first, one more than the page when another follows. Typed SQL, because this is
 * the list that grows without end: it walks an index from the cursor and reads no further than the page.
 */
export function pageQuery({ organizationId, userId }: Scope, query: ListGenerationsQuery): Prisma.Sql {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, (id) => generationSecond(id) !== null);
  return sql`
    SELECT g.created_at, g.id FROM generations g
    WHERE g.organization_id = ${organizationId}::uuid
    ${after ? sql`AND (g.created_at, g.id) < (${after[0]}::timestamptz, ${after[1]})` : empty}
    ${query.from ? sql`AND g.created_at >= ${query.from}::timestamptz` : empty}
    ${query.to ? sql`AND g.created_at < ${query.to}::timestamptz` : empty}
    ${userId === null ? empty : sql`AND g.user_id = ${userId}`}
    ${statuses(query.status)}
    ${among(sql`g.model`, query.model)}
    ${among(sql`g.provider_slug`, query.provider)}
    ${among(sql`g.user_id`, query.user_id)}
    ${among(sql`g.session_id`, query.session_id)}
    ${amongIdsOf(sql`g.key_id`, query.key_hash, (hashes) => sql`SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${hashes}::text[])`)}
    ${
      query.preset === undefined
        ? empty
        : sql`AND g.preset_id = ANY(ARRAY(
            SELECT presets.id FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
            WHERE workspaces.organization_id = ${organizationId}::uuid AND presets.slug = ANY(${[query.preset].flat()}::text[])))`
    }
    ${
      query.guardrail_id === undefined
        ? empty
        : sql`AND (g.created_at, g.id) IN (
            SELECT created_at, generation_id FROM decisions WHERE guardrail_id = ANY(${[query.guardrail_id].flat()}::uuid[]))`
    }
    ${query.min_cost === undefined ? empty : sql`AND g.cost_micro_usd >= ${microUsd(query.min_cost)}`}
    ${query.max_cost === undefined ? empty : sql`AND g.cost_micro_usd <= ${microUsd(query.max_cost)}`}
    ${
      query.q === undefined
        ? empty
        : sql`AND (g.created_at, g.id) IN (
            SELECT created_at, generation_id FROM generation_contents
            WHERE to_tsvector('simple', left(search_text, 200000)) @@ websearch_to_tsquery('simple', ${query.q}))`
    }
    ORDER BY g.created_at DESC, g.id DESC
    LIMIT ${query.limit + 1}`;
}
