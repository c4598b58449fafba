import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import { activeSessions } from "./session-store";
import { roleNameOf, toReference, toRoleColumns, toWorkspaceRoles, workspaceRoleParts } from "../roles/rows";
import type { Member, UpdateMemberBody } from "./contract";

/** Relations of a member's API object, and the numbers of their keys, sessions and passkeys. */
export const memberParts = (now: Date) =>
  ({
    assignments: {
      orderBy: { createdAt: "asc" },
      select: { workspaceId: true, guardrail: { select: { id: true, name: true } } },
    },
    customRole: { select: { name: true } },
    workspaceRoles: workspaceRoleParts,
    groups: { orderBy: { group: { name: "asc" } }, select: { group: { select: { id: true, name: true } } } },
    _count: {
      select: {
        keys: { where: { deletedAt: null, disabled: false } },
        sessions: { where: activeSessions(now) },
        passkeys: true,
      },
    },
  }) as const satisfies Prisma.MemberInclude;
export type MemberWithParts = Prisma.MemberGetPayload<{ include: ReturnType<typeof memberParts> }>;

function statusOf({ deactivatedAt, passwordHash, providerSignInAt }: MemberRow): Member["status"] {
  if (deactivatedAt !== null) return "deactivated";
  return passwordHash === null && providerSignInAt === null ? "invited" : "active";
}

/** Converts a row to its form in the audit log, without volatile figures. */
export const toProfile = (row: MemberRow) => ({
  id: row.id,
  email: row.email,
  first_name: row.firstName,
  last_name: row.lastName,
  role: toReference(row),
  tags: row.tags,
  status: statusOf(row),
  external_id: row.externalId,
  is_provisioned: row.provisionedAt !== null,
  created_at: row.createdAt.toISOString(),
});

/** Adds a member's workspace roles to their form in the audit log. */
export const toAuditedMember = (row: MemberWithParts) => ({
  ...toProfile(row),
  workspace_roles: toWorkspaceRoles(row.workspaceRoles),
});

/** Converts a row with relations to an API object. */
export const toMember = (row: MemberWithParts): Member => ({
  ...toProfile(row),
  role_name: roleNameOf(row),
  workspace_roles: toWorkspaceRoles(row.workspaceRoles),
  groups: row.groups.map(({ group }) => group),
  guardrails: row.assignments.map(({ workspaceId, guardrail }) => ({
    workspace_id: workspaceId,
    guardrail_id: guardrail.id,
    guardrail_name: guardrail.name,
  })),
  active_keys: row._count.keys,
  totp_enabled: row.totpConfirmedAt !== null,
  passkeys: row._count.passkeys,
  open_sessions: row._count.sessions,
});

/** Converts API fields to columns; missing fields stay missing. */
export const toColumns = (body: Pick<UpdateMemberBody, "first_name" | "last_name" | "role" | "tags">) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  ...(body.role !== undefined && toRoleColumns(body.role)),
  tags: body.tags,
});
