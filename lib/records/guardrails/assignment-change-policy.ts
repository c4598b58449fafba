/** An assignment as it is stored; its id is new with every move. */
export interface Held {
  id: string;
  guardrail_id: string;
  assigned_by: string | null;
  created_at: string;
}

/** What a key or member held before a change and after it; null: nothing. */
export interface Step {
  before: Held | null;
  after: Held | null;
}

/** By the id of the key or member. */
export type Steps = Readonly<Record<string, Step>>;

/** A key or member with the name it has on the wire: a key's hash, a member's id. */
export interface Target {
  id: string;
  wireName: string;
}

/** What assigning `targets` to a guardrail would do, given what each holds. */
export function planAssignment(guardrailId: string, targets: readonly Target[], held: ReadonlyMap<string, Held>) {
  const holding = (target: Target) => held.get(target.id)?.guardrail_id;
  return {
    added: targets.filter((target) => holding(target) === undefined),
    moved: targets.filter((target) => holding(target) !== undefined && holding(target) !== guardrailId),
    unchanged: targets.filter((target) => holding(target) === guardrailId),
  };
}

/** The same for taking them off: what is assigned there moves to nothing, the rest stays. */
export function planRemoval(guardrailId: string, targets: readonly Target[], held: ReadonlyMap<string, Held>) {
  const { added, moved, unchanged } = planAssignment(guardrailId, targets, held);
  return { added: [], moved: unchanged, unchanged: [...added, ...moved] };
}

export type ConflictReason = "changed" | "removed" | "guardrail_removed";

interface Present {
  /** Keys and members that still exist. */
  living: ReadonlySet<string>;
  held: ReadonlyMap<string, Held>;
  /** Guardrails that still exist. */
  guardrails: ReadonlySet<string>;
  /** Those that a later change touched, whatever they hold now. */
  changedLater: ReadonlySet<string>;
}

/** Why a change can't be taken back, by key or member; empty when it can. */
export function undoConflicts(
  steps: Steps,
  { living, held, guardrails, changedLater }: Present,
): Map<string, ConflictReason> {
  const conflicts = new Map<string, ConflictReason>();
  for (const [id, { before, after }] of Object.entries(steps)) {
    if (!living.has(id)) conflicts.set(id, "removed");
    else if (changedLater.has(id) || held.get(id)?.id !== after?.id) conflicts.set(id, "changed");
    else if (before && !guardrails.has(before.guardrail_id)) conflicts.set(id, "guardrail_removed");
  }
  return conflicts;
}
