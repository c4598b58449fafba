/** A stored assignment; every move gives it a new id. */
export interface StoredAssignment {
  id: string;
  guardrail_id: string;
  assigned_by: string | null;
  created_at: string;
}

/** The guardrail assigned to a key or member before and after a change; null for none. */
export interface Step {
  before: StoredAssignment | null;
  after: StoredAssignment | null;
}

/** Steps by key or member id. */
export type Steps = Readonly<Record<string, Step>>;

/** A key or member with its public name: a key's hash, a member's id. */
export interface Target {
  id: string;
  wireName: string;
}

/** Computes the result of assigning `targets` to a guardrail, given their current assignments. */
export function planAssignment(
  guardrailId: string,
  targets: readonly Target[],
  held: ReadonlyMap<string, StoredAssignment>,
) {
  const holding = (target: Target) => held.get(target.id)?.guardrail_id;
  return {
    added: targets.filter((target) => holding(target) === undefined),
    moved: targets.filter((target) => holding(target) !== undefined && holding(target) !== guardrailId),
    unchanged: targets.filter((target) => holding(target) === guardrailId),
  };
}

/**
 * Computes the result of unassigning `targets`. Targets assigned to the guardrail end up without one; others are
 * unchanged.
 */
export function planRemoval(
  guardrailId: string,
  targets: readonly Target[],
  held: ReadonlyMap<string, StoredAssignment>,
) {
  const { added, moved, unchanged } = planAssignment(guardrailId, targets, held);
  return { added: [], moved: unchanged, unchanged: [...added, ...moved] };
}

export type ConflictReason = "changed" | "removed" | "guardrail_removed";

interface Present {
  /** Existing keys and members. */
  living: ReadonlySet<string>;
  held: ReadonlyMap<string, StoredAssignment>;
  /** Existing guardrails. */
  guardrails: ReadonlySet<string>;
  /** Keys and members that a later change touched, whatever their current assignment. */
  changedLater: ReadonlySet<string>;
}

/** Returns the reasons that prevent undoing a change, by key or member; empty when it can be undone. */
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
