import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { activeSessions } from "./session-store";
import type { Member, UpdateMemberBody } from "./contract";

const WIRE_ROLE = { admin: "org:admin", member: "org:member" } as const;
export const ROLE = { "org:admin": "admin", "org:member": "member" } as const;

const WITH_ASSIGNMENTS = {
  assignments: {
    orderBy: { createdAt: "asc" },
    select: { workspaceId: true, guardrail: { select: { id: true, name: true } } },
  },
} as const satisfies Prisma.MemberInclude;
type MemberWithAssignments = Prisma.MemberGetPayload<{ include: typeof WITH_ASSIGNMENTS }>;

export type MemberWithParts = MemberWithAssignments & { keys: number; sessions: number; passkeys: number };

/** Loads members with their relations, one statement each per page. */
export async function findMembers(
  db: Database,
  find: Omit<Prisma.MemberFindManyArgs, "include" | "select">,
  now: Date,
): Promise<MemberWithParts[]> {
  const rows = await db.member.findMany({ ...find, include: WITH_ASSIGNMENTS });
  const ids = rows.map(({ id }) => id);
  const keys = await db.key.groupBy({
    by: ["creatorUserId"],
    where: { creatorUserId: { in: ids }, deletedAt: null, disabled: false },
    _count: true,
  });
  const sessions = await db.session.groupBy({
    by: ["memberId"],
    where: { memberId: { in: ids }, ...activeSessions(now) },
    _count: true,
  });
  const passkeys = await db.passkey.groupBy({ by: ["memberId"], where: { memberId: { in: ids } }, _count: true });
  const passkeysOf = new Map(passkeys.map(({ memberId, _count }) => [memberId, _count]));
  const keysOf = new Map(keys.map(({ creatorUserId, _count }) => [creatorUserId, _count]));
  const sessionsOf = new Map(sessions.map(({ memberId, _count }) => [memberId, _count]));
  return rows.map((row) => ({
    ...row,
    keys: keysOf.get(row.id) ?? 0,
    sessions: sessionsOf.get(row.id) ?? 0,
    passkeys: passkeysOf.get(row.id) ?? 0,
  }));
}

/** Converts a row to the record stored in the audit log, without volatile figures. */
export const toProfile = (row: MemberRow) => ({
  id: row.id,
  email: row.email,
  first_name: row.firstName,
  last_name: row.lastName,
  role: WIRE_ROLE[row.role],
  status: row.passwordHash === null ? ("invited" as const) : ("active" as const),
  created_at: row.createdAt.toISOString(),
});

/** Converts a row with relations to a wire record. */
export const toMember = (row: MemberWithParts): Member => ({
  ...toProfile(row),
  guardrails: row.assignments.map(({ workspaceId, guardrail }) => ({
    workspace_id: workspaceId,
    guardrail_id: guardrail.id,
    guardrail_name: guardrail.name,
  })),
  active_keys: row.keys,
  totp_enabled: row.totpConfirmedAt !== null,
  passkeys: row.passkeys,
  open_sessions: row.sessions,
});

/** Converts wire fields to columns; missing fields stay missing. */
export const toColumns = (body: Pick<UpdateMemberBody, "first_name" | "last_name" | "role">) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  role: body.role && ROLE[body.role],
});
