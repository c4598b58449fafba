import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import { ownOnly, workspacesOf, type Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { toGuardrail } from "../../records/guardrails/rows";
import { conflict, invalid, notFound, type Issue } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { nameOf } from "../../records/members/name";
import { toMicroUsd } from "../../engine/money";
import type * as contract from "../../records/exceptions/contract";
import { concerns, exceptionIssues } from "../../records/exceptions/rules";
import { toException, withNames, type ExceptionRow } from "./rows";
import { MAX_ACTIVE_EXCEPTIONS } from "../../records/exceptions/vocabulary";

/** Filters the exceptions of the organization, without those of deleted keys, members and guardrails. */
const existing = ({ caller }: Context): Prisma.ExceptionWhereInput => ({
  organizationId: caller.organizationId,
  AND: [
    { OR: [{ key: { deletedAt: null } }, { member: { deletedAt: null } }] },
    { OR: [{ guardrailId: null }, { guardrail: { deletedAt: null } }] },
  ],
});

/** Filters the exceptions visible to the caller: all of the organization, or a member's own and those of their keys. */
const visibleTo = (context: Context): Prisma.ExceptionWhereInput => {
  const { caller } = context;
  if (!ownOnly(caller, "guardrails:read")) return existing(context);
  return { AND: [existing(context), { OR: [{ userId: caller.userId }, { key: { creatorUserId: caller.userId } }] }] };
};

/** SQL equivalent of `isActive`. */
const activeAt = (now: Date): Prisma.ExceptionWhereInput => ({
  createdAt: { lte: now },
  expiresAt: { gt: now },
  OR: [{ endedAt: null }, { endedAt: { gt: now } }],
});

const target = ({ id, reason }: { id: string; reason: string }) => ({ type: "exception", id, name: reason });

const newestFirst = [
  { createdAt: "desc" },
  { id: "desc" },
] as const satisfies Prisma.ExceptionOrderByWithRelationInput[];

/** Converts exceptions to API objects, with the names of the granting members. */
async function toExceptions(
  db: Database,
  { caller, now }: Context,
  rows: readonly ExceptionRow[],
): Promise<contract.Exception[]> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const authors = await db.member.findMany({ where: { id: { in: ids }, organizationId: caller.organizationId } });
  const names = new Map(authors.map((author) => [author.id, nameOf(author)]));
  return rows.map((row) => toException(row, names, now));
}

/** Returns exceptions, newest first. */
async function findAll(
  db: Database,
  context: Context,
  where: Prisma.ExceptionWhereInput,
  take: number,
): Promise<contract.Exception[]> {
  const rows = await db.exception.findMany({
    where,
    include: withNames,
    orderBy: [...newestFirst],
    take,
  });
  return toExceptions(db, context, rows);
}

async function find(db: Database, context: Context, id: string): Promise<contract.Exception> {
  const [found] = await findAll(db, context, { AND: [visibleTo(context), { id }] }, 1);
  if (!found) throw notFound();
  return found;
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listExceptions>,
): Promise<Result<typeof contract.listExceptions>> {
  const { key_hash, user_id, guardrail_id, active } = query;
  const holds = activeAt(context.now);
  const where: Prisma.ExceptionWhereInput = {
    AND: [
      visibleTo(context),
      key_hash === undefined ? {} : { key: { hash: key_hash } },
      { userId: user_id, guardrailId: guardrail_id },
      active === undefined ? {} : active === "true" ? holds : { NOT: holds },
    ],
  };
  const { exceptions, _count } = await context.db.organization.findUniqueOrThrow({
    where: { id: context.caller.organizationId },
    select: {
      exceptions: { where, include: withNames, orderBy: [...newestFirst], ...skipTake(query) },
      _count: { select: { exceptions: { where } } },
    },
  });
  return { data: await toExceptions(context.db, context, exceptions), total_count: _count.exceptions };
}

/** Returns the active exceptions of a key and its creator, whom the caller may see, to guardrails that the caller may see. */
export const activeOf = (
  context: Context,
  { keyId, userId }: { keyId: string | null; userId: string | null },
): Promise<contract.Exception[]> => {
  const whose = [...(keyId === null ? [] : [{ keyId }]), ...(userId === null ? [] : [{ userId }])];
  const workspaces = workspacesOf(context);
  const reached =
    workspaces === "all"
      ? {}
      : { OR: [{ guardrailId: null }, { guardrail: { workspaceId: { in: [...workspaces] } } }] };
  const where = { AND: [existing(context), activeAt(context.now), { OR: whose }, reached] };
  return findAll(context.db, context, where, 2 * MAX_ACTIVE_EXCEPTIONS);
};

/** Returns the active exceptions to a guardrail that the caller may see, newest first. */
export const activeAgainst = (context: Context, guardrailId: string): Promise<contract.Exception[]> =>
  findAll(
    context.db,
    context,
    { AND: [existing(context), activeAt(context.now), { guardrailId }] },
    MAX_ACTIVE_EXCEPTIONS,
  );

export async function get(
  context: Context,
  { params }: Input<typeof contract.getException>,
): Promise<Result<typeof contract.getException>> {
  return { data: await find(context.db, context, params.id) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createException>,
): Promise<Result<typeof contract.createException>> {
  const { caller, now } = context;
  const issues = exceptionIssues(body, now);
  if (issues.length > 0) throw invalid(issues);
  return inTransaction(context.db, async (db) => {
    const subject = await lockSubject(db, context, body);
    const unfit = await thingIssues(db, context, body, subject);
    if (unfit.length > 0) throw invalid(unfit);
    const { keyId, userId } = subject;
    const active = await db.exception.count({ where: { keyId, userId, ...activeAt(now) } });
    if (active >= MAX_ACTIVE_EXCEPTIONS)
      throw conflict(`A key or member can have at most ${MAX_ACTIVE_EXCEPTIONS} active exceptions. End one first`);
    const { id } = await db.exception.create({
      data: {
        id: uuidv7(now),
        organizationId: caller.organizationId,
        keyId,
        userId,
        guardrailId: body.kind === "allow_phrase" ? null : (body.guardrail_id ?? null),
        kind: body.kind,
        field: body.kind === "lift_rule" ? body.field : null,
        rule: body.kind === "lift_rule" ? (body.rule ?? null) : null,
        raiseMicroUsd: body.kind === "raise_limit" ? toMicroUsd(body.raise_usd) : null,
        phrase: body.kind === "allow_phrase" ? body.phrase : null,
        reason: body.reason,
        createdBy: caller.userId,
        createdAt: now,
        expiresAt: new Date(body.expires_at),
      },
    });
    const data = await find(db, context, id);
    await recordChange(db, context, {
      action: "exception.create",
      target: target(data),
      workspaceId: subject.workspaceId,
      after: data,
    });
    return { data };
  });
}

interface Subject {
  keyId: string | null;
  userId: string | null;
  /** The key's workspace; a member can have guardrails in any. */
  workspaceId: string | null;
  hasOwnLimit: boolean;
}

/** Locks the key or member, so that a concurrent deletion ends the new exception too and the count is exact. */
async function lockSubject(
  db: Database,
  { caller: { organizationId } }: Context,
  { key_hash, user_id }: contract.CreateExceptionBody,
): Promise<Subject> {
  if (key_hash === undefined) {
    const members = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM members WHERE id = ${user_id} AND organization_id = ${organizationId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
    if (!members[0]) throw notFound({ user_id });
    return { keyId: null, userId: members[0].id, workspaceId: null, hasOwnLimit: false };
  }
  const keys = await db.$queryRaw<{ id: string; workspace_id: string; kind: string; has_limit: boolean }[]>`
    SELECT id, workspace_id, kind::text, limit_micro_usd IS NOT NULL AS has_limit FROM keys
    WHERE hash = ${key_hash} AND organization_id = ${organizationId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  const [key] = keys;
  if (!key) throw notFound({ key_hash });
  if (key.kind === "management")
    throw invalid([
      { path: ["key_hash"], message: "is a management key, which can't send inference requests", code: "custom" },
    ]);
  return { keyId: key.id, userId: null, workspaceId: key.workspace_id, hasOwnLimit: key.has_limit };
}

/** Validates the target. The guardrail is locked, so that a concurrent deletion ends the new exception, too. */
async function thingIssues(
  db: Database,
  { caller, settings }: Context,
  body: contract.CreateExceptionBody,
  subject: Subject,
): Promise<Issue[]> {
  if (body.kind === "allow_phrase") return [];
  const { guardrail_id: id } = body;
  if (id === undefined)
    return subject.hasOwnLimit
      ? []
      : [{ path: ["guardrail_id"], message: "is required: the key has no spending limit", code: "custom" }];
  await db.$queryRaw`SELECT 1 AS locked FROM guardrails WHERE id = ${id}::uuid FOR SHARE`;
  const workspace = {
    organizationId: caller.organizationId,
    ...(subject.workspaceId !== null && { id: subject.workspaceId }),
  };
  const row = await db.guardrail.findFirst({ where: { id, deletedAt: null, workspace } });
  if (!row)
    return [
      {
        path: ["guardrail_id"],
        message:
          subject.workspaceId === null
            ? "is not a guardrail of the organization"
            : "is not a guardrail of the key's workspace",
        code: "custom",
      },
    ];
  const thing =
    body.kind === "lift_rule"
      ? { kind: body.kind, field: body.field, rule: body.rule ?? null }
      : { kind: body.kind, field: null, rule: null };
  if (concerns(thing, toGuardrail(row, settings.zdrVendors))) return [];
  return [
    {
      path: [
        body.kind === "lift_rule" && body.rule !== undefined
          ? "rule"
          : body.kind === "lift_rule"
            ? "field"
            : "guardrail_id",
      ],
      message: "is not set in the guardrail",
      code: "custom",
    },
  ];
}

/** Ends an exception. The row is retained because decisions reference it. An ended exception stays unchanged. */
export async function end(
  context: Context,
  { params }: Input<typeof contract.endException>,
): Promise<Result<typeof contract.endException>> {
  return inTransaction(context.db, async (db) => {
    const before = await find(db, context, params.id);
    const { count } = await db.exception.updateMany({
      where: { id: before.id, ...activeAt(context.now) },
      data: { endedAt: context.now },
    });
    if (count > 0) {
      const after = await find(db, context, before.id);
      await recordChange(db, context, { action: "exception.end", target: target(after), before, after });
    }
    return { deleted: true as const };
  });
}
