import "server-only";
import type { Organization } from "../../../prisma/generated/client";
import { conflict, invalid } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { lockOrganization } from "../organization/lock-store";
import { withRole } from "../roles/rows";

const toSettings = (row: Organization): contract.SignInSettings => ({
  password_sign_in: row.passwordSignIn,
  break_glass_member_id: row.breakGlassMemberId,
});

const organizationOf = ({ caller }: Context) => ({ id: caller.organizationId });

export async function get(context: Context): Promise<Result<typeof contract.getSignInSettings>> {
  return {
    data: toSettings(await context.db.organization.findUniqueOrThrow({ where: organizationOf(context) })),
  };
}

/**
 * Switching passwords off, or choosing another break-glass member while they are, ends every session that a provider didn't start, except
 * the caller's and the break-glass member's.
 */
export async function update(
  context: Context,
  { body }: Input<typeof contract.updateSignInSettings>,
): Promise<Result<typeof contract.updateSignInSettings>> {
  return inTransaction(context.db, async (db) => {
    const where = organizationOf(context);
    await lockOrganization(db, where.id);
    const before = await db.organization.findUniqueOrThrow({ where });
    const after = changed(toSettings(before), body);
    const isOff = after.password_sign_in === "break_glass_only";
    const isOther = after.break_glass_member_id !== before.breakGlassMemberId;
    if (after.break_glass_member_id !== null && (isOff || isOther))
      await assertBreakGlass(db, where.id, after.break_glass_member_id);
    if (isOff) {
      if (after.break_glass_member_id === null)
        throw invalid([
          { path: ["break_glass_member_id"], message: "is required while passwords are off", code: "custom" },
        ]);
      await assertConnection(db, where.id);
    }
    const row = await db.organization.update({
      where,
      data: { passwordSignIn: after.password_sign_in, breakGlassMemberId: after.break_glass_member_id },
    });
    const sessions_ended =
      isOff && (isOther || before.passwordSignIn === "allowed")
        ? await endPasswordSessions(db, context, after.break_glass_member_id)
        : 0;
    await recordChange(db, context, {
      action: "organization.update_sign_in",
      target: { type: "organization", id: row.id, name: row.name },
      before: toSettings(before),
      after: { ...toSettings(row), ...(sessions_ended > 0 && { sessions_ended }) },
    });
    return { data: toSettings(row) };
  });
}

const changed = (
  before: contract.SignInSettings,
  {
    password_sign_in = before.password_sign_in,
    break_glass_member_id = before.break_glass_member_id,
  }: Partial<contract.SignInSettings>,
): contract.SignInSettings => ({ password_sign_in, break_glass_member_id });

/** Only their own role counts, which they keep: permissions by a group or a custom role could be taken from them. */
async function assertBreakGlass(db: Database, organizationId: string, id: string): Promise<void> {
  const owner = { organizationId, deletedAt: null, deactivatedAt: null, ...withRole("org:owner") };
  if ((await db.member.count({ where: { id, ...owner, passwordHash: { not: null } } })) === 0)
    throw invalid([{ path: ["break_glass_member_id"], message: "must be an owner with a password", code: "custom" }]);
}

async function assertConnection(db: Database, organizationId: string): Promise<void> {
  const tested = { organizationId, enabled: true, testedAt: { not: null } };
  if ((await db.signInConnection.count({ where: tested })) === 0)
    throw conflict("Turn on a tested connection before you switch passwords off", { reason: "connection_required" });
}

async function endPasswordSessions(db: Database, context: Context, breakGlassId: string | null): Promise<number> {
  const { caller } = context;
  const { count } = await db.session.deleteMany({
    where: {
      connectionId: null,
      member: { organizationId: caller.organizationId },
      ...(breakGlassId !== null && { memberId: { not: breakGlassId } }),
      ...(caller.kind === "session" && { id: { not: caller.sessionId } }),
    },
  });
  return count;
}
