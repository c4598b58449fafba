import "server-only";
import type { Limit as Row } from "../../../prisma/generated/client";
import type { LimitSubject } from "../../engine/budgets/vocabulary";
import { conflict, fieldConflict, invalid, notFound, preconditionFailed } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { lockedWorkspaceIdOfBody } from "../workspaces/store";
import { limitIssues, type Limit } from "./contract";
import type * as contract from "./contract";
import { toRule } from "../budgets/limit-rows";
import { toColumns, toLimit, toStanding } from "./rows";
import { countStandings, standingsOf } from "./standings-store";
import { findSubjects, nameSubjects } from "./subjects-store";
import { MOST_LIMITS } from "../../engine/budgets/vocabulary";
import { lockOrganization } from "../organization/lock-store";

async function find(db: Database, { caller }: Context, id: string): Promise<Row> {
  const row = await db.limit.findFirst({ where: { id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return row;
}

async function lock(db: Database, context: Context, id: string): Promise<Row> {
  await lockOrganization(db, context.caller.organizationId);
  const row = await find(db, context, id);
  if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
  return row;
}

/** Returns limits with the names of their subjects, and the subject closest to each. */
async function shown(db: Database, { caller, now }: Context, rows: readonly Row[]): Promise<Limit[]> {
  if (rows.length === 0) return [];
  const standings = await standingsOf(db, rows.map(toRule), { skip: 0, take: 1 }, now);
  const closest = new Map(standings.map((standing) => [standing.limit_id, standing]));
  const nameOf = await nameSubjects(
    db,
    caller.organizationId,
    rows.flatMap(({ id, subject, subjectIds }) =>
      [...subjectIds, closest.get(id)?.subject_id ?? ""].map((subjectId) => ({ type: subject, id: subjectId })),
    ),
  );
  return rows.map((row) => {
    const standing = closest.get(row.id);
    return toLimit(row, nameOf, standing ? toStanding(toRule(row), standing, nameOf, row.countsSince, now) : null);
  });
}

/** Returns a limit as stored, for the audit log and responses of changes. */
async function one(db: Database, context: Context, row: Row): Promise<Limit> {
  const [limit] = await shown(db, context, [row]);
  if (!limit) throw notFound();
  return limit;
}

const auditOf = ({ closest: _, ...limit }: Limit) => limit;
const target = ({ id, name }: Row) => ({ type: "limit", id, name });

/** Subjects that a key or member has, by which a list is filtered; null for any subject. */
type Subjects = ReadonlyMap<LimitSubject, readonly string[]>;

async function subjectsOf(
  { db, caller }: Context,
  { key_hash, user_id }: Input<typeof contract.listLimits>["query"],
): Promise<Subjects | null> {
  const { organizationId } = caller;
  if (key_hash !== undefined) {
    const key = await db.key.findFirst({
      where: { organizationId, hash: key_hash, deletedAt: null },
      include: { creator: { select: { tags: true } } },
    });
    if (!key) throw notFound({ key_hash });
    return new Map<LimitSubject, string[]>([
      ["workspace", [key.workspaceId]],
      ["tag", [...key.tags, ...(key.creator?.tags ?? [])]],
      ["member", key.creatorUserId === null ? [] : [key.creatorUserId]],
      ["key", [key.id]],
      ["keys", [key.id]],
    ]);
  }
  if (user_id === undefined) return null;
  const member = await db.member.findFirst({ where: { organizationId, id: user_id, deletedAt: null } });
  if (!member) throw notFound({ user_id });
  return new Map<LimitSubject, string[]>([
    ["tag", member.tags],
    ["member", [member.id]],
  ]);
}

function isOfSubjects({ subject, isForEach, subjectIds }: Row, subjects: Subjects): boolean {
  if (subject === "organization") return true;
  const ids = subjects.get(subject) ?? [];
  return isForEach ? ids.length > 0 : subjectIds.some((id) => ids.includes(id));
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listLimits>,
): Promise<Result<typeof contract.listLimits>> {
  const { db, caller } = context;
  const { subject_type, workspace_id } = query;
  const subjects = await subjectsOf(context, query);
  const workspaceId = workspace_id ?? subjects?.get("workspace")?.[0];
  const rows = await db.limit.findMany({
    where: {
      organizationId: caller.organizationId,
      ...(subject_type !== undefined && { subject: subject_type }),
      ...(workspaceId !== undefined && { OR: [{ workspaceId: null }, { workspaceId }] }),
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MOST_LIMITS,
  });
  const listed = rows.filter(
    (row) =>
      (subjects === null || isOfSubjects(row, subjects)) &&
      (workspace_id === undefined ||
        row.subject !== "workspace" ||
        row.isForEach ||
        row.subjectIds.includes(workspace_id)),
  );
  const { skip, take } = skipTake(query);
  return { data: await shown(db, context, listed.slice(skip, skip + take)), total_count: listed.length };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getLimit>,
): Promise<Result<typeof contract.getLimit>> {
  return { data: await one(context.db, context, await find(context.db, context, params.id)) };
}

export async function subjects(
  context: Context,
  { params, query }: Input<typeof contract.listLimitSubjects>,
): Promise<Result<typeof contract.listLimitSubjects>> {
  const { db, caller, now } = context;
  const row = await find(db, context, params.id);
  const rule = toRule(row);
  const standings = await standingsOf(db, [rule], skipTake(query), now);
  const nameOf = await nameSubjects(
    db,
    caller.organizationId,
    standings.map(({ subject_id }) => ({ type: row.subject, id: subject_id })),
  );
  return {
    data: standings.map((standing) => toStanding(rule, standing, nameOf, row.countsSince, now)),
    total_count: await countStandings(db, rule, now),
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

/** Returns the stored ids of subjects. */
async function storedIds(
  db: Database,
  { caller }: Context,
  type: LimitSubject,
  ids: readonly string[] | null,
): Promise<string[]> {
  if (ids === null) return [];
  const found = new Map((await findSubjects(db, caller.organizationId, type, ids)).map((each) => [each.id, each]));
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
        createdAt: now,
      },
    });
    const data = await one(db, context, row);
    await recordChange(db, context, {
      action: "limit.create",
      target: target(row),
      workspaceId: row.workspaceId,
      after: auditOf(data),
    });
    return { data };
  });
}

/** True when a change makes a limit count from now on. */
const isAnotherPeriod = (before: Limit, after: Limit): boolean =>
  before.reset_interval !== after.reset_interval ||
  before.time_zone !== after.time_zone ||
  JSON.stringify(before.starts) !== JSON.stringify(after.starts) ||
  (!before.enabled && after.enabled);

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateLimit>,
): Promise<Result<typeof contract.updateLimit>> {
  const { now } = context;
  return inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    const before = await one(db, context, row);
    const changed: Limit = { ...before, ...withoutUndefined(body) };
    const issues = limitIssues(changed);
    if (issues.length > 0) throw invalid(issues.map((issue) => ({ ...issue, code: "custom" })));
    await assertUniqueName(db, context, changed.name, row.id);
    const updated = await db.limit.update({
      where: { id: row.id },
      data: {
        ...toColumns(changed),
        ...(body.subject_ids !== undefined && {
          subjectIds: await storedIds(db, context, row.subject, body.subject_ids),
          isForEach: body.subject_ids === null && row.subject !== "organization",
        }),
        ...(isAnotherPeriod(before, changed) && { countsSince: now }),
        revision: row.revision + 1,
        updatedAt: now,
      },
    });
    const data = await one(db, context, updated);
    await recordChange(db, context, {
      action: "limit.update",
      target: target(updated),
      workspaceId: row.workspaceId,
      before: auditOf(before),
      after: auditOf(data),
    });
    return { data };
  });
}

const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };

/** Deletes a limit. What it counted is deleted later, because running requests still refer to it. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteLimit>,
): Promise<Result<typeof contract.deleteLimit>> {
  return inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    const before = await one(db, context, row);
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
