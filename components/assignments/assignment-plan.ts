import { count } from "@/components/guardrails/guardrail-summary";

export const KINDS = { keys: "key", members: "member" } as const;
export type Kind = keyof typeof KINDS;

/** A key by its hash or a member by their id. */
export interface Subject {
  id: string;
  name: string;
}

/** What a change of assignments would do. */
export interface Plan {
  added: string[];
  moved: { id: string; from: string }[];
  unchanged: string[];
}

export interface PlanGroup {
  /** As it stands behind a number: "moved from Staging". */
  title: string;
  ids: string[];
}

/** The guardrails that a plan takes keys or members from. */
export const leftGuardrails = ({ moved }: Plan): string[] => [...new Set(moved.map(({ from }) => from))];

/** The plan of taking off, out of that of assigning to `guardrailId`: who would move has one, who would be new has none. */
export const takingOff = ({ added, moved, unchanged }: Plan, guardrailId: string): Plan => ({
  added: [],
  moved: [...unchanged.map((id) => ({ id, from: guardrailId })), ...moved],
  unchanged: added,
});

/** A plan by what happens to whom; `target` null: all are taken off. */
export function groupsOf(plan: Plan, target: string | null, guardrailName: (id: string) => string): PlanGroup[] {
  const from = leftGuardrails(plan).map((id) => ({
    title: `${target === null ? "taken off" : "moved from"} ${guardrailName(id)}`,
    ids: plan.moved.filter((moved) => moved.from === id).map((moved) => moved.id),
  }));
  const groups = [{ title: "new", ids: plan.added }, ...from, { title: "unchanged", ids: plan.unchanged }];
  return groups.filter(({ ids }) => ids.length > 0);
}

/** "12 new, 5 moved from Staging, 3 unchanged". */
export const planSentence = (groups: readonly PlanGroup[]): string =>
  groups.map(({ ids, title }) => `${ids.length} ${title}`).join(", ");

/** "1 key", "3 members". */
export const countOf = (kind: Kind, amount: number): string => count(amount, KINDS[kind]);
