import "server-only";
import type { Key as KeyRow } from "../../../prisma/generated/client";
import { forbidden, invalid, type Issue } from "../../platform/api-error";
import { isOrdinaryMember, type Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import type { CreateKeyBody, KeySelfService } from "./contract";
import { capIssues, changeIssues, type KeyCaps } from "./self-service-policy";

/** Returns the caps of a member's keys; null for callers without caps. 403 without self-service. */
export async function capsOf({ caller, db }: Context): Promise<KeyCaps | null> {
  if (!isOrdinaryMember(caller)) return null;
  const { keySelfService } = await db.organization.findUniqueOrThrow({
    where: { id: caller.organizationId },
    select: { keySelfService: true },
  });
  if (keySelfService === null) throw forbidden();
  return keySelfService as KeySelfService;
}

/** Locks the member, so that keys created at the same time are counted. */
export async function memberIssues(
  db: Database,
  { caller, now }: Context,
  body: CreateKeyBody,
  caps: KeyCaps | null,
): Promise<Issue[]> {
  if (caps === null || !isOrdinaryMember(caller)) return [];
  const { userId, workspaceId } = caller;
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${userId} FOR NO KEY UPDATE`;
  const ownKeys = await db.key.count({ where: { creatorUserId: userId, kind: "inference", deletedAt: null } });
  return capIssues(body, caps, { userId, workspaceId, ownKeys }, now);
}

/** Rejects changes of a key that its member may not make: other fields, and any to management keys. */
export function assertOwnChange(
  caps: KeyCaps | null,
  { kind }: Pick<KeyRow, "kind">,
  change: Readonly<Record<string, unknown>> = {},
): void {
  if (caps === null) return;
  if (kind === "management") throw forbidden();
  const issues = changeIssues(change);
  if (issues.length > 0) throw invalid(issues);
}
