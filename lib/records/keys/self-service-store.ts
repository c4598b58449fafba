import "server-only";
import type { Key as KeyRow, Prisma } from "../../../prisma/generated/client";
import { invalid, lacksPermission, type Issue } from "../../platform/api-error";
import { ownOnly, type Context } from "../../platform/context";
import { holds, includesWorkspace, workspacesWith } from "../../platform/grants";
import type { Database } from "../../platform/database/transaction";
import { toMicroUsd } from "../../engine/money";
import { windowStart } from "../../engine/windows";
import { balancesOf } from "../budgets/balances-store";
import type { CreateKeyBody, KeySelfService } from "./contract";
import { capIssues, changeIssues, type KeyCaps } from "./self-service-rules";
import { ownBudget } from "./usage-store";

/**
 * Returns the caps of a member's keys; null for callers that manage every key of the organization, or every inference key
 * of the workspace. 403 for others, and for members without self-service.
 */
export async function capsOf(
  db: Database,
  { caller }: Context,
  { workspaceId, isManagement }: { workspaceId: string; isManagement: boolean },
): Promise<KeyCaps | null> {
  const managed = workspacesWith(caller, "keys:write");
  if (managed === "all" || (!isManagement && includesWorkspace(managed, workspaceId))) return null;
  if (!ownOnly(caller, "keys:write")) throw lacksPermission("keys:write");
  if (!holds(caller, "own_keys:write")) throw lacksPermission("own_keys:write");
  const { keySelfService } = await db.organization.findUniqueOrThrow({
    where: { id: caller.organizationId },
    select: { keySelfService: true },
  });
  if (keySelfService === null) throw lacksPermission("keys:write", ": members may not create their own keys");
  return keySelfService as KeySelfService;
}

/** Locks the member, so that keys created at the same time are counted. */
export async function memberIssues(
  db: Database,
  { caller, now }: Context,
  body: CreateKeyBody,
  caps: KeyCaps | null,
): Promise<Issue[]> {
  if (caps === null || !ownOnly(caller, "keys:write")) return [];
  const { userId, workspaceId } = caller;
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${userId} FOR NO KEY UPDATE`;
  const own = { creatorUserId: userId, kind: "inference" as const };
  const keys = await db.key.findMany({ where: { ...own, deletedAt: null }, select: { limitMicroUsd: true } });
  const most = toMicroUsd(caps.max_limit ?? 0);
  const granted = keys.map(({ limitMicroUsd: limit }) => (limit !== null && limit < most ? limit : most));
  const committedMicroUsd = sum(granted) + (await spentByDeleted(db, own, now));
  return capIssues(body, caps, { userId, workspaceId, ownKeys: keys.length, committedMicroUsd }, now);
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);

/** Spend of deleted keys that still counts: until their limits reset, or until they would have expired. */
async function spentByDeleted(db: Database, own: Prisma.KeyWhereInput, now: Date): Promise<bigint> {
  const keys = await db.key.findMany({
    where: {
      AND: [
        { ...own, deletedAt: { not: null } },
        { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        { OR: [{ limitReset: null }, { deletedAt: { gte: windowStart("monthly", now) } }] },
      ],
    },
  });
  const budgets = keys.flatMap((row) => ownBudget(row, now) ?? []);
  const balances = await balancesOf(db, budgets, now);
  return sum(budgets.map(({ id }) => balances.get(id)?.spentMicroUsd ?? 0n));
}

/** Rejects changes to a key that its member may not make: other fields, and any change of a management key. */
export function assertOwnChange(
  caps: KeyCaps | null,
  { kind }: Pick<KeyRow, "kind">,
  change: Readonly<Record<string, unknown>> = {},
): void {
  if (caps === null) return;
  if (kind === "management") throw lacksPermission("keys:write");
  const issues = changeIssues(change);
  if (issues.length > 0) throw invalid(issues);
}
