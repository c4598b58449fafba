import type { Exception } from "../policy/exception";
import type { Source } from "../policy/contract";
import type { Modalities } from "../routing/price";
import type { BilledRatios } from "../tokens/billed-ratio";
import type { TokenCount } from "../tokens/script-tokens";
import type { Cycle, LimitInterval } from "../cycles";
import type { ResetInterval } from "../windows";
import type { LimitMetric, LimitSubject } from "./vocabulary";

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

/** A limit on what subjects spend or send. */
export interface Limit {
  id: string;
  name: string;
  /** Only requests of this workspace count; null for all. */
  workspaceId: string | null;
  subject: LimitSubject;
  /** The subjects by id, tag or slug; null for each one of this kind separately, unless another limit names it. */
  subjectIds: readonly string[] | null;
  metric: LimitMetric;
  /** Micro-USD, or a number of requests or tokens. */
  amount: bigint;
  cycle: Cycle;
  /** True when spend on the organization's own provider keys counts. */
  includesByok: boolean;
  /** Periods that began later carry over what is left; null when none does. */
  carriesSince: Date | null;
}

/**
 * A limit on one subject: a guardrail's limit on a key or member, a key's own limit, or a limit of the organization. Amounts
 * are micro-USD unless the limit has another metric.
 */
export interface BudgetRule {
  /** The layer that sets the limit; null for others. */
  source: Source | null;
  /** The guardrail, key or limit. */
  sourceId: string;
  subject: LimitSubject;
  /** The subject's id, tag or slug; empty for the organization, and for keys that share a limit. */
  subjectId: string;
  /** Includes raises by exceptions. */
  limitMicroUsd: bigint;
  raises?: readonly Exception[];
  /** True for the limit of a guardrail that only observes: spend beyond it is recorded, and not refused. */
  isObserved?: true;
  interval: LimitInterval | null;
  /** True when spend on the organization's own provider keys counts. */
  includesByok: boolean;
  /** The limit of the organization; missing for guardrails and keys. */
  limit?: Limit;
}

/** A limit of a guardrail or a key. */
export interface PolicyRule extends BudgetRule {
  subject: "key" | "member";
  interval: ResetInterval | null;
}

/** A rule's account for one window. */
export interface Budget<Rule extends BudgetRule = BudgetRule> {
  id: string;
  rule: Rule;
  windowStart: Date;
  /** End of the window; null when it never resets. */
  resetsAt: Date | null;
  /** The budget of the window before, whose rest counts in this one; missing when nothing carries over. */
  carriesFrom?: string;
}

/** The used amounts of a budget. */
export interface Balance {
  /** Less what is carried over. */
  spentMicroUsd: bigint;
  /** Unspent amount of the period before; missing when nothing is carried over. */
  carriedMicroUsd?: bigint;
  /** Amount reserved by running requests. */
  reservedMicroUsd: bigint;
}

/** A budget with nothing left. */
export type ExhaustedBudget<Rule extends BudgetRule = BudgetRule> = Budget<Rule> & Balance;

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
  /** What is left of a limit of the organization, as far as the process knows; missing for other rules. */
  remaining?: bigint;
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
