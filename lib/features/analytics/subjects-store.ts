import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { GenerationFilters } from "../../records/generations/contract";
import type { Scope } from "../../records/generations/page-store";
import { NO_ID } from "./measure-columns";

const { sql } = Prisma;

/** A key or member. */
export interface Subject {
  subject_id: string;
  is_member: boolean;
}

/** Busy keys and members: rollups of their own have their generations that were created from `since` on. */
export const BUSY = "busy AS MATERIALIZED (SELECT subject_id, since FROM busy_subjects)";

/** Joins generations `g` with the busy ones of their key and member, by their ids alone: only these tell them apart. */
export const OF_BUSY = `CROSS JOIN LATERAL (VALUES (g.key_id::text), (g.user_id)) AS ids(subject_id)
          JOIN busy ON busy.subject_id = ids.subject_id AND g.created_at >= busy.since`;

/** Days of which generations count. */
const COUNTED_DAYS = 100;
const nextWeek = (now: Date) =>
  sql`(date_trunc('week', ${now}::timestamptz AT TIME ZONE 'UTC') + interval '7 days') AT TIME ZONE 'UTC'`;

/** Marks keys and members with at least a number of generations as busy. Nothing has been added up for them but what is created from next week on. */
export const markBusy = (organizationId: string, least: number, now: Date): Prisma.Sql => {
  const counted = sql`organization_id = ${organizationId}::uuid AND grain = 'week' AND at >= ${now}::timestamptz - ${COUNTED_DAYS}::int * interval '1 day'`;
  return sql`
  INSERT INTO busy_subjects (organization_id, subject_id, is_member, since)
  SELECT ${organizationId}::uuid, subject_id, is_member, ${nextWeek(now)} FROM (
    SELECT key_id::text AS subject_id, false AS is_member, sum(requests) AS requests FROM key_rollups WHERE ${counted} AND key_id <> ${NO_ID}::uuid GROUP BY key_id
    UNION ALL SELECT user_id, true, sum(requests) FROM member_rollups WHERE ${counted} AND user_id <> '' GROUP BY user_id
  ) subjects WHERE requests >= ${least}
  ON CONFLICT DO NOTHING`;
};

/** One that isn't added up completely. */
export const unfinished = (organizationId: string): Prisma.Sql => sql`
  SELECT subject_id, is_member, since FROM busy_subjects
  WHERE organization_id = ${organizationId}::uuid AND since > '-infinity' ORDER BY since, subject_id LIMIT 1`;

/** Notes that its generations from a time on are added up: all of them, if none is earlier. */
export const addedSince = (organizationId: string, { subject_id, is_member }: Subject, since: Date): Prisma.Sql => sql`
  UPDATE busy_subjects SET since = CASE WHEN EXISTS (
    SELECT FROM generations WHERE ${is_member ? sql`user_id = ${subject_id}` : sql`key_id = ${subject_id}::uuid`} AND created_at < ${since}
  ) THEN ${since}::timestamptz ELSE '-infinity' END
  WHERE organization_id = ${organizationId}::uuid AND subject_id = ${subject_id}`;

/** The busy key or member to which generations are restricted. */
export interface Busy {
  id: string;
  dimension: "key" | "member";
}

/** Returns the one key, or else the one member, of the filters, if its sums have all generations since a time. */
export async function busyOf(
  db: Database,
  scope: Scope,
  filters: Pick<GenerationFilters, "key_hash" | "user_id">,
  since: Date,
): Promise<Busy | null> {
  const hashes = [filters.key_hash ?? []].flat();
  const users = new Set([scope.userId ?? [], filters.user_id ?? []].flat());
  const [user] = users;
  if (hashes.length > 1 || (hashes.length === 0 && (users.size > 1 || user === undefined))) return null;
  const isMember = hashes.length === 0;
  const id = isMember
    ? sql`${user}`
    : sql`(SELECT id::text FROM keys WHERE organization_id = ${scope.organizationId}::uuid AND hash = ${hashes[0]})`;
  const [busy] = await db.$queryRaw<{ id: string }[]>`
    SELECT subject_id AS id FROM busy_subjects JOIN rollup_progress USING (organization_id)
    WHERE organization_id = ${scope.organizationId}::uuid AND subject_id = ${id} AND is_member = ${isMember} AND since <= ${since}
      AND subjects_up_to = generation_id`;
  return busy ? { id: busy.id, dimension: isMember ? "member" : "key" } : null;
}
