import "server-only";
import type { Member as MemberRow } from "../../prisma/generated/client";
import { recordChange, recordChanges } from "../audit/record";
import type { Context } from "../context";
import { inTransaction, type Database } from "../db";
import { conflict, notFound } from "../http/api-error";
import type { Input, Result } from "../http/operation";
import { skipTake } from "../http/pagination";
import { newUserId } from "../ids";
import { randomBase62, sha256 } from "../secrets";
import { hashPassword } from "../session/password";
import type * as contract from "./contract";
import { toColumns, toMember } from "./rows";

const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const INVITATION_TOKEN_LENGTH = 43;

/** The members that exist for the caller. */
const living = ({ caller }: Context) => ({ organizationId: caller.organizationId, deletedAt: null });

async function findMember(db: Database, context: Context, id: string): Promise<MemberRow> {
  const row = await db.member.findFirst({ where: { ...living(context), id } });
  if (!row) throw notFound();
  return row;
}

/**
 * The member, locked behind the organization: changes of roles wait for each other,
 * so that two admins can't remove one another.
 */
async function lockMember(db: Database, context: Context, id: string): Promise<MemberRow> {
  await db.$queryRaw`SELECT 1 AS locked FROM organizations WHERE id = ${context.caller.organizationId}::uuid FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${id} FOR NO KEY UPDATE`;
  return findMember(db, context, id);
}

async function assertAdminRemains(db: Database, context: Context, leaving: MemberRow): Promise<void> {
  if (leaving.role !== "admin") return;
  const others = await db.member.count({ where: { ...living(context), role: "admin", id: { not: leaving.id } } });
  if (others === 0) throw conflict("The last admin can't be removed or demoted; make another member an admin first");
}

export async function list(context: Context, { query }: Input<typeof contract.listMembers>): Promise<Result<typeof contract.listMembers>> {
  const where = living(context);
  const rows = await context.db.member.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }], ...skipTake(query) });
  return { data: rows.map(toMember), total_count: await context.db.member.count({ where }) };
}

export async function get(context: Context, { params }: Input<typeof contract.getMember>): Promise<Result<typeof contract.getMember>> {
  return { data: toMember(await findMember(context.db, context, params.user_id)) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createMember>,
): Promise<Result<typeof contract.createMember>> {
  const { now } = context;
  const email = body.email.toLowerCase();
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
  const token = passwordHash === null ? randomBase62(INVITATION_TOKEN_LENGTH) : null;
  return inTransaction(context.db, async (db) => {
    if (await db.member.findFirst({ where: { email, deletedAt: null }, select: { id: true } })) {
      throw conflict(`A member with the e-mail address ${email} exists already`);
    }
    const row = await db.member.create({
      data: {
        ...toColumns(body),
        id: newUserId(),
        organizationId: context.caller.organizationId,
        email,
        passwordHash,
        createdAt: now,
        ...(token && {
          invitations: { create: { tokenHash: sha256(token), expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS) } },
        }),
      },
    });
    const member = toMember(row);
    await recordChange(db, context, { action: "member.create", target: target(row), after: member });
    return { data: member, ...(token && { invite_url: `${context.origin}/invite/${token}` }) };
  });
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateMember>,
): Promise<Result<typeof contract.updateMember>> {
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password);
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.user_id);
    const columns = toColumns(body);
    const changesRole = columns.role !== undefined && columns.role !== before.role;
    if (changesRole) await assertAdminRemains(db, context, before);
    const row = await db.member.update({ where: { id: before.id }, data: { ...columns, passwordHash, updatedAt: context.now } });
    if (changesRole || passwordHash) await endOtherSessions(db, context, row.id);
    if (passwordHash) await db.invitation.deleteMany({ where: { memberId: row.id } });
    await recordChange(db, context, {
      action: passwordHash ? "member.reset_password" : "member.update",
      target: target(row),
      before: toMember(before),
      after: toMember(row),
    });
    return { data: toMember(row) };
  });
}

async function endOtherSessions(db: Database, { caller }: Context, memberId: string): Promise<void> {
  const own = caller.kind === "session" ? caller.sessionId : undefined;
  await db.session.deleteMany({ where: { memberId, ...(own && { id: { not: own } }) } });
}

/** Removal ends everything that acts in the member's name; the row stays for the history that names them. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteMember>,
): Promise<Result<typeof contract.deleteMember>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.user_id);
    await assertAdminRemains(db, context, before);
    await db.session.deleteMany({ where: { memberId: before.id } });
    await db.invitation.deleteMany({ where: { memberId: before.id } });
    await db.guardrailMemberAssignment.deleteMany({ where: { userId: before.id } });
    await db.member.update({ where: { id: before.id }, data: { deletedAt: context.now } });
    await recordChange(db, context, { action: "member.delete", target: target(before), before: toMember(before) });
    await disableKeys(db, context, before.id);
    return { deleted: true as const };
  });
}

async function disableKeys(db: Database, context: Context, creatorUserId: string): Promise<void> {
  const keys = await db.key.updateManyAndReturn({
    where: { creatorUserId, deletedAt: null, disabled: false },
    data: { disabled: true, updatedAt: context.now },
    select: { id: true, name: true, workspaceId: true },
  });
  const { caller } = context;
  if (caller.kind === "key" && keys.some(({ id }) => id === caller.keyId)) {
    throw conflict("The key of this request belongs to the member and would be disabled; use another management key or the console");
  }
  const changes = keys.map(({ id, name, workspaceId }) => ({
    action: "key.update" as const,
    target: { type: "key", id, name },
    workspaceId,
    before: { disabled: false },
    after: { disabled: true },
  }));
  await recordChanges(db, context, changes);
}

const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
