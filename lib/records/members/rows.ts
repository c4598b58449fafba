import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import { activeSessions } from "./session-store";
import type { Member, UpdateMemberBody } from "./contract";

const WIRE_ROLE = {
  owner: "org:owner",
  admin: "org:admin",
  policy_editor: "org:policy_editor",
  member: "org:member",
  analyst: "org:analyst",
  auditor: "org:auditor",
  billing: "org:billing",
} as const;
export const ROLE = {
  "org:owner": "owner",
  "org:admin": "admin",
  "org:policy_editor": "policy_editor",
  "org:member": "member",
  "org:analyst": "analyst",
  "org:auditor": "auditor",
  "org:billing": "billing",
} as const;

/** Relations of a member's API object, and the numbers of their keys, sessions and passkeys. */
export const memberParts = (now: Date) =>
  ({
    assignments: {
      orderBy: { createdAt: "asc" },
      select: { workspaceId: true, guardrail: { select: { id: true, name: true } } },
    },
    _count: {
      select: {
        keys: { where: { deletedAt: null, disabled: false } },
        sessions: { where: activeSessions(now) },
        passkeys: true,
      },
    },
  }) as const satisfies Prisma.MemberInclude;
export type MemberWithParts = Prisma.MemberGetPayload<{ include: ReturnType<typeof memberParts> }>;

/** Converts a row to its form in the audit log, without volatile figures. */
export const toProfile = (row: MemberRow) => ({
  id: row.id,
  email: row.email,
  first_name: row.firstName,
  last_name: row.lastName,
  role: WIRE_ROLE[row.role],
  tags: row.tags,
  status: row.passwordHash === null && row.providerSignInAt === null ? ("invited" as const) : ("active" as const),
  created_at: row.createdAt.toISOString(),
});

/** Converts a row with relations to an API object. */
export const toMember = (row: MemberWithParts): Member => ({
  ...toProfile(row),
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
  role: body.role && ROLE[body.role],
  tags: body.tags,
});
