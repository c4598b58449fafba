import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, type PageQuery } from "../../platform/http/pagination";
import type * as contract from "./assignments-contract";
import { findOfGuardrail } from "./store";

const newestFirst = [{ createdAt: "desc" as const }, { id: "desc" as const }];

/** Relations of an organization or a guardrail for a page of key assignments, and their number. */
const keyPage = (query: PageQuery) =>
  ({
    keyAssignments: {
      include: { key: { select: { hash: true, name: true, label: true } } },
      orderBy: newestFirst,
      ...skipTake(query),
    },
    _count: { select: { keyAssignments: true } },
  }) as const satisfies Prisma.GuardrailSelect;
type KeyPage = Prisma.GuardrailGetPayload<{ select: ReturnType<typeof keyPage> }>;

const memberPage = (query: PageQuery) =>
  ({
    memberAssignments: { orderBy: newestFirst, ...skipTake(query) },
    _count: { select: { memberAssignments: true } },
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

export async function listKeys({ db, caller }: Context, { query }: Input<typeof contract.listKeyAssignments>) {
  const where = { id: caller.organizationId };
  return toKeyPage(await db.organization.findUniqueOrThrow({ where, select: keyPage(query) }));
}

export async function listMembers({ db, caller }: Context, { query }: Input<typeof contract.listMemberAssignments>) {
  const where = { id: caller.organizationId };
  return toMemberPage(await db.organization.findUniqueOrThrow({ where, select: memberPage(query) }));
}

export async function listKeysOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailKeyAssignments>,
) {
  return toKeyPage(await findOfGuardrail(context.db, context, params.id, keyPage(query)));
}

export async function listMembersOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailMemberAssignments>,
) {
  return toMemberPage(await findOfGuardrail(context.db, context, params.id, memberPage(query)));
}
