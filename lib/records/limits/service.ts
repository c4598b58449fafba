import "server-only";
import { isDeepStrictEqual } from "node:util";
import type { Limit as Row } from "../../../prisma/generated/client";
import { MOST_LIMITS, type LimitSubject } from "../../engine/budgets/vocabulary";
import { windowAt } from "../../engine/cycles";
import { conflict, fieldConflict, invalid, notFound, preconditionFailed } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import { workspacesOf, type Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { lockedWorkspaceIdOfBody } from "../workspaces/store";
import { limitIssues, type Limit } from "./contract";
import type * as contract from "./contract";
import { toRule } from "../budgets/limit-rows";
import { countedOf, subjectsOf, visibleOf } from "./filter-service";
import { toColumns, toLimit, toStanding } from "./rows";
import { countStandings, standingsOf } from "./standings-store";
import { findSubjects, nameSubjects } from "./subjects-store";
import { lockOrganization } from "../organization/lock-store";

async function find(db: Database, context: Context, id: string): Promise<Row> {
  const row = await db.limit.findFirst({ where: { id, organizationId: context.caller.organizationId } });
  const [visible] = row ? await visibleOf(context, [row]) : [];
  if (!visible) throw notFound();
  return visible;
}

async function lock(db: Database, context: Context, id: string): Promise<Row> {
  await lockOrganization(db, context.caller.organizationId);
  const row = await find(db, context, id);
  if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
  return row;
}

/** Returns limits with the names of their subjects, and the wanted subject that is closest to each. */
async function shown(
  context: Context,
  rows: readonly Row[],
  subjectIds?: ReadonlyMap<string, readonly string[]>,
): Promise<Limit[]> {
  if (rows.length === 0) return [];
  const { db, caller, now } = context;
  const filter = { workspaces: workspacesOf(context), subjectIds };
  const standings = await standingsOf(db, rows.map(toRule), filter, { skip: 0, take: 1 }, now);
  const closest = new Map(standings.map((standing) => [standing.limit_id, standing]));
  const nameOf = await nameSubjects(
    db,
    caller.organizationId,
    rows.flatMap(({ id, subject, subjectIds: named }) =>
      [...named, closest.get(id)?.subject_id ?? ""].map((subjectId) => ({ type: subject, id: subjectId })),
    ),
  );
  return rows.map((row) => {
    const standing = closest.get(row.id);
    return toLimit(row, nameOf, standing ? toStanding(toRule(row), standing, nameOf, row.countsSince, now) : null);
  });
}

/** Returns a limit with the subject closest to it. */
async function one(context: Context, row: Row): Promise<Limit> {
  const [limit] = await shown(context, [row]);
  if (!limit) throw notFound();
  return limit;
}

/** Returns a limit without its usage, which may be that of many subjects. */
async function stored(db: Database, { caller }: Context, row: Row): Promise<Limit> {
  const { subject, subjectIds } = row;
  const named = subjectIds.map((id) => ({ type: subject, id }));
  return toLimit(row, await nameSubjects(db, caller.organizationId, named), null);
}

const auditOf = ({ closest: _, ...limit }: Limit) => limit;
const target = ({ id, name }: Row) => ({ type: "limit", id, name });

export async function list(
  context: Context,
  { query }: Input<typeof contract.listLimits>,
): Promise<Result<typeof contract.listLimits>> {
  const { db, caller } = context;
  const { subject_type, workspace_id, metric } = query;
  const metrics = metric === undefined ? null : [metric].flat();
  const subjects = await subjectsOf(context, query);
  const workspaceId = workspace_id ?? subjects?.get("workspace")?.[0];
  const rows = await db.limit.findMany({
    where: {
      organizationId: caller.organizationId,
      ...(workspaceId !== undefined && { OR: [{ workspaceId: null }, { workspaceId }] }),
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MOST_LIMITS,
  });
  const counted = subjects && new Map(rows.map((row) => [row.id, countedOf(row, rows, subjects)]));
  const listed = (await visibleOf(context, rows)).filter(
    (row) =>
      (subject_type === undefined || row.subject === subject_type) &&
      (metrics === null || metrics.includes(row.metric)) &&
      (counted === null || counted.get(row.id)?.length) &&
      (workspace_id === undefined ||
        row.subject !== "workspace" ||
        row.isForEach ||
        row.subjectIds.includes(workspace_id)),
  );
  const { skip, take } = skipTake(query);
  return {
    data: await shown(context, listed.slice(skip, skip + take), counted ?? undefined),
    total_count: listed.length,
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getLimit>,
): Promise<Result<typeof contract.getLimit>> {
  return { data: await one(context, await find(context.db, context, params.id)) };
}

export async function subjects(
  context: Context,
  { params, query }: Input<typeof contract.listLimitSubjects>,
): Promise<Result<typeof contract.listLimitSubjects>> {
  const { db, caller, now } = context;
  const row = await find(db, context, params.id);
  const rule = toRule(row);
  const filter = { workspaces: workspacesOf(context) };
  const standings = await standingsOf(db, [rule], filter, skipTake(query), now);
  const nameOf = await nameSubjects(
    db,
    caller.organizationId,
    standings.map(({ subject_id }) => ({ type: row.subject, id: subject_id })),
  );
  return {
    data: standings.map((standing) => toStanding(rule, standing, nameOf, row.countsSince, now)),
    total_count: await countStandings(db, rule, filter, now),
  };
}

const NOUNS: Partial<Record<LimitSubject, string>> = {
  workspace: "a workspace",
  tag: "a tag",
  member: "a member",
  key: "an inference key",
  keys: "an inference key",
  model: "a model",
  provider: "a provider",
};

/**
 * Returns the stored ids of subjects.
 * @param held Those that the limit has, which may have been deleted since.
 */
async function storedIds(
  db: Database,
  { caller }: Context,
  type: LimitSubject,
  ids: readonly string[] | null,
  held: readonly string[] = [],
): Promise<string[]> {
  if (ids === null) return [];
  const nameOf = await nameSubjects(
    db,
    caller.organizationId,
    held.map((id) => ({ type, id })),
  );
  const known = [...held.map((id) => nameOf(type, id)), ...(await findSubjects(db, caller.organizationId, type, ids))];
  const found = new Map(known.map((each) => [each.id, each]));
  const issues = ids.flatMap((id, index) =>
    found.has(id)
      ? []
      : [
          {
            path: ["subject_ids", index],
            message: NOUNS[type] ? `is not ${NOUNS[type]} of the organization` : "must not contain NUL",
            code: "custom",
          },
        ],
  );
  if (issues.length > 0) throw invalid(issues);
  return ids.map((id) => found.get(id)?.storedId ?? id);
}

async function assertUniqueName(
  db: Database,
  { caller }: Context,
  name: string,
  besides: string | null,
): Promise<void> {
  const other = await db.limit.findFirst({
    where: { organizationId: caller.organizationId, name, ...(besides !== null && { id: { not: besides } }) },
  });
  if (other) throw fieldConflict("name", `There is already a limit named ${name}`);
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createLimit>,
): Promise<Result<typeof contract.createLimit>> {
  const { caller, now } = context;
  const { organizationId } = caller;
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    if ((await db.limit.count({ where: { organizationId } })) >= MOST_LIMITS)
      throw conflict(`An organization can have at most ${MOST_LIMITS} limits. Delete one first`);
    await assertUniqueName(db, context, body.name, null);
    const { workspace_id, subject_type, subject_ids, metric } = body;
    const row = await db.limit.create({
      data: {
        id: uuidv7(now),
        organizationId,
        workspaceId: workspace_id === null ? null : await lockedWorkspaceIdOfBody(db, context, workspace_id),
        subject: subject_type,
        subjectIds: await storedIds(db, context, subject_type, subject_ids),
        isForEach: subject_ids === null && subject_type !== "organization",
        metric,
        ...toColumns(body),
        countsSince: now,
        carriesSince: now,
        createdAt: now,
      },
    });
    const data = await stored(db, context, row);
    await recordChange(db, context, {
      action: "limit.create",
      target: target(row),
      workspaceId: row.workspaceId,
      after: auditOf(data),
    });
    return { data };
  });
}

/** Returns the columns of a change, with the times that follow from it. */
function changedColumns(row: Row, fields: Limit, subjectIds: string[] | null, now: Date) {
  const columns = {
    ...toColumns(fields),
    ...(subjectIds && { subjectIds, isForEach: fields.subject_ids === null && row.subject !== "organization" }),
  };
  const changed: Row = { ...row, ...columns };
  return {
    ...columns,
    ...(!isSamePeriod(row, changed, now) && { countsSince: now }),
    ...(!isDeepStrictEqual({ ...changed, name: row.name }, row) && { carriesSince: now }),
  };
}

/** True when a limit goes on with the period in which it last counted. */
function isSamePeriod(row: Row, changed: Row, now: Date): boolean {
  const last = windowAt(toRule(row).cycle, row.enabled ? now : (row.updatedAt ?? row.createdAt));
  return row.window === changed.window && last.start.getTime() === windowAt(toRule(changed).cycle, now).start.getTime();
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateLimit>,
): Promise<Result<typeof contract.updateLimit>> {
  const { now } = context;
  const saved = await inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    const before = await stored(db, context, row);
    const changed: Limit = { ...before, ...body, starts: { ...before.starts, ...body.starts } };
    const issues = limitIssues(changed);
    if (issues.length > 0) throw invalid(issues.map((issue) => ({ ...issue, code: "custom" })));
    await assertUniqueName(db, context, changed.name, row.id);
    const subjectIds =
      body.subject_ids === undefined
        ? null
        : await storedIds(db, context, row.subject, body.subject_ids, row.subjectIds);
    const updated = await db.limit.update({
      where: { id: row.id },
      data: { ...changedColumns(row, changed, subjectIds, now), revision: row.revision + 1, updatedAt: now },
    });
    await recordChange(db, context, {
      action: "limit.update",
      target: target(updated),
      workspaceId: row.workspaceId,
      before: auditOf(before),
      after: auditOf(await stored(db, context, updated)),
    });
    return updated;
  });
  return { data: await one(context, saved) };
}

/** Deletes a limit. What it counted is deleted later, because running requests still refer to it. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteLimit>,
): Promise<Result<typeof contract.deleteLimit>> {
  return inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    const before = await stored(db, context, row);
    await db.limit.delete({ where: { id: row.id } });
    await recordChange(db, context, {
      action: "limit.delete",
      target: target(row),
      workspaceId: row.workspaceId,
      before: auditOf(before),
    });
    return { deleted: true as const };
  });
}
