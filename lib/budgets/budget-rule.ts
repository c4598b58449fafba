import type { Source } from "../policy/layers";
import type { ResetInterval } from "../windows";

/** One spending limit on one subject: a guardrail's on a key or member, or a key's own. */
export interface BudgetRule {
  /** The layer that sets it; null for the key's own limit. */
  source: Source | null;
  /** The guardrail or the key that sets the limit. */
  sourceId: string;
  subject: "key" | "member";
  /** The key's id, or the member's. */
  subjectId: string;
  limitMicroUsd: bigint;
  interval: ResetInterval | null;
  /** Whether what the organization's own provider keys spend counts. */
  includesByok: boolean;
}

/** A budget that has nothing left. */
export interface ExhaustedBudget {
  rule: BudgetRule;
  spentMicroUsd: bigint;
  windowStart: Date;
  /** When the window ends; null when it never does. */
  resetsAt: Date | null;
}
