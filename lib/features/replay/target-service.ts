import "server-only";
import type { Context } from "../../platform/context";
import { toGuardrail } from "../../records/guardrails/rows";
import { findGuardrail } from "../../records/guardrails/store";
import { invalid } from "../../platform/api-error";
import { draftLayer } from "../../records/guardrails/draft";
import type { Layer, LayerScope } from "../../engine/policy/layers";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import type { ReplayBody } from "./contract";

/** The guardrail to replay, and its subjects. */
export interface Target {
  workspaceId: string;
  contentRetentionDays: number | null;
  draft: Layer["guardrail"];
  /** Regions of the workspace. */
  regions: readonly string[];
  /** Keys whose requests are replayed; null for every request of the workspace. */
  keyHashes: readonly string[] | null;
  placeOf: (row: { key_id: string | null; user_id: string | null }) => LayerScope;
}

/** Keys and members that a guardrail is assigned to, or evaluated for. */
interface Holders {
  keyHashes: readonly string[] | null;
  placeOf: Target["placeOf"];
}

const NOT_ASSIGNED: Holders = { keyHashes: null, placeOf: () => "draft" };

/**
 * Finds the target of a replay; 404 for a foreign guardrail or workspace, 400 for keys that aren't inference keys of
 * the workspace.
 */
export async function findTarget(context: Context, { guardrail, key_hashes }: ReplayBody): Promise<Target> {
  const { id, workspace_id, ...changes } = guardrail;
  const { db, settings } = context;
  const stored = id === undefined ? null : await findGuardrail(db, context, id);
  const workspaceId = stored?.workspaceId ?? (await resolveWorkspaceId(context, workspace_id));
  const { contentRetentionDays, defaultGuardrailId, regions } = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
  });
  const { guardrail: draft } = draftLayer(
    changes,
    settings.zdrVendors,
    stored ? toGuardrail(stored, settings.zdrVendors) : undefined,
  );
  const holders = key_hashes
    ? await triedOn(context, workspaceId, key_hashes)
    : defaultGuardrailId !== null && defaultGuardrailId === id
      ? { keyHashes: null, placeOf: () => "workspace" as const }
      : id === undefined
        ? NOT_ASSIGNED
        : await assigned(context, workspaceId, id);
  const isChanged = Object.keys(changes).length > 0;
  return {
    workspaceId,
    contentRetentionDays,
    draft: isChanged ? { ...draft, revision: null } : draft,
    regions,
    ...holders,
  };
}

async function triedOn({ db }: Context, workspaceId: string, hashes: readonly string[]): Promise<Holders> {
  const keys = await db.key.findMany({
    where: { workspaceId, kind: "inference", hash: { in: [...hashes] } },
    select: { hash: true },
  });
  const known = new Set(keys.map(({ hash }) => hash));
  const unknown = hashes.flatMap((hash, index) =>
    known.has(hash)
      ? []
      : [{ path: ["key_hashes", index], message: "is not an inference key of this workspace", code: "unknown_key" }],
  );
  if (unknown.length > 0) throw invalid(unknown);
  return { keyHashes: [...known], placeOf: () => "key" };
}

/** Returns the keys that a guardrail is assigned to, directly or through the members who created them. */
async function assigned({ db }: Context, workspaceId: string, guardrailId: string): Promise<Holders> {
  const [ofKeys, ofMembers] = await Promise.all([
    db.guardrailKeyAssignment.findMany({ where: { guardrailId }, select: { keyId: true } }),
    db.guardrailMemberAssignment.findMany({ where: { guardrailId, workspaceId }, select: { userId: true } }),
  ]);
  if (ofKeys.length + ofMembers.length === 0) return NOT_ASSIGNED;
  const [keyIds, userIds] = [ofKeys.map(({ keyId }) => keyId), ofMembers.map(({ userId }) => userId)];
  const keys = await db.key.findMany({
    where: { workspaceId, kind: "inference", OR: [{ id: { in: keyIds } }, { creatorUserId: { in: userIds } }] },
    select: { hash: true },
  });
  const own = new Set(keyIds);
  return {
    keyHashes: keys.map(({ hash }) => hash),
    placeOf: ({ key_id }) => (key_id !== null && own.has(key_id) ? "key" : "member"),
  };
}
