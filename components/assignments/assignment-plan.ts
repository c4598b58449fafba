import { count } from "@/lib/platform/count";

export const KINDS = { keys: "key", members: "member" } as const;
export type Kind = keyof typeof KINDS;

/** A key (by hash) or a member (by ID). */
export interface Subject {
  id: string;
  name: string;
}

/** Effect of an assignment change. */
export interface Plan {
  added: string[];
  moved: { id: string; from: string }[];
  unchanged: string[];
}

export interface PlanGroup {
  /** Follows a count: "moved from Staging". */
  title: string;
  ids: string[];
}

/** Guardrails that lose keys or members under a plan. */
export const leftGuardrails = ({ moved }: Plan): string[] => [...new Set(moved.map(({ from }) => from))];

/**
 * Derives the plan of unassigning from the plan of assigning to `guardrailId`: subjects that would move have a
 * guardrail; new ones have none.
 */
export const unassignPlan = ({ added, moved, unchanged }: Plan, guardrailId: string): Plan => ({
  added: [],
  moved: [...unchanged.map((id) => ({ id, from: guardrailId })), ...moved],
  unchanged: added,
});

/** Groups a plan by effect. With a null `target`, everything is unassigned. */
export function groupsOf(plan: Plan, target: string | null, guardrailName: (id: string) => string): PlanGroup[] {
  const from = leftGuardrails(plan).map((id) => ({
    title: `${target === null ? "unassigned from" : "moved from"} ${guardrailName(id)}`,
    ids: plan.moved.filter((moved) => moved.from === id).map((moved) => moved.id),
  }));
  const groups = [{ title: "new", ids: plan.added }, ...from, { title: "unchanged", ids: plan.unchanged }];
  return groups.filter(({ ids }) => ids.length > 0);
}

/** "12 new, 5 moved from Staging, 3 unchanged". */
export const planSentence = (groups: readonly PlanGroup[]): string =>
  groups.map(({ ids, title }) => `${ids.length.toLocaleString("en")} ${title}`).join(", ");

/** "1 key", "3 members". */
export const countOf = (kind: Kind, amount: number): string => count(amount, KINDS[kind]);
