import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { MEASURE_NAMES, NO_ID } from "./measure-columns";

const { sql, raw } = Prisma;

const tagsIn = (table: "keys" | "members") => `coalesce(${table}.tags, '{}')`;
const SET_OF_BOTH = `ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest(${tagsIn("keys")} || ${tagsIn("members")}) tag ORDER BY 1)`;
const idOf = (tags: string) => `md5(${tags}::text)::uuid`;

/** The key and member of a generation `g`, as rollups have them. */
export const KEY_OF_ROW = `coalesce(g.key_id, '${NO_ID}')`;
export const MEMBER_OF_ROW = "coalesce(g.user_id, '')";

/** Keys and members of the generations in `counted`, with the tag sets that contain their sums or will contain them. */
export const PLACED = `placed AS MATERIALIZED (
    SELECT pairs.*, ${tagsIn("keys")} AS key_tags, ${tagsIn("members")} AS member_tags, sets.tags,
      stored.tag_set_id IS NULL AS is_new, coalesce(stored.tag_set_id, ${idOf("sets.tags")}) AS tag_set_id
    FROM (SELECT DISTINCT organization_id, ${KEY_OF_ROW} AS key_id, ${MEMBER_OF_ROW} AS user_id FROM counted g) pairs
      LEFT JOIN tag_placements stored USING (organization_id, key_id, user_id)
      LEFT JOIN keys ON keys.id = pairs.key_id LEFT JOIN members ON members.id = pairs.user_id
      CROSS JOIN LATERAL (SELECT ${SET_OF_BOTH}) sets(tags)
  )`;

const PLACEMENT = "organization_id, key_id, user_id, key_tags, member_tags, tag_set_id";

/** Stores those that are new. Only the holder of the lock of an organization's progress does that. */
export const STORED_PLACEMENTS = `new_sets AS (
    INSERT INTO tag_sets (organization_id, id, tags) SELECT DISTINCT organization_id, tag_set_id, tags FROM placed WHERE is_new ON CONFLICT DO NOTHING
  ), new_placements AS (
    INSERT INTO tag_placements (${PLACEMENT}) SELECT ${PLACEMENT} FROM placed WHERE is_new
  )`;

/** Keys and members whose tags have changed since their sums were placed. */
const outdated = (where: Prisma.Sql): Prisma.Sql => sql`
  SELECT changed.*, ${raw(idOf("tags"))} AS new_set_id FROM (
    SELECT placed.organization_id, placed.key_id, placed.user_id, placed.tag_set_id, ${raw(tagsIn("keys"))} AS key_tags, ${raw(tagsIn("members"))} AS member_tags,
      ${raw(SET_OF_BOTH)} AS tags
    FROM tag_placements placed
    LEFT JOIN keys ON keys.organization_id = placed.organization_id AND keys.id = placed.key_id
    LEFT JOIN members ON members.organization_id = placed.organization_id AND members.id = placed.user_id
  WHERE ${where} AND (placed.key_tags <> ${raw(tagsIn("keys"))} OR placed.member_tags <> ${raw(tagsIn("members"))})
    OFFSET 0
  ) changed`;

const ofOrganization = (organizationId: string) => sql`placed.organization_id = ${organizationId}::uuid`;

/** Organizations that have such keys and members. */
export const outdatedOrganizations = sql`SELECT DISTINCT organization_id::text FROM (${outdated(sql`true`)}) outdated`;

const sums = (of: (name: string) => string) => raw(MEASURE_NAMES.map(of).join(", "));

/** Sums of these keys and members: away from their former set, and to the new one. `and` restricts the rows `r` of `key_rollups`. */
const moves = (organizationId: string, and: Prisma.Sql) => sql`
  SELECT r.organization_id, r.grain, r.at, r.workspace_id, r.status, change.tag_set_id, ${sums((name) => `change.sign * r.${name} AS ${name}`)}
  FROM outdated CROSS JOIN LATERAL (
    SELECT r.* FROM key_rollups r
    WHERE r.organization_id = ${organizationId}::uuid AND r.key_id = outdated.key_id AND r.user_id = outdated.user_id ${and} OFFSET 0
  ) r CROSS JOIN LATERAL (VALUES (-1, outdated.tag_set_id), (1, outdated.new_set_id)) AS change(sign, tag_set_id)`;

/** Queries before a statement that reads `tagRows`: `outdated`, and the tags of all sets. */
export const withTagSets = (organizationId: string): Prisma.Sql => sql`
  WITH outdated AS MATERIALIZED (${outdated(ofOrganization(organizationId))}), sets AS MATERIALIZED (
    SELECT id, tags FROM tag_sets WHERE organization_id = ${organizationId}::uuid UNION SELECT new_set_id, tags FROM outdated
  )`;

/** Rows of sums by current tags: those of tag sets, and what hasn't been moved yet. `inPart` restricts rows `r` by grain and time. */
export const tagRows = (organizationId: string, inPart: Prisma.Sql): Prisma.Sql => sql`(
    SELECT r.organization_id, r.grain, r.at, r.workspace_id, r.status, r.tag_set_id, ${sums((name) => `r.${name}`)} FROM tag_rollups r
    UNION ALL
    SELECT organization_id, grain, at, workspace_id, status, tag_set_id, ${sums((name) => name)} FROM (${moves(organizationId, inPart)}) moved
  )`;

/** Moves the sums of up to `limit` keys and members to the set of their tags. */
export const moveSums = (organizationId: string, limit: number): Prisma.Sql => sql`
  WITH outdated AS MATERIALIZED (${outdated(ofOrganization(organizationId))} LIMIT ${limit}), new_sets AS (
    INSERT INTO tag_sets (organization_id, id, tags)
    SELECT DISTINCT organization_id, new_set_id, tags FROM outdated ON CONFLICT DO NOTHING
  ), moved_sums AS (
    INSERT INTO tag_rollups (organization_id, grain, at, workspace_id, tag_set_id, status, ${sums((name) => name)})
    SELECT organization_id, grain, at, workspace_id, tag_set_id, status, ${sums((name) => `sum(${name})`)}
    FROM (${moves(organizationId, Prisma.empty)}) moved GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, grain, at, workspace_id, tag_set_id, status) DO UPDATE SET ${sums((name) => `${name} = tag_rollups.${name} + excluded.${name}`)}
  ), moved AS (
    UPDATE tag_placements placed SET key_tags = outdated.key_tags, member_tags = outdated.member_tags, tag_set_id = outdated.new_set_id FROM outdated
    WHERE placed.organization_id = outdated.organization_id AND placed.key_id = outdated.key_id AND placed.user_id = outdated.user_id
  )
  SELECT count(*)::int AS moved FROM outdated`;

/** Joins the key and the member that `TAGS_OF_BOTH` needs. */
export const joinBoth = (keyId: string, userId: string): Prisma.Sql =>
  sql`LEFT JOIN keys ON keys.id = ${raw(keyId)} LEFT JOIN members ON members.id = ${raw(userId)}`;

/** The tags of a key and its member, each once. */
export const TAGS_OF_BOTH = `CASE WHEN ${tagsIn("members")} <> '{}' THEN ${SET_OF_BOTH} ELSE ${tagsIn("keys")} END`;
