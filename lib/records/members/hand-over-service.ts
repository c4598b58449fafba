import "server-only";
import type { Key, Member as MemberRow } from "../../../prisma/generated/client";
import { conflict, invalid, notFound, type Issue } from "../../platform/api-error";
import { recordChange, recordChanges } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import type { handOverMember } from "./hand-over-contract";
import { nameOf } from "./name";
import { target } from "./store";
import { assertHolds, loadGrants } from "../roles/assign-store";
import { firstMissing } from "../roles/grants";
import { freeName } from "./view-name";
import { lockOrganization } from "../organization/lock-store";

/** The previous owner may have been removed: their keys are still listed. */
async function findMembers(db: Database, { caller }: Context, fromId: string, toId: string) {
  const { organizationId } = caller;
  const from = await db.member.findFirst({ where: { id: fromId, organizationId } });
  if (!from) throw notFound();
  if (fromId === toId) throw conflict("A member can't hand over to themselves");
  const to = await db.member.findFirst({ where: { id: toId, organizationId, deletedAt: null, deactivatedAt: null } });
  if (!to)
    throw invalid([{ path: ["to_user_id"], message: "is not an active member of the organization", code: "custom" }]);
  return { from, to };
}

/** Reports keys that the member doesn't own. */
function keyIssues(keys: readonly Key[], wanted: readonly string[] = []): Issue[] {
  const owned = new Set(keys.map(({ hash }) => hash));
  return wanted.flatMap((hash, index): Issue[] =>
    owned.has(hash)
      ? []
      : [{ path: ["key_hashes", index], message: "is not the hash of a key of the member", code: "custom" }],
  );
}

/** Reports a management key that may do more than the new owner: owners rotate their keys, and so see them. */
async function powerIssues(db: Database, keys: readonly Key[], to: MemberRow): Promise<Issue[]> {
  const owner = { grants: await loadGrants(db, { memberId: to.id }) };
  for (const { id, kind, name } of keys) {
    const missing = kind === "management" ? firstMissing(owner, await loadGrants(db, { keyId: id })) : null;
    if (missing !== null)
      return [
        {
          path: ["to_user_id"],
          message: `lacks the permission ${missing}, which the key "${name}" has`,
          code: "custom",
        },
      ];
  }
  return [];
}

export async function handOver(
  context: Context,
  { params, body }: Input<typeof handOverMember>,
): Promise<Result<typeof handOverMember>> {
  const { now } = context;
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    const { from, to } = await findMembers(db, context, params.user_id, body.to_user_id);
    const { organizationId } = from;
    const keys = await db.key.findMany({
      where: {
        organizationId,
        creatorUserId: from.id,
        deletedAt: null,
        ...(body.key_hashes && { hash: { in: body.key_hashes } }),
      },
      orderBy: { createdAt: "asc" },
    });
    const issues = [...keyIssues(keys, body.key_hashes), ...(await powerIssues(db, keys, to))];
    if (issues.length > 0) throw invalid(issues);
    // The new owner can rotate the keys, and so use them.
    if (keys.length > 0) assertHolds(context, "keys:write");
    await db.key.updateMany({
      where: { organizationId, id: { in: keys.map(({ id }) => id) } },
      data: { creatorUserId: to.id, updatedAt: now },
    });
    await recordChanges(
      db,
      context,
      keys.map(({ id, name, workspaceId }) => ({
        action: "key.update" as const,
        target: { type: "key", id, name },
        workspaceId,
        before: { creator_user_id: from.id },
        after: { creator_user_id: to.id },
      })),
    );
    const saved_views = body.key_hashes ? 0 : await moveViews(db, from, to);
    await recordChange(db, context, {
      action: "member.hand_over",
      target: target(from),
      after: { to_user_id: to.id, to: to.email, keys: keys.length, saved_views },
    });
    return { data: { keys: keys.length, saved_views } };
  });
}

/** Moves saved views. One whose name the new owner already uses gets the previous owner's behind it. */
async function moveViews(db: Database, from: MemberRow, to: MemberRow): Promise<number> {
  const { organizationId } = from;
  const views = await db.savedView.findMany({ where: { organizationId, ownerId: { in: [from.id, to.id] } } });
  const taken = new Map<string, Set<string>>();
  const namesOn = (page: string) => {
    const names = taken.get(page) ?? new Set<string>();
    taken.set(page, names);
    return names;
  };
  for (const { ownerId, page, name } of views) if (ownerId === to.id) namesOn(page).add(name);
  const moved = views.filter(({ ownerId }) => ownerId === from.id);
  for (const view of moved) {
    const name = freeName(view.name, namesOn(view.page), nameOf(from));
    namesOn(view.page).add(name);
    await db.savedView.update({ where: { id: view.id }, data: { ownerId: to.id, name } });
  }
  return moved.length;
}
