import "server-only";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import { within } from "./bounds-store";
import {
  afterCursor,
  amongPresets,
  lateQuery,
  pageQuery,
  type Found,
  type LogQuery,
  type Place,
  type Recorded,
  type Scope,
  type Span,
} from "./page-store";
import { expectsFew, MOST_LOOKED_UP, withStrategy } from "./plan-store";
import { isWords } from "./search-store";

const { sql, empty, raw } = Prisma;

/** A tag, member or guardrail of more keys is frequent enough to be found without them. */
const MOST_KEYS = 200;
/** If more generations aren't in the sums yet, they aren't read one by one. */
const MOST_LATE = 5_000;
/** Spans of days that a statement reads, each with its own part. */
const MOST_SPANS = 4;
const DAY_MS = 24 * 60 * 60_000;
/** Stands for a missing key in sums. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Progress of the sums that narrowed a list. */
interface Narrowed {
  /** The sums have all generations up to here. */
  upTo: Recorded;
  /** True if more have been recorded since. */
  hasLater: boolean;
}

/** The next part of the log in which a number of generations may be found; null at its end. */
type NextPart = (sought: number) => Pick<LogQuery, "spans"> | null;

/**
 * Reads a page, newest first, plus one generation when another page follows. Two filters that are frequent each and hardly meet would be looked for in all
 * generations of one of them: sums tell which keys, and then which days, have both. What isn't in the sums yet is read by the order of recording.
 */
export async function readPage(
  db: Database,
  scope: Scope,
  query: LogQuery & Place,
  few = MOST_LOOKED_UP,
): Promise<Found[]> {
  const ofKeys = await keysOf(db, scope, query, few);
  const met = { ...query, ...ofKeys?.filters };
  const ofDays = ofKeys?.areFew ? null : await daysOf(db, scope, met, few);
  const planned = ofKeys ? await withStrategy(db, scope.organizationId, met, "months") : query;
  const next = ofDays
    ? byDays(ofDays.days)
    : inTurn(ofKeys?.filters.metKeyIds.length === 0 ? [] : await monthsOf(db, scope, planned));
  const found: Found[] = [];
  for (
    let part = next(query.limit + 1);
    part && found.length <= query.limit;
    part = next(query.limit + 1 - found.length)
  )
    found.push(
      ...(await db.$queryRaw<Found[]>(pageQuery(scope, { ...planned, ...part, limit: query.limit - found.length }))),
    );
  const narrowed = ofKeys ?? ofDays;
  if (!narrowed?.hasLater) return found;
  const later = await db.$queryRaw<Found[]>(lateQuery(scope, query, narrowed.upTo));
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...later.filter(({ id }) => !known.has(id))]
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, query.limit + 1);
}

/** One part after the other. */
function inTurn(parts: readonly Pick<LogQuery, "spans">[]): NextPart {
  let taken = 0;
  return () => parts[taken++] ?? null;
}

/** As many days as are needed. */
function byDays(days: readonly Day[]): NextPart {
  let left = days;
  return (sought) => {
    if (left.length === 0) return null;
    const { spans, rest } = nextSpans(left, sought);
    left = rest;
    return { spans };
  };
}

/**
 * For rare words and for generations that have to be sorted, the newest month, the one before, and all earlier ones: their index is read for a month as a whole. Otherwise
 * all months together, as lists in order of time end when the page is full.
 */
async function monthsOf(
  db: Database,
  { organizationId }: Scope,
  query: LogQuery & Place,
): Promise<Pick<LogQuery, "spans">[]> {
  if (query.strategy !== "words" && query.strategy !== "sorted_generations") return [{}];
  const [newest] = await db.$queryRaw<{ month: Date | null; before: Date }[]>`
    SELECT month, month - interval '1 month' AS before FROM (
      SELECT date_trunc('month', max(g.created_at) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS month FROM generations g
      WHERE g.organization_id = ${organizationId}::uuid ${within(sql`g.created_at`, { ...query, until: afterCursor(query).until })}
    ) newest`;
  if (!newest?.month) return [];
  const [first, last] = [new Date(0), new Date("9999-01-01T00:00:00Z")];
  const { month, before } = newest;
  return [
    { spans: [{ from: month, to: last }] },
    { spans: [{ from: before, to: month }] },
    { spans: [{ from: first, to: before }] },
  ];
}

/**
 * The position of the sums, and how many generations were recorded after it. No row unless the sums, and those of a key or member, are complete. The order
 * makes the planner use its index: not knowing the position, it expects a third of the log.
 */
const position = (organizationId: string, subjectId?: string) => sql`
  position AS MATERIALIZED (
    SELECT recorded_in, generation_id, (
      SELECT count(*) FROM (
        SELECT FROM generations g WHERE g.organization_id = ${organizationId}::uuid AND (g.recorded_in, g.id) > (progress.recorded_in, progress.generation_id)
        ORDER BY g.recorded_in LIMIT ${MOST_LATE + 1}
      ) late
    ) AS late
    FROM rollup_progress progress
    WHERE organization_id = ${organizationId}::uuid AND recorded_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      ${
        subjectId === undefined
          ? empty
          : sql`AND subjects_up_to = generation_id AND EXISTS (
        SELECT FROM busy_subjects WHERE organization_id = ${organizationId}::uuid AND subject_id = ${subjectId} AND since = '-infinity'
      )`
      }
  )`;

interface PositionRow {
  recorded_in: bigint;
  generation_id: string;
  late: bigint;
}
const toNarrowed = ({ recorded_in, generation_id, late }: PositionRow): Narrowed => ({
  upTo: [recorded_in, generation_id],
  hasLater: late > 0n,
});

/** Keys that meet at least two of: a tag, a member, a guardrail, a key; or a guardrail's keys, whose index has costs. */
interface MetKeys extends Narrowed {
  /** They take the place of a tag, whose frequency the planner doesn't know. */
  filters: { metKeyIds: string[]; tag?: undefined };
  /** True if their generations are so few that they can all be read. */
  areFew: boolean;
}

/** Null if there are many such keys, or if their many generations say no more than the filters do. */
async function keysOf(db: Database, scope: Scope, query: LogQuery, few: number): Promise<MetKeys | null> {
  const { organizationId, userId } = scope;
  const users = [query.user_id ?? [], userId ?? []].flat();
  const guardrails = [query.blocked_by ?? query.guardrail_id ?? []].flat();
  const tags = [query.tag ?? []].flat();
  const { keyIds } = query;
  const given = [users.length, guardrails.length, tags.length, keyIds?.length, guardrails.length && query.min_cost];
  if (given.filter(Boolean).length < 2) return null;
  const rows = await db.$queryRaw<(PositionRow & { key_ids: string[]; are_tagged: boolean })[]>`
    WITH ${position(organizationId)}, met AS MATERIALIZED (
      SELECT DISTINCT placed.key_id, ${tags.length === 0 ? sql`true` : sql`coalesce(keys.tags && ${tags}::text[], false)`} AS is_tagged FROM tag_placements placed
        ${
          tags.length === 0
            ? empty
            : sql`LEFT JOIN keys ON keys.organization_id = placed.organization_id AND keys.id = placed.key_id
        LEFT JOIN members ON members.organization_id = placed.organization_id AND members.id = placed.user_id`
        }
      WHERE placed.organization_id = ${organizationId}::uuid
        ${tags.length === 0 ? empty : sql`AND (keys.tags && ${tags}::text[] OR members.tags && ${tags}::text[])`}
        ${users.length === 0 ? empty : sql`AND placed.user_id = ANY(${users}::text[])`}
        ${keyIds === undefined ? empty : sql`AND placed.key_id = ANY(${keyIds}::text[]::uuid[])`}
        ${
          guardrails.length === 0
            ? empty
            : sql`AND EXISTS (
          SELECT FROM guardrail_keys decided
          WHERE decided.organization_id = placed.organization_id AND decided.guardrail_id = ANY(${guardrails}::text[]::uuid[]) AND decided.key_id = placed.key_id
        )`
        }
      LIMIT ${MOST_KEYS + 1}
    )
    SELECT position.*, ARRAY(SELECT key_id::text FROM met) AS key_ids, (SELECT coalesce(bool_and(is_tagged), true) FROM met) AS are_tagged
    FROM position WHERE late <= ${MOST_LATE}`;
  const [row] = rows;
  if (!row || row.key_ids.length > MOST_KEYS || row.key_ids.includes(NO_ID)) return null;
  const metKeyIds = row.key_ids;
  const areFew = metKeyIds.length === 0 || (await expectsFew(db, scope, { metKeyIds }, few));
  const isTag = tags.length > 0 && row.are_tagged;
  if (!areFew && !isTag && query.min_cost === undefined) return null;
  return { ...toNarrowed(row), filters: { metKeyIds, ...(isTag && { tag: undefined }) }, areFew };
}

/** Days, or weeks, with generations, newest first. */
interface Day extends Span {
  requests: number;
}

const OF_MODELS = ["workspace_id", "status", "model", "provider"] as const;
const OF_GUARDRAILS = [...OF_MODELS, "guardrail_id", "blocked_by"] as const;
const OF_PRESETS = [...OF_MODELS, "protocol", "preset"] as const;
/** Filters that leave few of a key's or member's sums. Its requests of a status or protocol are many. */
const OF_SUBJECTS = ["model", "provider", "guardrail_id", "blocked_by", "preset"] as const;

/** Sums that have at least two of the filters. */
interface Source {
  table: "usage_rollups" | "preset_rollups" | "subject_rollups";
  grain: "day" | "week";
  /** The key or member whose sums are read. */
  subjectId?: string | undefined;
}

async function sourceOf(db: Database, scope: Scope, query: LogQuery, few: number): Promise<Source | null> {
  const { session_id, trace_id, q, strategy, keyIds } = query;
  if (session_id !== undefined || trace_id !== undefined) return null;
  if (q !== undefined && (strategy === "words" || !isWords(q))) return null;
  const given = (names: readonly (keyof LogQuery)[]) => names.filter((name) => query[name] !== undefined).length;
  const users = [query.user_id ?? scope.userId ?? []].flat();
  const subjects = keyIds ?? users;
  if (subjects.length === 1 && given(OF_SUBJECTS) > 0)
    return { table: "subject_rollups", grain: "day", subjectId: subjects[0] };
  const [byGuardrail, byPreset] = [given(OF_GUARDRAILS), given(OF_PRESETS)];
  if (Math.max(byGuardrail, byPreset) < 2) return null;
  if (byGuardrail >= byPreset) return { table: "usage_rollups", grain: "day" };
  return (await hasRare(db, scope, query, few)) ? null : { table: "preset_rollups", grain: "week" };
}

/** True if one of the filters has so few generations that they can all be read, or none is of an index. The weeks of presets are many rows. */
async function hasRare(db: Database, scope: Scope, query: LogQuery, few: number): Promise<boolean> {
  const names = (["model", "provider", "preset"] as const).filter((name) => query[name] !== undefined);
  for (const name of names) if (await expectsFew(db, scope, { [name]: query[name] }, few)) return true;
  return names.length === 0;
}

/** The days on which the filters meet, as far as a table of sums has at least two of them. */
async function daysOf(
  db: Database,
  scope: Scope,
  query: LogQuery & Place,
  few: number,
): Promise<(Narrowed & { days: Day[] }) | null> {
  const source = await sourceOf(db, scope, query, few);
  if (!source) return null;
  const length = source.grain === "day" ? DAY_MS : 7 * DAY_MS;
  const rows = await db.$queryRaw<(PositionRow & { days: { at: string; requests: number }[] | null })[]>`
    WITH ${position(scope.organizationId, source.subjectId)}, days AS MATERIALIZED (
      SELECT r.at, sum(${raw(query.blocked_by === undefined || source.table === "preset_rollups" ? "r.requests" : "r.blocks")})::float8 AS requests
      FROM ${raw(source.table)} r WHERE ${sumsConditions(scope, query, source, length)} GROUP BY r.at
    )
    SELECT position.*, (SELECT json_agg(days ORDER BY at DESC) FROM days WHERE requests > 0) AS days FROM position WHERE late <= ${MOST_LATE}`;
  const [row] = rows;
  if (!row) return null;
  const days = (row.days ?? []).map(({ at, requests }) => {
    const from = new Date(at);
    return { from, to: new Date(from.getTime() + length), requests };
  });
  return { ...toNarrowed(row), days };
}

/** SQL for the filters on rows `r` of sums, as far as these tell them apart. */
function sumsConditions(
  scope: Scope,
  query: LogQuery & Place,
  { table, grain, subjectId }: Source,
  length: number,
): Prisma.Sql {
  const among = (column: string, type: string, values: string | readonly string[] | undefined) =>
    values === undefined ? empty : sql`AND r.${raw(column)} = ANY(${[values].flat()}::text[]::${raw(type)}[])`;
  const from = query.from === undefined ? undefined : new Date(new Date(query.from).getTime() - length).toISOString();
  const ofGuardrails = among("guardrail_id", "uuid", query.blocked_by ?? query.guardrail_id ?? NO_ID);
  const ofPresets = sql`${among("api_type", "protocol", query.protocol)} ${amongPresets(sql`r.preset_id`, scope, query.preset)}`;
  return sql`r.organization_id = ${scope.organizationId}::uuid AND r.grain = ${grain}::rollup_grain
    ${subjectId === undefined ? empty : sql`AND r.subject_id = ${subjectId}`}
    ${table === "preset_rollups" ? empty : ofGuardrails} ${table === "usage_rollups" ? empty : ofPresets}
    ${within(sql`r.at`, { from, to: query.to, until: afterCursor(query).until })}
    ${among("workspace_id", "uuid", query.workspace_id)} ${among("status", "generation_status", query.status)}
    ${among("model", "text", query.model)} ${among("provider_slug", "text", query.provider)}`;
}

/** The next spans of consecutive days in which a number of generations can be found. The first day may be cut off by the cursor. */
function nextSpans(days: readonly Day[], sought: number): { spans: Span[]; rest: readonly Day[] } {
  const spans: Span[] = [];
  let [found, taken] = [0, 0];
  for (const { from, to, requests } of days) {
    const last = spans.at(-1);
    if (last?.from.getTime() === to.getTime()) last.from = from;
    else if (spans.length === MOST_SPANS) break;
    else spans.push({ from, to });
    if (taken > 0) found += requests;
    taken += 1;
    if (found >= sought) break;
  }
  return { spans, rest: days.slice(taken) };
}
