import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { workspacesOf, type Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, type PageQuery } from "../../platform/http/pagination";
import type * as contract from "./assignments-contract";
import { findOfGuardrail } from "./store";

const newestFirst = [{ createdAt: "desc" as const }, { id: "desc" as const }];

/** Filters assignments of the workspaces that the caller may see. */
function visibleTo(context: Context): { guardrail?: Prisma.GuardrailWhereInput } {
  const workspaces = workspacesOf(context);
  return workspaces === "all" ? {} : { guardrail: { workspaceId: { in: [...workspaces] } } };
}

/** Relations of an organization or a guardrail for a page of key assignments, and their number. */
const keyPage = (context: Context, query: PageQuery) =>
  ({
    keyAssignments: {
      where: visibleTo(context),
      include: { key: { select: { hash: true, name: true, label: true } } },
      orderBy: newestFirst,
      ...skipTake(query),
    },
    _count: { select: { keyAssignments: { where: visibleTo(context) } } },
  }) as const satisfies Prisma.GuardrailSelect;
type KeyPage = Prisma.GuardrailGetPayload<{ select: ReturnType<typeof keyPage> }>;

const memberPage = (context: Context, query: PageQuery) =>
  ({
    memberAssignments: { where: visibleTo(context), orderBy: newestFirst, ...skipTake(query) },
    _count: { select: { memberAssignments: { where: visibleTo(context) } } },
  }) as const satisfies Prisma.GuardrailSelect;
type MemberPage = Prisma.GuardrailGetPayload<{ select: ReturnType<typeof memberPage> }>;

const toKeyPage = ({ keyAssignments, _count }: KeyPage): Result<typeof contract.listKeyAssignments> => ({
  data: keyAssignments.map(({ id, key, assignedBy, createdAt, ...row }) => ({
    id,
    guardrail_id: row.guardrailId,
    key_hash: key.hash,
    key_name: key.name,
    key_label: key.label,
    assigned_by: assignedBy,
    created_at: createdAt.toISOString(),
  })),
  total_count: _count.keyAssignments,
});

const toMemberPage = ({ memberAssignments, _count }: MemberPage): Result<typeof contract.listMemberAssignments> => ({
  data: memberAssignments.map((row) => ({
    id: row.id,
    guardrail_id: row.guardrailId,
    user_id: row.userId,
    organization_id: row.organizationId,
    assigned_by: row.assignedBy,
    created_at: row.createdAt.toISOString(),
  })),
  total_count: _count.memberAssignments,
});

export async function listKeys(context: Context, { query }: Input<typeof contract.listKeyAssignments>) {
  const where = { id: context.caller.organizationId };
  return toKeyPage(await context.db.organization.findUniqueOrThrow({ where, select: keyPage(context, query) }));
}

export async function listMembers(context: Context, { query }: Input<typeof contract.listMemberAssignments>) {
  const where = { id: context.caller.organizationId };
  return toMemberPage(await context.db.organization.findUniqueOrThrow({ where, select: memberPage(context, query) }));
}

export async function listKeysOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailKeyAssignments>,
) {
  return toKeyPage(await findOfGuardrail(context.db, context, params.id, keyPage(context, query)));
}

export async function listMembersOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailMemberAssignments>,
) {
  return toMemberPage(await findOfGuardrail(context.db, context, params.id, memberPage(context, query)));
}
