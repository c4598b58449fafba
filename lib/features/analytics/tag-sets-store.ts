import "server-only";
import { Prisma } from "../../../prisma/generated/client";

const { sql, raw } = Prisma;

/** More than an organization has sets of tags: a pair of their numbers is one number. */
const SETS = "1000000";

/** Queries before a statement: numbers from 1 for the tags of keys and members, and those that have tags. */
export function tagSets(organizationId: string): Prisma.Sql {
  const tagsIn = (table: "keys" | "members") =>
    sql`SELECT tags FROM ${raw(table)} WHERE organization_id = ${organizationId}::uuid AND tags <> '{}'`;
  const tagged = (table: "keys" | "members") => sql`tagged_${raw(table)} AS MATERIALIZED (
    SELECT id, number FROM ${raw(table)} JOIN tag_sets USING (tags) WHERE organization_id = ${organizationId}::uuid
  )`;
  return sql`WITH tag_sets AS MATERIALIZED (
    SELECT tags, row_number() OVER () AS number FROM (${tagsIn("keys")} UNION ${tagsIn("members")}) sets
  ), ${tagged("keys")}, ${tagged("members")}`;
}

/** Number for the tags of a row of rollups `r`: rows with the same tags are added up before their sums are repeated for each tag. */
export const SET_OF_ROW = `coalesce(tagged_keys.number, 0) * ${SETS} + coalesce(tagged_members.number, 0)`;

/** Joins what `SET_OF_ROW` needs. Without tagged members, no row is looked up among them. */
export const SET_JOINS = sql`LEFT JOIN tagged_keys ON tagged_keys.id = r.key_id
  LEFT JOIN tagged_members ON tagged_members.id = CASE WHEN (SELECT EXISTS (SELECT FROM tagged_members)) THEN r.user_id END`;

/**
 * Ends a query of rows with their numbers. The planner multiplies the numbers of keys and members, and would sort all rows; from the result of a
 * query, it expects few numbers.
 */
export const OF_FEW_SETS = sql`OFFSET 0`;

const eachTag = (keyTags: string, memberTags: string) => sql`LEFT JOIN LATERAL unnest(
    CASE WHEN ${raw(memberTags)} <> '{}' THEN ARRAY(SELECT DISTINCT unnest(${raw(keyTags)} || ${raw(memberTags)})) ELSE ${raw(keyTags)} END
  ) AS tagged(tag) ON true`;

/** Joins a row for each tag of a number, and one without a tag if there are none. */
export const tagsOfSet = (number: string): Prisma.Sql => sql`
  LEFT JOIN tag_sets key_set ON key_set.number = ${raw(number)} / ${raw(SETS)}
  LEFT JOIN tag_sets member_set ON member_set.number = ${raw(number)} % ${raw(SETS)}
  ${eachTag("key_set.tags", "member_set.tags")}`;

/** Joins a row for each tag of a key and its member, and one without a tag if they have none. */
export const tagsOf = (keyId: string, userId: string): Prisma.Sql => sql`
  LEFT JOIN keys ON keys.id = ${raw(keyId)} LEFT JOIN members ON members.id = ${raw(userId)}
  ${eachTag("keys.tags", "members.tags")}`;
