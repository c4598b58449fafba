import "server-only";
import { NO_KEY_LIMIT, type KeyLimit } from "../../engine/budgets/budget-rule";
import { workspacesOf, type Context } from "../../platform/context";
import { includesWorkspace } from "../../platform/grants";
import { ownRaises } from "../../records/exceptions/active-store";
import { invalid, notFound } from "../../platform/api-error";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import type { LayerSubject } from "../../records/guardrails/layers-store";

/** The subject of an evaluation, with a key's own limit. */
export interface Subject extends LayerSubject {
  keyHash: string | null;
  limit: KeyLimit;
  /** Tags of the key and the member; null for a policy test, which no limit of the organization counts. */
  tags: readonly string[] | null;
}

interface Named {
  key_hash?: string | undefined;
  user_id?: string | undefined;
  workspace_id?: string | undefined;
}

/**
 * Finds a key or member of the caller's organization; 404 when missing or foreign. Without either, the subject is
 * anyone in the workspace. With both, it is the key as if that member had created it.
 */
export async function findSubject(context: Context, { key_hash, user_id, workspace_id }: Named): Promise<Subject> {
  let memberTags: string[] | null = null;
  if (user_id !== undefined) {
    const { organizationId } = context.caller;
    const member = await context.db.member.findFirst({
      where: { id: user_id, organizationId, deletedAt: null },
      select: { tags: true },
    });
    if (!member) throw notFound({ user_id });
    memberTags = member.tags;
  }
  if (key_hash !== undefined) {
    const subject = await keySubject(context, key_hash, memberTags);
    return user_id === undefined ? subject : { ...subject, userId: user_id };
  }
  const workspaceId = await resolveWorkspaceId(context, workspace_id);
  return {
    workspaceId,
    userId: user_id ?? null,
    keyId: null,
    keyHash: null,
    limit: NO_KEY_LIMIT,
    tags: memberTags ?? [],
  };
}

/** @param memberTags Tags of another member than the key's; null for the key's own. */
async function keySubject(context: Context, hash: string, memberTags: readonly string[] | null): Promise<Subject> {
  const { db, caller, now } = context;
  const key = await db.key.findFirst({
    where: { hash, organizationId: caller.organizationId, deletedAt: null },
    include: { creator: { select: { tags: true } } },
  });
  if (!key || !includesWorkspace(workspacesOf(context), key.workspaceId)) throw notFound({ key_hash: hash });
  if (key.kind === "management")
    throw invalid([
      { path: ["key_hash"], message: "is a management key, which can't send inference requests", code: "custom" },
    ]);
  const { id: keyId, workspaceId, creatorUserId: userId, limitMicroUsd, limitReset, includeByokInLimit } = key;
  return {
    workspaceId,
    userId,
    keyId,
    keyHash: hash,
    limit: { limitMicroUsd, limitReset, includeByokInLimit, raises: await ownRaises(db, keyId, now) },
    tags: [...new Set([...key.tags, ...(memberTags ?? key.creator?.tags ?? [])])],
  };
}
