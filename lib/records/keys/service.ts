import "server-only";
import type { Key as KeyRow, Prisma } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import { recomputeSpend } from "../budgets/balances-store";
import type { Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { endAll } from "../exceptions/active-store";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { Uuid, type Input, type Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { assertAssignable, assertCovers, loadGrants, setWorkspaceRoles } from "../roles/assign-store";
import { toReference } from "../roles/rows";
import { lockedWorkspaceIdOfBody, resolveWorkspaceId } from "../workspaces/store";
import type * as contract from "./contract";
import { keyHash, keyLabel, newKeyText } from "../../platform/key-text";
import { affectsCountedSpend, expiryIssues } from "./rules";
import {
  fewOrAll,
  NO_SPENDS,
  pageByRangeSpend,
  showsRangeSpend,
  toRangeSpend,
  type ReadSpends,
  type Spends,
} from "../generations/range-spend";
import { keyParts, toAuditedKey, toColumns, toKey, type KeyWithParts } from "./rows";
import { assertOwnChange, capsOf, memberIssues } from "./self-service-store";
import { reachedKeys, type KeyPermission } from "./reach-rows";
import { ownBudget, pageBySpend, usageOf } from "./usage-store";
import { lockOrganization } from "../organization/lock-store";

const SORT_COLUMNS = { name: "name", created_at: "createdAt", expires_at: "expiresAt" } as const;
type ListQuery = Input<typeof contract.listKeys>["query"];

/** What identifies a key in sums of generations. */
export type KeyOfSpend = Pick<KeyRow, "id" | "hash">;

export async function findKey(
  db: Database,
  context: Context,
  hash: string,
  permission: KeyPermission,
): Promise<KeyWithParts> {
  const where = { ...reachedKeys(context, permission), hash };
  const row = await db.key.findFirst({ where, include: keyParts(context.now) });
  if (!row) throw notFound();
  return row;
}

async function lockKey(db: Database, context: Context, hash: string): Promise<KeyWithParts> {
  await db.$queryRaw`SELECT 1 AS locked FROM keys WHERE hash = ${hash} FOR NO KEY UPDATE`;
  return findKey(db, context, hash, "keys:write");
}

async function withUsage(db: Database, context: Context, row: KeyWithParts) {
  return toKey(row, (await usageOf(db, [row], context.now))(row));
}

/** Rejects disabling or deleting the request's own key, because the key couldn't undo it. */
function refuseSelf({ caller }: Context, row: KeyRow, verb: string): void {
  if (caller.kind === "key" && caller.keyId === row.id)
    throw conflict(`A key can't ${verb} itself. Use another management key or the console`);
}

/** Filters by a key's status: disabled, else expired, else active. */
function statusFilter({ status, include_disabled }: ListQuery, now: Date): Prisma.KeyWhereInput {
  if (status === "disabled") return { disabled: true };
  if (status === "expired") return { disabled: false, expiresAt: { lte: now } };
  if (status === "active")
    return {
      disabled: false,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      NOT: { creator: { deactivatedAt: { not: null } } },
    };
  return include_disabled === "true" ? {} : { disabled: false };
}

const assignmentFilter = ({ assigned, guardrail_id }: ListQuery): Prisma.KeyWhereInput[] => [
  ...(guardrail_id === undefined ? [] : [{ assignment: { guardrailId: guardrail_id } }]),
  ...(assigned === undefined ? [] : [{ assignment: assigned === "none" ? { is: null } : { isNot: null } }]),
];

const searchFilter = (q: string): Prisma.KeyWhereInput => ({
  OR: [
    { name: { contains: literal(q), mode: "insensitive" } },
    { label: { startsWith: literal(q) } },
    { hash: { startsWith: literal(q) } },
    ...(Uuid.safeParse(q).success ? [{ id: q }] : []),
  ],
});

interface KeyPage {
  keys: KeyWithParts[];
  total: number;
  /** Spend in a range, if the order depends on it. */
  spends?: Spends;
}

/** Returns one page of keys and the total number. */
async function pageOf(
  { db, caller, now }: Context,
  where: Prisma.KeyWhereInput,
  query: ListQuery,
  readSpends: ReadSpends<KeyOfSpend>,
): Promise<KeyPage> {
  const { field, direction } = sortOrder(query.sort ?? "-created_at");
  if (field === "usage" || field === "range_spend") {
    const found = await db.key.findMany({ where, select: { id: true, hash: true } });
    const all = found.map(({ id }) => id);
    const spends = field === "usage" ? undefined : await readSpends(fewOrAll(found));
    const ids = spends ? pageByRangeSpend(all, spends, direction, query) : await pageBySpend(db, all, direction, query);
    const rows = await db.key.findMany({ where: { id: { in: ids } }, include: keyParts(now) });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { keys: ids.flatMap((id) => byId.get(id) ?? []), total: found.length, ...(spends && { spends }) };
  }
  const orderBy = [{ [SORT_COLUMNS[field]]: direction }, { id: direction }];
  const { keys, _count } = await db.organization.findUniqueOrThrow({
    where: { id: caller.organizationId },
    select: {
      keys: { where, include: keyParts(now), orderBy, ...skipTake(query) },
      _count: { select: { keys: { where } } },
    },
  });
  return { keys, total: _count.keys };
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listKeys>,
  readSpends: ReadSpends<KeyOfSpend> = NO_SPENDS,
): Promise<Result<typeof contract.listKeys>> {
  const { db, now } = context;
  const where: Prisma.KeyWhereInput = {
    AND: [
      reachedKeys(context, "keys:read"),
      { creatorUserId: query.creator_user_id, kind: query.kind },
      { workspaceId: query.workspace_id && (await resolveWorkspaceId(context, query.workspace_id)) },
      ...(query.tag === undefined ? [] : [{ tags: { has: query.tag } }]),
      statusFilter(query, now),
      ...assignmentFilter(query),
      ...(query.q ? [searchFilter(query.q)] : []),
    ],
  };
  const { keys, total, spends } = await pageOf(context, where, query, readSpends);
  const used = await usageOf(db, keys, now);
  const shown = showsRangeSpend(query) ? (spends ?? (await readSpends(keys))) : null;
  return {
    data: keys.map((row) => ({
      ...toKey(row, used(row)),
      ...(shown && { range_spend: toRangeSpend(shown.get(row.id)) }),
    })),
    total_count: total,
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getKey>,
): Promise<Result<typeof contract.getKey>> {
  return { data: await withUsage(context.db, context, await findKey(context.db, context, params.hash, "keys:read")) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createKey>,
): Promise<Result<typeof contract.createKey>> {
  const { caller, now } = context;
  const key = newKeyText(body.kind);
  const hash = keyHash(key);
  return inTransaction(context.db, async (db) => {
    const isManagement = body.kind === "management";
    if (isManagement) await lockOrganization(db, caller.organizationId);
    const workspaceId = await lockedWorkspaceIdOfBody(db, context, body.workspace_id);
    const caps = await capsOf(db, context, { workspaceId, isManagement });
    const creatorUserId = body.creator_user_id ?? caller.userId;
    // Guardrails are locked before members, as by assignments.
    const ofGuardrail = await guardrailIssues(db, workspaceId, body.guardrail_id);
    const issues = [
      ...(await memberIssues(db, context, body, caps)),
      ...expiryIssues(body.expires_at, now),
      ...(await creatorIssues(db, context, creatorUserId)),
      ...ofGuardrail,
    ];
    if (issues.length > 0) throw invalid(issues);
    if (isManagement) await assertRoles(db, context, body);
    const row = await db.key.create({
      data: {
        ...toColumns(body),
        id: uuidv7(now),
        organizationId: caller.organizationId,
        workspaceId,
        creatorUserId,
        kind: body.kind,
        name: body.name,
        hash,
        label: keyLabel(key),
        createdAt: now,
        secrets: { create: { hash, createdAt: now } },
        ...(body.guardrail_id && {
          assignment: {
            create: {
              id: uuidv7(now),
              organizationId: caller.organizationId,
              guardrailId: body.guardrail_id,
              assignedBy: caller.userId,
              createdAt: now,
            },
          },
        }),
      },
      include: keyParts(now),
    });
    await setWorkspaceRoles(db, context, { keyId: row.id }, body.workspace_roles);
    const after = {
      ...toAuditedKey(row),
      workspace_roles: body.workspace_roles ?? [],
      guardrail_id: body.guardrail_id ?? null,
    };
    await recordChange(db, context, { action: "key.create", target: target(row), workspaceId, after });
    return { data: { ...toKey(row), workspace_roles: body.workspace_roles ?? [] }, key };
  });
}

/** Throws a 403 if a management key would have a permission that the caller lacks. */
const assertRoles = (
  db: Database,
  context: Context,
  given: Pick<contract.UpdateKeyBody, "role" | "workspace_roles">,
): Promise<void> => assertAssignable(db, context, { ...given, role: given.role ?? "org:admin" });

/** Locks the member, so that a concurrent removal includes the new key. */
async function creatorIssues(db: Database, { caller }: Context, userId: string | null) {
  if (!userId) return [];
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM members
    WHERE id = ${userId} AND organization_id = ${caller.organizationId}::uuid AND deleted_at IS NULL FOR SHARE`;
  return found.length > 0
    ? []
    : [{ path: ["creator_user_id"], message: "is not a member of the organization", code: "custom" }];
}

/** Locks the guardrail, so that a concurrent deletion includes the new assignment. */
async function guardrailIssues(db: Database, workspaceId: string, guardrailId: string | null | undefined) {
  if (!guardrailId) return [];
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM guardrails
    WHERE id = ${guardrailId}::uuid AND workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL FOR SHARE`;
  return found.length > 0
    ? []
    : [{ path: ["guardrail_id"], message: "is not a guardrail of the key's workspace", code: "custom" }];
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateKey>,
): Promise<Result<typeof contract.updateKey>> {
  const issues = expiryIssues(body.expires_at, context.now);
  if (issues.length > 0) throw invalid(issues);
  return inTransaction(context.db, async (db) => {
    if (body.role !== undefined || body.workspace_roles !== undefined)
      await lockOrganization(db, context.caller.organizationId);
    const before = await lockKey(db, context, params.hash);
    assertOwnChange(await capsOf(db, context, placeOf(before)), before, body);
    await assertRoleChange(db, context, before, body);
    if (body.disabled) refuseSelf(context, before, "disable");
    await setWorkspaceRoles(db, context, { keyId: before.id }, body.workspace_roles);
    const row = await db.key.update({
      where: { id: before.id },
      data: { ...toColumns(body), disabled: body.disabled, updatedAt: context.now },
      include: keyParts(context.now),
    });
    const budget = ownBudget(row, context.now);
    if (budget && affectsCountedSpend(before, row)) await recomputeSpend(db, budget, context.now);
    await recordChange(db, context, {
      action: "key.update",
      target: target(row),
      workspaceId: row.workspaceId,
      before: withWorkspaceRoles(before),
      after: withWorkspaceRoles(row),
    });
    return { data: await withUsage(db, context, row) };
  });
}

const placeOf = ({ workspaceId, kind }: KeyRow) => ({ workspaceId, isManagement: kind === "management" });

const withWorkspaceRoles = (row: KeyWithParts) => ({
  ...toAuditedKey(row),
  ...(row.kind === "management" && { workspace_roles: toKey(row).workspace_roles }),
});

/** Checks a change of a management key's roles; the caller must have the former and the new permissions. */
async function assertRoleChange(
  db: Database,
  context: Context,
  before: KeyWithParts,
  { role, workspace_roles }: contract.UpdateKeyBody,
): Promise<void> {
  if (role === undefined && workspace_roles === undefined) return;
  const after = {
    role: role === undefined ? toReference(before) : role,
    workspace_roles: workspace_roles ?? toKey(before).workspace_roles,
  };
  const isEmpty = after.role === null && after.workspace_roles.length === 0;
  if (before.kind === "inference" && isEmpty) return;
  if (before.kind === "inference")
    throw invalid([{ path: ["role"], message: "must be empty: only management keys have a role", code: "custom" }]);
  if (after.role === null && !isEmpty)
    throw invalid([
      {
        path: ["role"],
        message: "is required with workspace_roles: without it, the key has an admin's permissions",
        code: "custom",
      },
    ]);
  assertCovers(context, await loadGrants(db, { keyId: before.id }));
  await assertRoles(db, context, after);
}

/** Deletes the key and its assignment; the row stays because the history references it. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteKey>,
): Promise<Result<typeof contract.deleteKey>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockKey(db, context, params.hash);
    assertOwnChange(await capsOf(db, context, placeOf(before)), before);
    refuseSelf(context, before, "delete");
    await db.keySecret.deleteMany({ where: { keyId: before.id } });
    await db.guardrailKeyAssignment.deleteMany({ where: { keyId: before.id } });
    await db.workspaceRole.deleteMany({ where: { keyId: before.id } });
    await endAll(db, { keyId: before.id }, context.now);
    await db.key.update({ where: { id: before.id }, data: { deletedAt: context.now } });
    await recordChange(db, context, {
      action: "key.delete",
      target: target(before),
      workspaceId: before.workspaceId,
      before: toAuditedKey(before),
    });
    return { deleted: true as const };
  });
}

/** Sets a new key and hash. Previous keys expire with the grace period, or earlier if already scheduled. */
export async function rotate(
  context: Context,
  { params, body }: Input<typeof contract.rotateKey>,
): Promise<Result<typeof contract.rotateKey>> {
  const { now } = context;
  const graceEnd = new Date(now.getTime() + body.grace_seconds * 1000);
  return inTransaction(context.db, async (db) => {
    const before = await lockKey(db, context, params.hash);
    assertOwnChange(await capsOf(db, context, placeOf(before)), before);
    // Whoever sees the new text may do what the key may.
    if (before.kind === "management") assertCovers(context, await loadGrants(db, { keyId: before.id }));
    const key = newKeyText(before.kind);
    const hash = keyHash(key);
    await db.keySecret.updateMany({
      where: { keyId: before.id, OR: [{ expiresAt: null }, { expiresAt: { gt: graceEnd } }] },
      data: { expiresAt: graceEnd },
    });
    await db.keySecret.deleteMany({ where: { keyId: before.id, expiresAt: { lte: now } } });
    const row = await db.key.update({
      where: { id: before.id },
      data: { hash, label: keyLabel(key), updatedAt: now, secrets: { create: { hash, createdAt: now } } },
      include: keyParts(now),
    });
    await recordChange(db, context, {
      action: "key.rotate",
      target: target(row),
      workspaceId: row.workspaceId,
      before: toAuditedKey(before),
      after: toAuditedKey(row),
    });
    return { data: await withUsage(db, context, row), key };
  });
}

const target = ({ id, name }: KeyRow) => ({ type: "key", id, name });
