import "server-only";
import { recordChange } from "../../platform/audit/store";
import { workspacesOf, type Context } from "../../platform/context";
import { includesWorkspace } from "../../platform/grants";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import type { AssignmentChange } from "../../../prisma/generated/client";
import { undoConflicts, type ConflictReason, type StoredAssignment, type Steps } from "./assignment-change";
import { applySteps } from "./assignment-changes-service";
import { ASSIGNMENT_STORES } from "./assignment-store";
import type * as contract from "./assignments-contract";

/**
 * Restores the previous assignment of every target of a bulk change. Fails without changes if any target has changed
 * since.
 */
export async function undo(
  context: Context,
  { body }: Input<typeof contract.undoAssignments>,
): Promise<Result<typeof contract.undoAssignments>> {
  return inTransaction(context.db, async (db) => {
    const change = await lockChange(db, context, body.change_id);
    const steps = change.steps as unknown as Steps;
    const ids = Object.keys(steps);
    const store = ASSIGNMENT_STORES[change.kind];
    // Same lock order as assigning: guardrails first, each kind by id.
    const guardrails = await lockGuardrails(db, change, Object.values(steps));
    const living = await store.lock(db, change, { ids });
    const held = await store.heldBy(db, change, ids);
    const changedLater = await changedAfter(db, change, ids);
    const conflicts = undoConflicts(steps, {
      living: new Set(living.map(({ id }) => id)),
      held,
      guardrails,
      changedLater,
    });
    if (conflicts.size > 0) throw await explain(db, change, conflicts, held);
    await applySteps(db, change.kind, change, steps, "back");
    await db.assignmentChange.update({ where: { id: change.id }, data: { undoneAt: context.now } });
    await recordUndo(db, context, change, steps);
    return { restored_count: ids.length };
  });
}

async function lockChange(db: Database, context: Context, id: string): Promise<AssignmentChange> {
  await db.$queryRaw`SELECT 1 AS locked FROM guardrail_assignment_changes WHERE id = ${id}::uuid FOR UPDATE`;
  const change = await db.assignmentChange.findFirst({ where: { id, organizationId: context.caller.organizationId } });
  if (!change || !includesWorkspace(workspacesOf(context), change.workspaceId)) throw notFound();
  if (change.undoneAt)
    throw conflict("This change has already been undone", { undone_at: change.undoneAt.toISOString() });
  return change;
}

/** Locks the guardrails named by the steps and returns those that still exist. */
async function lockGuardrails(
  db: Database,
  { workspaceId }: AssignmentChange,
  steps: readonly Steps[string][],
): Promise<Set<string>> {
  const ids = [
    ...new Set(
      steps.flatMap(({ before, after }) => [before, after].flatMap((held) => (held ? [held.guardrail_id] : []))),
    ),
  ];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM guardrails WHERE id = ANY(${ids}::uuid[]) AND workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`;
  return new Set(rows.map(({ id }) => id));
}

/** Returns the targets touched by a later change that wasn't undone. */
async function changedAfter(
  db: Database,
  { workspaceId, kind, position }: AssignmentChange,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT touched.id FROM guardrail_assignment_changes AS later, jsonb_object_keys(later.steps) AS touched(id)
    WHERE later.workspace_id = ${workspaceId}::uuid AND later.kind = ${kind}::assignment_kind AND later.position > ${position}
      AND later.undone_at IS NULL AND touched.id = ANY(${[...ids]})`;
  return new Set(rows.map(({ id }) => id));
}

/** Builds the 409 that lists each target that can't be restored, with the reason and its current guardrail. */
async function explain(
  db: Database,
  change: AssignmentChange,
  conflicts: ReadonlyMap<string, ConflictReason>,
  held: ReadonlyMap<string, StoredAssignment>,
) {
  const store = ASSIGNMENT_STORES[change.kind];
  const subjects = await store.namesOf(db, change, [...conflicts.keys()]);
  if (subjects.length === 0)
    return conflict("The workspace of this change was deleted. Nothing was restored", { conflicts: [] });
  const guardrailIds = [...new Set([...held.values()].map(({ guardrail_id }) => guardrail_id))];
  const named = new Map(
    (await db.guardrail.findMany({ where: { id: { in: guardrailIds } }, select: { id: true, name: true } })).map(
      ({ id, name }) => [id, name],
    ),
  );
  const listed = subjects.map(({ id, wireName, name }) => {
    const guardrailId = held.get(id)?.guardrail_id ?? null;
    return {
      [store.wireField]: wireName,
      name,
      reason: conflicts.get(id),
      guardrail_id: guardrailId,
      guardrail_name: guardrailId === null ? null : (named.get(guardrailId) ?? null),
    };
  });
  const total = Object.keys(change.steps as object).length;
  return conflict(`${conflicts.size} of ${total} ${change.kind} have changed since then. Nothing was restored`, {
    conflicts: listed,
  });
}

/** Records the undo in the audit log of the change's guardrail. */
async function recordUndo(db: Database, context: Context, change: AssignmentChange, steps: Steps): Promise<void> {
  const [id = change.id] = Object.values(steps).flatMap(({ before, after }) => (after ?? before)?.guardrail_id ?? []);
  const guardrail = await db.guardrail.findUnique({ where: { id }, select: { name: true } });
  await recordChange(db, context, {
    action: "guardrail.undo_assignments",
    target: { type: "guardrail", id, name: guardrail?.name ?? null },
    workspaceId: change.workspaceId,
    before: { change_id: change.id, kind: change.kind },
    after: { restored_count: Object.keys(steps).length },
  });
}
