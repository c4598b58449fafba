import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import { recordChange, recordChanges } from "../../platform/audit/store";
import type { ActorContext, Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { endAll } from "../exceptions/active-store";
import { conflict, fieldConflict } from "../../platform/api-error";
import { inspected } from "../../platform/http/inspected";
import { prepared } from "../../platform/http/prepared";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { newUserId } from "../../platform/ids";
import {
  fewOrAll,
  NO_SPENDS,
  pageByRangeSpend,
  showsRangeSpend,
  toRangeSpend,
  type ReadSpends,
  type Spends,
} from "../generations/range-spend";
import { assertAssignable, assertHolds, setWorkspaceRoles } from "../roles/assign-store";
import { withRole } from "../roles/rows";
import { inspectPassword } from "./common-password";
import { hashPassword } from "./password";
import type * as contract from "./contract";
import type { MEMBER_SORTS } from "./vocabulary";
import { setActiveByHand } from "./activation-service";
import { invite } from "./invitation-store";
import {
  assertCoversMember,
  BREAK_GLASS,
  findMember,
  isBreakGlass,
  isLastOwner,
  LAST_OWNER,
  living,
  lockMember,
  target,
} from "./store";
import { memberParts, toAuditedMember, toColumns, toMember, toProfile, type MemberWithParts } from "./rows";
import { lockOrganization } from "../organization/lock-store";

type ListQuery = Input<typeof contract.listMembers>["query"];

const STATUS_FILTERS = {
  active: { deactivatedAt: null, OR: [{ passwordHash: { not: null } }, { providerSignInAt: { not: null } }] },
  invited: { deactivatedAt: null, passwordHash: null, providerSignInAt: null },
  deactivated: { deactivatedAt: { not: null } },
} satisfies Readonly<Record<string, Prisma.MemberWhereInput>>;

/** Matches each word of the search text in a name or the address, so that full names are found. */
const searchFilter = (q: string): Prisma.MemberWhereInput => ({
  AND: q.split(/\s+/).map((word) => {
    const contains = { contains: literal(word), mode: "insensitive" as const };
    return { OR: [{ email: contains }, { firstName: contains }, { lastName: contains }] };
  }),
});

function memberOrder(
  field: Exclude<(typeof MEMBER_SORTS)[number], "range_spend">,
  direction: "asc" | "desc",
): Prisma.MemberOrderByWithRelationInput[] {
  const columns = {
    name: [{ firstName: direction }, { lastName: direction }, { email: direction }],
    email: [{ email: direction }],
    role: [{ role: direction }],
    created_at: [{ createdAt: direction }],
  };
  return [...columns[field], { id: direction }];
}

/** Returns one page of members, with their spend if the order depends on it. */
async function pageOf(
  { db, now }: Context,
  where: Prisma.MemberWhereInput,
  query: ListQuery,
  readSpends: ReadSpends<Pick<MemberRow, "id">>,
): Promise<{ rows: MemberWithParts[]; spends?: Spends }> {
  const include = memberParts(now);
  const { field, direction } = sortOrder(query.sort ?? "-created_at");
  if (field !== "range_spend")
    return {
      rows: await db.member.findMany({ where, include, orderBy: memberOrder(field, direction), ...skipTake(query) }),
    };
  const found = await db.member.findMany({ where, select: { id: true } });
  const spends = await readSpends(fewOrAll(found));
  const all = found.map(({ id }) => id);
  const ids = pageByRangeSpend(all, spends, direction, query);
  const byId = new Map((await db.member.findMany({ where: { id: { in: ids } }, include })).map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), spends };
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listMembers>,
  readSpends: ReadSpends<Pick<MemberRow, "id">> = NO_SPENDS,
): Promise<Result<typeof contract.listMembers>> {
  const where: Prisma.MemberWhereInput = {
    ...living(context),
    ...(query.role && withRole(query.role)),
    ...(query.status && STATUS_FILTERS[query.status]),
    ...(query.tag && { tags: { has: query.tag } }),
    ...(query.q && searchFilter(query.q)),
  };
  const { rows, spends } = await pageOf(context, where, query, readSpends);
  const shown = showsRangeSpend(query) ? (spends ?? (await readSpends(rows))) : null;
  return {
    data: rows.map((row) => ({ ...toMember(row), ...(shown && { range_spend: toRangeSpend(shown.get(row.id)) }) })),
    total_count: await context.db.member.count({ where }),
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getMember>,
): Promise<Result<typeof contract.getMember>> {
  return { data: toMember(await findMember(context.db, context, params.user_id)) };
}

export const create = inspected(
  inspectPassword("password"),
  prepared(
    async (_context: Context, { body }: Input<typeof contract.createMember>) => ({
      passwordHash: body.password === undefined ? null : await hashPassword(body.password),
    }),
    async (context, { body }, { passwordHash }): Promise<Result<typeof contract.createMember>> => {
      const { now } = context;
      const email = body.email.toLowerCase();
      return inTransaction(context.db, async (db) => {
        await lockOrganization(db, context.caller.organizationId);
        if (body.role !== "org:member" || body.workspace_roles) assertHolds(context, "roles:write");
        await assertAssignable(db, context, body);
        if (await db.member.findFirst({ where: { email, deletedAt: null }, select: { id: true } })) {
          throw fieldConflict("email", `A member with the email address ${email} already exists`);
        }
        const row = await db.member.create({
          data: {
            ...toColumns(body),
            id: newUserId(),
            organizationId: context.caller.organizationId,
            email,
            passwordHash,
            mustChangePassword: passwordHash !== null,
            createdAt: now,
          },
        });
        await setWorkspaceRoles(db, context, { memberId: row.id }, body.workspace_roles);
        const invite_url = passwordHash === null ? await invite(db, context, row, "invitation") : null;
        const created = await findMember(db, context, row.id);
        await recordChange(db, context, {
          action: "member.create",
          target: target(row),
          after: toAuditedMember(created),
        });
        return {
          data: toMember(created),
          ...(invite_url !== null && { invite_url }),
          emailed: passwordHash === null && context.settings.smtp !== undefined,
        };
      });
    },
  ),
);

export const update = inspected(
  inspectPassword("password"),
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateMember>,
  ): Promise<Result<typeof contract.updateMember>> => {
    const { caller } = context;
    if (body.password !== undefined && caller.kind === "session" && caller.userId === params.user_id)
      throw fieldConflict("password", "You can't set your own password here. Change it in your account instead");
    const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password);
    return inTransaction(context.db, async (db) => {
      const before = await lockMember(db, context, params.user_id);
      const columns = toColumns(body);
      const changesRole = body.role !== undefined && body.role !== toProfile(before).role;
      const changesRoles = changesRole || body.workspace_roles !== undefined;
      if (changesRole && body.role !== "org:owner") {
        if (await isLastOwner(db, context, before)) throw fieldConflict("role", LAST_OWNER);
        if (await isBreakGlass(db, before)) throw fieldConflict("role", BREAK_GLASS);
      }
      if (passwordHash && (await isBreakGlass(db, before))) throw fieldConflict("password", BREAK_GLASS);
      if (changesRoles) assertHolds(context, "roles:write");
      if (changesRoles || passwordHash || body.active !== undefined) await assertCoversMember(db, context, before);
      if (changesRoles) await assertAssignable(db, context, body);
      if (body.active !== undefined) await setActiveByHand(db, context, before, body.active);
      await db.member.update({
        where: { id: before.id },
        data: { ...columns, ...(passwordHash && { passwordHash, mustChangePassword: true }), updatedAt: context.now },
      });
      await setWorkspaceRoles(db, context, { memberId: before.id }, body.workspace_roles);
      if (changesRole || passwordHash) await endOtherSessions(db, context, before.id);
      if (passwordHash) await db.invitation.deleteMany({ where: { memberId: before.id } });
      const row = await findMember(db, context, before.id);
      if (Object.keys(body).some((name) => name !== "active"))
        await recordChange(db, context, {
          action: passwordHash ? "member.reset_password" : "member.update",
          target: target(row),
          before: toAuditedMember({ ...before, deactivatedAt: row.deactivatedAt }),
          after: toAuditedMember(row),
        });
      return { data: toMember(row) };
    });
  },
);

/** Ends the member's sessions except the one of this request. */
async function endOtherSessions(db: Database, { caller }: Context, memberId: string): Promise<number> {
  const own = caller.kind === "session" ? caller.sessionId : undefined;
  const { count } = await db.session.deleteMany({ where: { memberId, ...(own && { id: { not: own } }) } });
  return count;
}

/** Ends the password and all sessions immediately, so that only the link gives access again. */
export async function resetPassword(
  context: Context,
  { params }: Input<typeof contract.resetMemberPassword>,
): Promise<Result<typeof contract.resetMemberPassword>> {
  const { caller } = context;
  if (caller.kind === "session" && caller.userId === params.user_id)
    throw conflict("You can't reset your own password. Change it in your account instead");
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.user_id);
    await assertCoversMember(db, context, before);
    if (await isBreakGlass(db, before)) throw conflict(BREAK_GLASS);
    const row = await db.member.update({
      where: { id: before.id },
      data: {
        passwordHash: null,
        ...(before.passwordHash !== null && { passwordResetAt: context.now }),
        updatedAt: context.now,
      },
    });
    await endOtherSessions(db, context, row.id);
    const type = before.passwordHash === null ? "invitation" : "password_reset";
    const reset_url = await invite(db, context, row, type);
    if (reset_url === null)
      throw conflict("Passwords are off: this member signs in with an identity provider", {
        reason: "identity_provider_required",
      });
    await recordChange(db, context, {
      action: "member.reset_password",
      target: target(row),
      before: toProfile(before),
      after: toProfile(row),
    });
    return {
      data: toMember(await findMember(db, context, row.id)),
      reset_url,
      emailed: context.settings.smtp !== undefined,
    };
  });
}

/**
 * Resets the second factor of a member who lost their device. The password remains, and is enough to sign in until a
 * factor is added again.
 */
export async function resetSecondFactor(
  context: Context,
  { params }: Input<typeof contract.resetSecondFactor>,
): Promise<Result<typeof contract.resetSecondFactor>> {
  const { caller } = context;
  if (caller.kind === "session" && caller.userId === params.user_id)
    throw conflict("You can't reset your own second factor. Change it in your account instead");
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.user_id);
    await assertCoversMember(db, context, before);
    const { count: passkeys } = await db.passkey.deleteMany({ where: { memberId: before.id } });
    await db.recoveryCode.deleteMany({ where: { memberId: before.id } });
    await db.member.update({
      where: { id: before.id },
      data: { totpSecret: null, totpConfirmedAt: null, totpLastStep: null, updatedAt: context.now },
    });
    await endOtherSessions(db, context, before.id);
    await recordChange(db, context, {
      action: "member.reset_second_factor",
      target: target(before),
      before: { totp_enabled: before.totpConfirmedAt !== null, passkeys },
    });
    return { data: toMember(await findMember(db, context, before.id)) };
  });
}

export async function endSessions(
  context: Context,
  { params }: Input<typeof contract.endMemberSessions>,
): Promise<Result<typeof contract.endMemberSessions>> {
  return inTransaction(context.db, async (db) => {
    const member = await lockMember(db, context, params.user_id);
    const ended_count = await endOtherSessions(db, context, member.id);
    if (ended_count > 0)
      await recordChange(db, context, {
        action: "member.end_sessions",
        target: target(member),
        before: { sessions: ended_count },
      });
    return { ended_count };
  });
}

/** Ends the member's sessions, assignments and keys; the row stays because the history references it. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteMember>,
): Promise<Result<typeof contract.deleteMember>> {
  await removeMember(context, params.user_id);
  return { deleted: true as const };
}

export async function removeMember(context: ActorContext, id: string): Promise<void> {
  await inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, id);
    if (await isLastOwner(db, context, before)) throw conflict(LAST_OWNER);
    await assertCoversMember(db, context, before);
    if (await isBreakGlass(db, before)) throw conflict(BREAK_GLASS);
    await db.session.deleteMany({ where: { memberId: before.id } });
    await db.invitation.deleteMany({ where: { memberId: before.id } });
    await db.guardrailMemberAssignment.deleteMany({ where: { userId: before.id } });
    await db.group.updateMany({
      where: { members: { some: { memberId: before.id } } },
      data: { updatedAt: context.now },
    });
    await db.groupMember.deleteMany({ where: { memberId: before.id } });
    await db.workspaceRole.deleteMany({ where: { memberId: before.id } });
    await endAll(db, { userId: before.id }, context.now);
    await db.member.update({ where: { id: before.id }, data: { deletedAt: context.now } });
    await recordChange(db, context, { action: "member.delete", target: target(before), before: toProfile(before) });
    await disableKeys(db, context, before.id);
  });
}

async function disableKeys(db: Database, context: ActorContext, creatorUserId: string): Promise<void> {
  const keys = await db.key.updateManyAndReturn({
    where: { creatorUserId, deletedAt: null, disabled: false },
    data: { disabled: true, updatedAt: context.now },
    select: { id: true, name: true, workspaceId: true },
  });
  const { caller } = context;
  if (caller.kind === "key" && keys.some(({ id }) => id === caller.keyId)) {
    throw conflict(
      "The key of this request belongs to the member and would be disabled. Use another management key or the console",
    );
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
