import "server-only";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, type PageQuery } from "../../platform/http/pagination";
import type * as contract from "./assignments-contract";
import { findGuardrail } from "./store";

const newestFirst = [{ createdAt: "desc" as const }, { id: "desc" as const }];

async function keyPage(
  context: Context,
  query: PageQuery,
  guardrailId?: string,
): Promise<Result<typeof contract.listKeyAssignments>> {
  const where = { organizationId: context.caller.organizationId, guardrailId };
  const rows = await context.db.guardrailKeyAssignment.findMany({
    where,
    include: { key: true },
    orderBy: newestFirst,
    ...skipTake(query),
  });
  const data = rows.map(({ id, key, assignedBy, createdAt, ...row }) => ({
    id,
    guardrail_id: row.guardrailId,
    key_hash: key.hash,
    key_name: key.name,
    key_label: key.label,
    assigned_by: assignedBy,
    created_at: createdAt.toISOString(),
  }));
  return { data, total_count: await context.db.guardrailKeyAssignment.count({ where }) };
}

async function memberPage(
  context: Context,
  query: PageQuery,
  guardrailId?: string,
): Promise<Result<typeof contract.listMemberAssignments>> {
  const where = { organizationId: context.caller.organizationId, guardrailId };
  const rows = await context.db.guardrailMemberAssignment.findMany({ where, orderBy: newestFirst, ...skipTake(query) });
  const data = rows.map((row) => ({
    id: row.id,
    guardrail_id: row.guardrailId,
    user_id: row.userId,
    organization_id: row.organizationId,
    assigned_by: row.assignedBy,
    created_at: row.createdAt.toISOString(),
  }));
  return { data, total_count: await context.db.guardrailMemberAssignment.count({ where }) };
}

export const listKeys = (context: Context, { query }: Input<typeof contract.listKeyAssignments>) =>
  keyPage(context, query);
export const listMembers = (context: Context, { query }: Input<typeof contract.listMemberAssignments>) =>
  memberPage(context, query);

export async function listKeysOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailKeyAssignments>,
) {
  const guardrail = await findGuardrail(context.db, context, params.id);
  return keyPage(context, query, guardrail.id);
}

export async function listMembersOf(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailMemberAssignments>,
) {
  const guardrail = await findGuardrail(context.db, context, params.id);
  return memberPage(context, query, guardrail.id);
}
