import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import type { AssignmentKind, Prisma } from "../../../prisma/generated/client";
import { planAssignment, planRemoval, type StoredAssignment, type Steps, type Target } from "./assignment-change";
import { ASSIGNMENT_STORES, type AssignmentScope } from "./assignment-store";
import type * as contract from "./assignments-contract";
import { lockGuardrail } from "./store";

interface AssignmentRequest {
  kind: AssignmentKind;
  guardrailId: string;
  names: readonly string[];
  /** True to report the result without a change. */
  isDryRun: boolean;
}

interface Changed {
  count: number;
  /** The result of a dry run. */
  plan?: { added: string[]; moved: { wireName: string; from: string }[]; unchanged: string[] };
  /** Set when the change had an effect. */
  change_id?: string;
}

/** Rejects the call if any name is unknown, a management key, or in another workspace. */
function assertAllFound(field: string, names: readonly string[], found: readonly Target[]): void {
  const known = new Set(found.map(({ wireName }) => wireName));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const path = [field];
  throw invalid(
    [
      {
        path,
        message: `${unknown.length} can't be assigned: unknown or not in the guardrail's workspace`,
        code: "unknown",
      },
    ],
    { unknown },
  );
}

async function change(
  context: Context,
  verb: "assign" | "unassign",
  { kind, guardrailId, names, isDryRun }: AssignmentRequest,
): Promise<Changed> {
  const isRemoval = verb === "unassign";
  const store = ASSIGNMENT_STORES[kind];
  const wireNames = [...new Set(names)];
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, guardrailId);
    const place = { organizationId: context.caller.organizationId, workspaceId: guardrail.workspaceId };
    const targets = await store.lock(db, place, { wireNames });
    if (!isRemoval) assertAllFound(store.field, wireNames, targets);
    const held = await store.heldBy(
      db,
      place,
      targets.map(({ id }) => id),
    );
    const { added, moved, unchanged } = (isRemoval ? planRemoval : planAssignment)(guardrail.id, targets, held);
    const count = isRemoval ? moved.length : targets.length;
    const leaving = moved.map(({ id, wireName }) => ({ wireName, from: held.get(id)?.guardrail_id ?? guardrail.id }));
    if (isDryRun)
      return { count, plan: { added: wireNamesOf(added), moved: leaving, unchanged: wireNamesOf(unchanged) } };
    const affected = [...added, ...moved];
    if (affected.length === 0) return { count };
    const steps = stepsOf(context, affected, held, isRemoval ? null : guardrail.id);
    await applySteps(db, kind, place, steps, "forward");
    await recordChange(db, context, {
      action: `guardrail.${verb}_${kind}`,
      target: { type: "guardrail", id: guardrail.id, name: guardrail.name },
      workspaceId: guardrail.workspaceId,
      before: leaving.map(({ wireName, from }) => ({ [store.wireField]: wireName, guardrail_id: from })),
      after: wireNamesOf(affected),
    });
    const id = uuidv7(context.now);
    await db.assignmentChange.create({
      data: { id, ...place, kind, steps: steps as unknown as Prisma.InputJsonObject, createdAt: context.now },
    });
    return { count, change_id: id };
  });
}

const wireNamesOf = (targets: readonly Target[]) => targets.map(({ wireName }) => wireName);

function stepsOf(
  { caller, now }: Context,
  targets: readonly Target[],
  held: ReadonlyMap<string, StoredAssignment>,
  guardrailId: string | null,
): Steps {
  const after = (): StoredAssignment | null =>
    guardrailId === null
      ? null
      : { id: uuidv7(now), guardrail_id: guardrailId, assigned_by: caller.userId, created_at: now.toISOString() };
  return Object.fromEntries(targets.map(({ id }) => [id, { before: held.get(id) ?? null, after: after() }]));
}

/** Applies a change's steps in either direction. */
export async function applySteps(
  db: Database,
  kind: AssignmentKind,
  place: AssignmentScope,
  steps: Steps,
  direction: "forward" | "back",
): Promise<void> {
  const walked = Object.entries(steps).map(([targetId, { before, after }]) =>
    direction === "forward" ? { targetId, from: before, to: after } : { targetId, from: after, to: before },
  );
  await ASSIGNMENT_STORES[kind].remove(
    db,
    walked.flatMap(({ from }) => (from ? [from.id] : [])),
  );
  await ASSIGNMENT_STORES[kind].add(
    db,
    place,
    walked.flatMap(({ targetId, to }) => (to ? [{ ...to, targetId }] : [])),
  );
}

/** Builds the response fields besides the count; `named` formats each moved target. */
const effectOf = <Named extends object>({ plan, change_id }: Changed, named: (wireName: string) => Named) => ({
  ...(plan && {
    preview: {
      new: plan.added,
      moved: plan.moved.map(({ wireName, from }) => ({ ...named(wireName), from_guardrail_id: from })),
      unchanged: plan.unchanged,
    },
  }),
  ...(change_id && { change_id }),
});
const keyEffect = (changed: Changed) => effectOf(changed, (key_hash) => ({ key_hash }));
const memberEffect = (changed: Changed) => effectOf(changed, (user_id) => ({ user_id }));

type KeysInput = Input<typeof contract.bulkAssignKeys> | Input<typeof contract.bulkUnassignKeys>;
type MembersInput = Input<typeof contract.bulkAssignMembers> | Input<typeof contract.bulkUnassignMembers>;

const keysRequest = ({ params, query, body }: KeysInput): AssignmentRequest => ({
  kind: "keys",
  guardrailId: params.id,
  names: body.key_hashes,
  isDryRun: query.dry_run === "true",
});

const membersRequest = ({ params, query, body }: MembersInput): AssignmentRequest => ({
  kind: "members",
  guardrailId: params.id,
  names: body.member_user_ids,
  isDryRun: query.dry_run === "true",
});

export async function assignKeys(
  context: Context,
  input: Input<typeof contract.bulkAssignKeys>,
): Promise<Result<typeof contract.bulkAssignKeys>> {
  const changed = await change(context, "assign", keysRequest(input));
  return { assigned_count: changed.count, ...keyEffect(changed) };
}

export async function assignMembers(
  context: Context,
  input: Input<typeof contract.bulkAssignMembers>,
): Promise<Result<typeof contract.bulkAssignMembers>> {
  const changed = await change(context, "assign", membersRequest(input));
  return { assigned_count: changed.count, ...memberEffect(changed) };
}

export async function unassignKeys(
  context: Context,
  input: Input<typeof contract.bulkUnassignKeys>,
): Promise<Result<typeof contract.bulkUnassignKeys>> {
  const changed = await change(context, "unassign", keysRequest(input));
  return { unassigned_count: changed.count, ...keyEffect(changed) };
}

export async function unassignMembers(
  context: Context,
  input: Input<typeof contract.bulkUnassignMembers>,
): Promise<Result<typeof contract.bulkUnassignMembers>> {
  const changed = await change(context, "unassign", membersRequest(input));
  return { unassigned_count: changed.count, ...memberEffect(changed) };
}
