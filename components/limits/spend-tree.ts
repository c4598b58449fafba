import type { LimitSubject } from "@/lib/engine/budgets/vocabulary";
import type { Budget } from "@/lib/records/budgets/contract";
import type { Limit } from "@/lib/records/limits/contract";

/** A limit, or a budget of a guardrail or key, with what is left of it. */
export type Entry = { key: string; remaining: number | null; exhaustedAt: string | null } & (
  | { limit: Limit; budget?: never }
  | { budget: Budget; limit?: never }
);

export interface EntryGroup {
  subject: LimitSubject;
  entries: Entry[];
}

/** The limits of the organization, or of one of its workspaces. */
export interface Branch {
  /** Null for the organization. */
  workspace: { id: string; name: string } | null;
  groups: EntryGroup[];
}

const ORDER: readonly LimitSubject[] = [
  "organization",
  "workspace",
  "tag",
  "member",
  "keys",
  "key",
  "end_user",
  "model",
  "provider",
];

/** The workspace whose requests a limit counts; null for several. */
function workspaceOf({ workspace_id, subject_type, subject_ids }: Limit): string | null {
  if (workspace_id !== null) return workspace_id;
  return subject_type === "workspace" && subject_ids?.length === 1 ? (subject_ids[0] ?? null) : null;
}

const ofLimit = (limit: Limit): Entry => ({
  key: limit.id,
  limit,
  remaining: limit.enabled ? (limit.closest?.remaining ?? null) : null,
  exhaustedAt: limit.enabled ? (limit.closest?.exhausted_at ?? null) : null,
});

const ofBudget = (budget: Budget): Entry => ({
  key: `${budget.guardrail_id ?? "own"} ${budget.subject.type} ${budget.subject.id}`,
  budget,
  remaining: budget.remaining_usd,
  exhaustedAt: budget.forecast.exhausted_at,
});

/** Groups limits, and the budgets of guardrails and keys, by where they apply: the organization first, then each workspace with any. */
export function spendTree(
  limits: readonly Limit[],
  budgets: readonly Budget[],
  workspaces: readonly { id: string; name: string }[],
): Branch[] {
  const placed = [
    ...limits.map((limit) => ({ place: workspaceOf(limit), subject: limit.subject_type, entry: ofLimit(limit) })),
    ...budgets.map((budget) => ({
      place: budget.workspace_id,
      subject: budget.subject.type,
      entry: ofBudget(budget),
    })),
  ];
  const branchOf = (workspace: Branch["workspace"]): Branch => {
    const own = placed.filter(({ place }) => place === (workspace?.id ?? null));
    const groups = ORDER.map((subject) => ({
      subject,
      entries: own.filter((each) => each.subject === subject).map(({ entry }) => entry),
    }));
    return { workspace, groups: groups.filter(({ entries }) => entries.length > 0) };
  };
  const known = new Set(workspaces.map(({ id }) => id));
  const others = new Set(placed.flatMap(({ place }) => (place === null || known.has(place) ? [] : [place])));
  const unnamed = [...others].map((id) => ({ id, name: `Workspace ${id.slice(0, 8)}` }));
  return [null, ...workspaces, ...unnamed].map(branchOf).filter(({ groups }) => groups.length > 0);
}

/** Returns the limit that is reached first at the pace of now; undefined if none is. */
export function firstReached(branches: readonly Branch[]): Entry | undefined {
  return branches
    .flatMap(({ groups }) => groups.flatMap(({ entries }) => entries))
    .filter(({ remaining, exhaustedAt }) => remaining !== 0 && exhaustedAt !== null)
    .toSorted((a, b) => Date.parse(a.exhaustedAt ?? "") - Date.parse(b.exhaustedAt ?? ""))[0];
}
