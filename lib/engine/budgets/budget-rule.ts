import type { Exception } from "../policy/exception";
import type { Source } from "../policy/layers";
import type { ResetInterval } from "../windows";

/** A key's own spending limit; without one `limitMicroUsd` is null. */
export interface KeyLimit {
  limitMicroUsd: bigint | null;
  limitReset: ResetInterval | null;
  includeByokInLimit: boolean;
  /** The exceptions that raise it now. */
  raises?: readonly Exception[];
}

/** One spending limit on one subject: a guardrail's on a key or member, or a key's own. */
export interface BudgetRule {
  /** The layer that sets it; null for the key's own limit. */
  source: Source | null;
  /** The guardrail or the key that sets the limit. */
  sourceId: string;
  subject: "key" | "member";
  /** The key's id, or the member's. */
  subjectId: string;
  /** With what exceptions raise it by. */
  limitMicroUsd: bigint;
  raises?: readonly Exception[];
  interval: ResetInterval | null;
  /** Whether what the organization's own provider keys spend counts. */
  includesByok: boolean;
}

/** A rule's account in one window. */
export interface Budget {
  id: string;
  rule: BudgetRule;
  windowStart: Date;
  /** When the window ends; null when it never does. */
  resetsAt: Date | null;
}

/** What of a budget is gone. */
export interface Balance {
  spentMicroUsd: bigint;
  /** What running requests may still cost. */
  reservedMicroUsd: bigint;
}

/** A budget that has nothing left. */
export type ExhaustedBudget = Budget & Balance;

/** What a request may cost under a rule. */
export interface Charge {
  rule: BudgetRule;
  microUsd: bigint;
}

/** A reservation that waits for its settlement. */
export interface Held {
  budgetId: string;
  rule: BudgetRule;
  /** Admitted only because exceptions raise the limit. */
  isBeyond: boolean;
}

/** What a generation really cost under a budget that it reserved from. */
export interface Settlement {
  budgetId: string;
  generationId: string;
  costMicroUsd: bigint;
}

/** How much a request may use: what its cost is estimated from. */
export interface RequestSize {
  promptCharacters: number;
  /** Null when the request sets no bound. */
  maxOutputTokens: number | null;
}
