import "server-only";
import { Prisma, type Key as KeyRow } from "../../../prisma/generated/client";
import { nameOf } from "../members/name";
import { fromMicroUsd, toMicroUsd } from "../../engine/money";
import { toReference, toRoleColumns, toWorkspaceRoles, workspaceRoleParts } from "../roles/rows";
import type { CreateKeyBody, Key, KeyUsage, UpdateKeyBody } from "./contract";
import { NO_ACTIVITY, remainingMicroUsd, type KeySpend, type KeyActivity } from "./rules";

/** Relations of a key's API object. */
export const keyParts = (now: Date) =>
  ({
    creator: { select: { firstName: true, lastName: true, email: true, deactivatedAt: true } },
    workspaceRoles: workspaceRoleParts,
    assignment: { select: { guardrail: { select: { id: true, name: true } } } },
    secrets: {
      where: { expiresAt: { gt: now }, workload: { equals: Prisma.DbNull } },
      orderBy: { expiresAt: "desc" },
      take: 1,
      select: { expiresAt: true },
    },
  }) as const satisfies Prisma.KeyInclude;
export type KeyWithParts = Prisma.KeyGetPayload<{ include: ReturnType<typeof keyParts> }>;

/** Converts API fields to columns; missing fields stay missing. */
export function toColumns(body: CreateKeyBody | UpdateKeyBody) {
  return {
    name: body.name,
    tags: body.tags,
    limitMicroUsd: typeof body.limit === "number" ? toMicroUsd(body.limit) : body.limit,
    limitReset: body.limit_reset,
    includeByokInLimit: body.include_byok_in_limit,
    expiresAt: body.expires_at ? new Date(body.expires_at) : body.expires_at,
    ...(body.role === null ? { role: null, customRoleId: null } : body.role !== undefined && toRoleColumns(body.role)),
  };
}

const toUsage = ({ platform, byok }: KeySpend): KeyUsage => ({
  usage: fromMicroUsd(platform.total),
  usage_daily: fromMicroUsd(platform.daily),
  usage_weekly: fromMicroUsd(platform.weekly),
  usage_monthly: fromMicroUsd(platform.monthly),
  byok_usage: fromMicroUsd(byok.total),
  byok_usage_daily: fromMicroUsd(byok.daily),
  byok_usage_weekly: fromMicroUsd(byok.weekly),
  byok_usage_monthly: fromMicroUsd(byok.monthly),
});

/** Converts a row to its form in the audit log, without volatile figures. */
export const toAuditedKey = (row: KeyRow) => ({
  id: row.id,
  hash: row.hash,
  name: row.name,
  label: row.label,
  kind: row.kind,
  disabled: row.disabled,
  limit: row.limitMicroUsd === null ? null : fromMicroUsd(row.limitMicroUsd),
  limit_reset: row.limitReset,
  include_byok_in_limit: row.includeByokInLimit,
  expires_at: row.expiresAt?.toISOString() ?? null,
  tags: row.tags,
  creator_user_id: row.creatorUserId,
  workspace_id: row.workspaceId,
  role: toReference(row),
});

/** Converts a row and its usage to an API object. A new key has no usage. */
export function toKey(row: KeyWithParts, used: KeyActivity = NO_ACTIVITY): Key {
  const remaining = remainingMicroUsd(row.limitMicroUsd, used);
  return {
    ...toAuditedKey(row),
    workspace_roles: toWorkspaceRoles(row.workspaceRoles),
    ...toUsage(used.spend),
    limit_remaining: remaining === null ? null : fromMicroUsd(remaining),
    creator_name: row.creator && nameOf(row.creator),
    is_creator_deactivated: row.creator !== null && row.creator.deactivatedAt !== null,
    external_user: null,
    guardrail_id: row.assignment?.guardrail.id ?? null,
    guardrail_name: row.assignment?.guardrail.name ?? null,
    last_used_at: used.lastUsedAt?.toISOString() ?? null,
    requests_last_day: used.requestsLastDay,
    old_text_expires_at: row.secrets[0]?.expiresAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}
