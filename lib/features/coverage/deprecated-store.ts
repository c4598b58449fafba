import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { nameSql } from "../../records/members/name-store";
import { lifecycleFields } from "../../records/models/rows";
import type { Coverage } from "./contract";

const { sql, empty } = Prisma;

const DAY_MS = 24 * 60 * 60_000;
const DAYS_OF_USE = 7;
/** Maximum number of requests read per model, newest first, because no rollup has key and model together. */
const MOST_REQUESTS = 2_000;
const MOST_MODELS = 100;
const MOST_USERS = 10;

type Deprecated = Coverage["deprecated_models"]["data"][number];
type User = Deprecated["used_by"]["data"][number];

interface Scope {
  db: Database;
  organizationId: string;
  /** Null for requests in all workspaces. */
  workspaceId: string | null;
  now: Date;
}

/**
 * Finds models that retire or have retired and were requested in the last days, with the keys and members that
 * requested them.
 *
 * @param until Leaves out models that retire later.
 */
export async function deprecatedModels(scope: Scope, until?: Date): Promise<Coverage["deprecated_models"]> {
  const models = await scope.db.model.findMany({
    where: { organizationId: scope.organizationId },
    select: {
      slug: true,
      name: true,
      endpoints: { select: { upstreamModel: true, provider: { select: { baseUrl: true } } } },
    },
  });
  const retiring = models.flatMap(({ slug, name, endpoints }) => {
    const { deprecated_at, retires_at, replacement } = lifecycleFields(endpoints);
    if (retires_at === null || (until && Date.parse(retires_at) > until.getTime())) return [];
    return [{ slug, name, deprecated_at, retires_at, replacement }];
  });
  if (retiring.length === 0) return { total_count: 0, data: [] };
  const users = await usersOf(
    scope,
    retiring.map(({ slug }) => slug),
  );
  const used = retiring
    .flatMap((model) => {
      const used_by = users.get(model.slug);
      return used_by ? [{ ...model, used_by }] : [];
    })
    .toSorted((a, b) => (a.retires_at + a.slug < b.retires_at + b.slug ? -1 : 1));
  return { total_count: used.length, data: used.slice(0, MOST_MODELS) };
}

interface UserRow extends User {
  slug: string;
  total_count: number;
}

/** Returns the users of each model by its slug, without deleted keys and members. */
async function usersOf(
  { db, organizationId, workspaceId, now }: Scope,
  slugs: readonly string[],
): Promise<Map<string, Deprecated["used_by"]>> {
  const since = new Date(now.getTime() - DAYS_OF_USE * DAY_MS);
  const rows = await db.$queryRaw<UserRow[]>`
    WITH users AS (
      SELECT given.slug, newest.key_id, CASE WHEN newest.key_id IS NULL THEN newest.user_id END AS user_id, count(*) AS requests
      FROM unnest(${slugs}::text[]) AS given (slug) CROSS JOIN LATERAL (
        SELECT g.workspace_id, g.key_id, g.user_id FROM generations g
        WHERE g.organization_id = ${organizationId}::uuid AND g.model = given.slug AND g.created_at >= ${since}
        ORDER BY g.created_at DESC LIMIT ${MOST_REQUESTS}
      ) newest
      ${workspaceId === null ? empty : sql`WHERE newest.workspace_id = ${workspaceId}::uuid`}
      GROUP BY 1, 2, 3
    ), ranked AS (
      SELECT users.slug, CASE WHEN keys.id IS NULL THEN 'member' ELSE 'key' END AS type, coalesce(keys.hash, members.id) AS id,
        coalesce(keys.name, ${nameSql("members")}) AS name, (count(*) OVER (PARTITION BY users.slug))::int AS total_count,
        row_number() OVER (PARTITION BY users.slug ORDER BY users.requests DESC, keys.id, members.id) AS rank
      FROM users
        LEFT JOIN keys ON keys.organization_id = ${organizationId}::uuid AND keys.id = users.key_id AND keys.deleted_at IS NULL
        LEFT JOIN members ON members.organization_id = ${organizationId}::uuid AND members.id = users.user_id AND members.deleted_at IS NULL
      WHERE keys.id IS NOT NULL OR members.id IS NOT NULL
    )
    SELECT slug, type, id, name, total_count FROM ranked WHERE rank <= ${MOST_USERS} ORDER BY slug, rank`;
  const users = new Map<string, Deprecated["used_by"]>();
  for (const { slug, total_count, ...user } of rows) {
    const { data } = users.get(slug) ?? { data: [] };
    users.set(slug, { total_count, data: [...data, user] });
  }
  return users;
}
