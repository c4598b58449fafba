import "server-only";
import type { Member as MemberRow, Prisma, Session as SessionRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import type { Caller, Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { forbidden, invalid, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { inspected } from "../../platform/http/inspected";
import { toColumns, toProfile } from "../members/rows";
import type * as contract from "./account-contract";
import { inspectPassword, isCommonPassword } from "../members/common-password";
import { activeSessions } from "../members/session-store";
import { hashPassword, verifyPassword } from "../members/password";
import { knownClient, startAttempt, endAttempt } from "./throttle-store";

const MAX_OWN_SESSIONS = 100;
const LAST_SEEN_FIRST = [{ lastSeenAt: "desc" }, { id: "desc" }] satisfies Prisma.SessionOrderByWithRelationInput[];

type SessionCaller = Extract<Caller, { kind: "session" }>;

/** Returns the calling console session; 403 for a key. */
export function sessionOf({ caller }: Pick<Context, "caller">): SessionCaller {
  if (caller.kind !== "session") throw forbidden("Only console sessions can perform this operation");
  return caller;
}

const toSession = ({ caller }: Context, row: SessionRow): contract.AccountSession => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  last_seen_at: row.lastSeenAt.toISOString(),
  ip: row.ip,
  user_agent: row.userAgent,
  is_current: caller.kind === "session" && caller.sessionId === row.id,
});

export async function update(
  context: Context,
  { body }: Input<typeof contract.updateAccount>,
): Promise<Result<typeof contract.updateAccount>> {
  const { userId } = sessionOf(context);
  return inTransaction(context.db, async (db) => {
    const before = await db.member.findUniqueOrThrow({ where: { id: userId } });
    const row = await db.member.update({ where: { id: userId }, data: { ...toColumns(body), updatedAt: context.now } });
    await recordChange(db, context, {
      action: "member.update",
      target: target(row),
      before: toProfile(before),
      after: toProfile(row),
    });
    return { data: toProfile(row) };
  });
}

/** Requires the current password, which protects an unattended browser. */
export const changePassword = inspected(
  inspectPassword("new_password"),
  async (
    context: Context,
    { body }: Input<typeof contract.changePassword>,
  ): Promise<Result<typeof contract.changePassword>> => {
    const { userId, sessionId } = sessionOf(context);
    const { passwordHash, email } = await context.db.member.findUniqueOrThrow({ where: { id: userId } });
    const attempt = await startAttempt(context, knownClient(sessionId));
    if (!(await verifyPassword(passwordHash, body.current_password)))
      throw wrongPassword("is not your current password");
    await endAttempt(context, attempt);
    if (body.new_password === body.current_password)
      throw weakPassword("must differ from the current password", "same_password");
    if (isCommonPassword(body.new_password, email)) throw weakPassword("is too easy to guess", "common_password");
    const changed = await hashPassword(body.new_password);
    return inTransaction(context.db, async (db) => {
      const { count } = await db.member.updateMany({
        where: { id: userId, passwordHash },
        data: { passwordHash: changed, mustChangePassword: false, updatedAt: context.now },
      });
      if (count === 0) throw wrongPassword("has been changed in the meantime");
      const member = await db.member.findUniqueOrThrow({ where: { id: userId } });
      const sessions_ended = await endOthers(db, context);
      await recordChange(db, context, {
        action: "member.change_password",
        target: target(member),
        after: { sessions_ended },
      });
      return { data: { sessions_ended } };
    });
  },
);

const wrongPassword = (message: string) => invalid([{ path: ["current_password"], message, code: "wrong_password" }]);
const weakPassword = (message: string, code: string) => invalid([{ path: ["new_password"], message, code }]);

export async function listOwn(context: Context): Promise<Result<typeof contract.listAccountSessions>> {
  const { userId } = sessionOf(context);
  const rows = await context.db.session.findMany({
    where: { memberId: userId, ...activeSessions(context.now) },
    orderBy: LAST_SEEN_FIRST,
    take: MAX_OWN_SESSIONS,
  });
  return { data: rows.map((row) => toSession(context, row)) };
}

export async function removeOthers(context: Context): Promise<Result<typeof contract.deleteOtherAccountSessions>> {
  const { userId } = sessionOf(context);
  return inTransaction(context.db, async (db) => {
    const member = await db.member.findUniqueOrThrow({ where: { id: userId } });
    const sessions_ended = await endOthers(db, context);
    await recordChange(db, context, {
      action: "session.end_others",
      target: target(member),
      after: { sessions_ended },
    });
    return { data: { sessions_ended } };
  });
}

export async function removeOwn(
  context: Context,
  { params }: Input<typeof contract.deleteAccountSession>,
): Promise<Result<typeof contract.deleteAccountSession>> {
  return end(context, { id: params.id, memberId: sessionOf(context).userId });
}

export async function listAll(
  context: Context,
  { query }: Input<typeof contract.listOrganizationSessions>,
): Promise<Result<typeof contract.listOrganizationSessions>> {
  const where = {
    member: { organizationId: context.caller.organizationId, deletedAt: null },
    ...activeSessions(context.now),
  };
  const rows = await context.db.session.findMany({
    where,
    include: { member: true },
    orderBy: LAST_SEEN_FIRST,
    ...skipTake(query),
  });
  return {
    data: rows.map(({ member, ...row }) => ({ ...toSession(context, row), user: toProfile(member) })),
    total_count: await context.db.session.count({ where }),
  };
}

export const removeAny = (
  context: Context,
  { params }: Input<typeof contract.deleteOrganizationSession>,
): Promise<Result<typeof contract.deleteOrganizationSession>> =>
  end(context, { id: params.id, member: { organizationId: context.caller.organizationId } });

async function end(context: Context, where: Prisma.SessionWhereInput): Promise<{ deleted: true }> {
  return inTransaction(context.db, async (db) => {
    const row = await db.session.findFirst({ where, include: { member: true } });
    const { count } = row ? await db.session.deleteMany({ where: { id: row.id } }) : { count: 0 };
    if (!row || count === 0) throw notFound();
    const { is_current: _, ...before } = toSession(context, row);
    await recordChange(db, context, { action: "session.revoke", target: target(row.member), before });
    return { deleted: true as const };
  });
}

/** Ends the member's other sessions and returns their number. */
async function endOthers(db: Database, context: Context): Promise<number> {
  const { userId, sessionId } = sessionOf(context);
  const others = { memberId: userId, id: { not: sessionId } };
  const living = await db.session.count({ where: { ...others, ...activeSessions(context.now) } });
  await db.session.deleteMany({ where: others });
  return living;
}

const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
