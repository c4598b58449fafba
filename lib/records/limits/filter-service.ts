import "server-only";
import type { Limit as Row } from "../../../prisma/generated/client";
import { replaces } from "../../engine/budgets/limit";
import type { LimitSubject } from "../../engine/budgets/vocabulary";
import { notFound } from "../../platform/api-error";
import { workspacesOf, type Context } from "../../platform/context";
import { includesWorkspace } from "../../platform/grants";
import type { Input } from "../../platform/http/operation";
import { toRule } from "../budgets/limit-rows";
import type * as contract from "./contract";

/** Subjects that a key or member has, by which a list is filtered. */
type Subjects = ReadonlyMap<LimitSubject, readonly string[]>;

/** The stored subject of limits on the organization, and of keys that share a limit. */
const SINGLE = "";

/** Returns the subjects of a key or member; null without either. */
export async function subjectsOf(
  context: Context,
  { key_hash, user_id }: Pick<Input<typeof contract.listLimits>["query"], "key_hash" | "user_id">,
): Promise<Subjects | null> {
  const { db, caller } = context;
  const { organizationId } = caller;
  if (key_hash !== undefined) {
    const key = await db.key.findFirst({
      where: { organizationId, hash: key_hash, deletedAt: null },
      include: { creator: { select: { tags: true } } },
    });
    if (!key || !includesWorkspace(workspacesOf(context), key.workspaceId)) throw notFound({ key_hash });
    return new Map<LimitSubject, string[]>([
      ["workspace", [key.workspaceId]],
      ["tag", [...key.tags, ...(key.creator?.tags ?? [])]],
      ["member", key.creatorUserId === null ? [] : [key.creatorUserId]],
      ["key", [key.id]],
      ["keys", [key.id]],
    ]);
  }
  if (user_id === undefined) return null;
  const member = await db.member.findFirst({ where: { organizationId, id: user_id, deletedAt: null } });
  if (!member) throw notFound({ user_id });
  return new Map<LimitSubject, string[]>([
    ["tag", member.tags],
    ["member", [member.id]],
  ]);
}

/**
 * Returns the given subjects that a limit counts, as stored. A limit for all counts only those that no other limit names
 * (docs/budgets.md#limits-where-money-is-owned).
 */
export function countedOf(row: Row, rows: readonly Row[], subjects: Subjects): readonly string[] {
  const { subject, subjectIds, isForEach } = row;
  if (subject === "organization") return [SINGLE];
  const ids = subjects.get(subject) ?? [];
  if (subject === "keys") return ids.some((id) => subjectIds.includes(id)) ? [SINGLE] : [];
  if (!isForEach) return ids.filter((id) => subjectIds.includes(id));
  const rule = toRule(row);
  const replacing = rows.filter(
    (other) =>
      other.enabled &&
      other.subject === subject &&
      (other.workspaceId === null || other.workspaceId === row.workspaceId || subjects.has("workspace")) &&
      replaces(toRule(other), rule),
  );
  return ids.filter((id) => !replacing.some((other) => other.subjectIds.includes(id)));
}

/**
 * Returns the limits that a caller may see. With the permission for some workspaces, these are limits on requests of
 * those alone, and limits that each workspace or key has.
 */
export async function visibleOf(context: Context, rows: readonly Row[]): Promise<Row[]> {
  const workspaces = workspacesOf(context);
  if (workspaces === "all") return [...rows];
  const isOfKeys = ({ subject }: Row) => subject === "key" || subject === "keys";
  const keys = await context.db.key.findMany({
    where: {
      organizationId: context.caller.organizationId,
      workspaceId: { in: [...workspaces] },
      id: { in: rows.filter(isOfKeys).flatMap(({ subjectIds }) => subjectIds) },
    },
    select: { id: true },
  });
  const keyIds = new Set(keys.map(({ id }) => id));
  return rows.filter((row) => {
    const { workspaceId, subject, subjectIds } = row;
    if (workspaceId !== null) return workspaces.includes(workspaceId);
    if (subject === "workspace") return subjectIds.every((id) => workspaces.includes(id));
    return isOfKeys(row) && subjectIds.every((id) => keyIds.has(id));
  });
}
