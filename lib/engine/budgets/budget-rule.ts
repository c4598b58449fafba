import type { Exception } from "../policy/exception";
import type { Source } from "../policy/contract";
import type { Modalities } from "../routing/price";
import type { BilledRatios } from "../tokens/billed-ratio";
import type { TokenCount } from "../tokens/script-tokens";
import type { ResetInterval } from "../windows";

/** A key's own spending limit; `limitMicroUsd` is null without one. */
export interface KeyLimit {
  limitMicroUsd: bigint | null;
  limitReset: ResetInterval | null;
  includeByokInLimit: boolean;
  /** Active exceptions that raise the limit. */
  raises?: readonly Exception[];
}

/** The limit of a key that has none. */
export const NO_KEY_LIMIT: KeyLimit = { limitMicroUsd: null, limitReset: null, includeByokInLimit: false };

/** A spending limit on one subject: a guardrail's limit on a key or member, or a key's own limit. */
export interface BudgetRule {
  /** The layer that sets the limit; null for a key's own limit. */
  source: Source | null;
  /** The guardrail or key that sets the limit. */
  sourceId: string;
  subject: "key" | "member";
  /** The key's or member's id. */
  subjectId: string;
  /** Includes raises by exceptions. */
  limitMicroUsd: bigint;
  raises?: readonly Exception[];
  /** True for the limit of a guardrail that only observes: spend beyond it is recorded, and not refused. */
  isObserved?: true;
  interval: ResetInterval | null;
  /** True when spend on the organization's own provider keys counts. */
  includesByok: boolean;
}

/** A rule's account for one window. */
export interface Budget {
  id: string;
  rule: BudgetRule;
  windowStart: Date;
  /** End of the window; null when it never resets. */
  resetsAt: Date | null;
}

/** The used amounts of a budget. */
export interface Balance {
  spentMicroUsd: bigint;
  /** Amount reserved by running requests. */
  reservedMicroUsd: bigint;
}

/** A budget with nothing left. */
export type ExhaustedBudget = Budget & Balance;

/** A request's maximum cost under a rule. */
export interface Charge {
  rule: BudgetRule;
  microUsd: bigint;
}

/** A reservation to be settled. */
export interface ReservedBudget {
  budgetId: string;
  rule: BudgetRule;
  /** True when only an exception's raise made it possible. */
  isBeyond: boolean;
}

/** A generation's actual cost under a budget with a reservation. */
export interface Settlement {
  budgetId: string;
  generationId: string;
  costMicroUsd: bigint;
}

/** Sizes from which a request's cost is estimated. */
export interface RequestSize {
  prompt: TokenCount;
  /** Number of images in the prompt. */
  images: number;
  /** True for a prompt of text alone: its bill tells how other prompts are counted. */
  isTextOnly: boolean;
  /** Kinds of tokens besides text in the prompt and the requested output. */
  modalities: Modalities;
  /** The requested service tier. */
  serviceTier: string | null;
  /** Null when the request has no output limit. */
  maxOutputTokens: number | null;
  /** True when the limit has a name that some upstreams ignore. */
  isLimitIgnorable: boolean;
  /** Number of texts in a batch of embeddings, each with the model's full context; 1 for other requests. */
  inputs: number;
  /** The most web searches that the upstream may run. */
  webSearches: number;
  /** Number of answers, each as long as the limit allows. */
  choices: number;
  /** Tokens of a predicted output. */
  predictedTokens: number;
  /** Ratios of billed to estimated tokens of earlier prompts, by endpoint. */
  ratios: BilledRatios;
}
