import type { BilledAttempt } from "../../engine/budgets/budget";
import type { Endpoint, Prices } from "../../engine/endpoint";
import { fromMicroUsd } from "../../engine/money";
import type { ChatUsage } from "../../engine/protocols/contracts/chat-result-contract";
import { costDetails, costMicroUsd, type BilledUsage, type CostPart } from "../../engine/routing/price";
import type { Attempt } from "../../records/generations/contract";

/** A response, or the received part of it. */
export interface BilledResponse {
  /** Null when unknown. The cost is then unknown and counts as 0. */
  prices: Prices | null;
  usage: ChatUsage;
  /** The usage, including priced tool uses. */
  billed: BilledUsage;
  /** True when the upstream reported no usage. */
  isEstimated: boolean;
  serviceTier: string | null;
}

/** A failed attempt with its estimated usage; null when the upstream can't bill it. */
export interface BilledFailure {
  endpoint: Pick<Endpoint, "prices">;
  /** Index of the attempt. */
  attempt?: number;
  usage: ChatUsage | null;
}

/** The usage and cost of a generation. */
export interface Bill {
  /** The usage of the response, or else of the last failure. */
  usage: ChatUsage | null;
  isEstimated: boolean;
  costMicroUsd: bigint;
  /** False when a price was unknown. That part of the cost counts as 0. */
  isCostKnown: boolean;
  /** Parts of the cost in micro-USD, rounded separately, without free ones. */
  parts: Partial<Record<CostPart | "failed_attempts", bigint>>;
  /** The attempts, with the estimated cost of failed ones. */
  attempts: readonly Attempt[];
  /** Cost in micro-USD and tokens of the response; null without one. */
  response: Amounts | null;
  /** The same of each failure. */
  failures: readonly Amounts[];
}

type Amounts = Omit<BilledAttempt, "endpoint">;

const costOf = (prices: Prices | null, ...given: [BilledUsage | null, (string | null)?]): bigint =>
  prices === null ? 0n : costMicroUsd(prices, ...given);

const tokensOf = (usage: ChatUsage | null): number => (usage ? usage.prompt_tokens + usage.completion_tokens : 0);

/** Bills a response, if there is one, and the failures before it. */
export function billOf(
  answer: BilledResponse | null,
  failures: readonly BilledFailure[],
  attempts: readonly Attempt[],
): Bill {
  const costs = failures.map(({ endpoint, usage }) => costOf(endpoint.prices, usage));
  const hasUnpricedFailure = failures.some(({ endpoint, usage }) => usage !== null && endpoint.prices === null);
  const failed = costs.reduce((sum, cost) => sum + cost, 0n);
  const parts: Bill["parts"] = answer?.prices ? costDetails(answer.prices, answer.billed, answer.serviceTier) : {};
  if (failed > 0n) parts.failed_attempts = failed;
  const answered = answer ? costOf(answer.prices, answer.billed, answer.serviceTier) : 0n;
  return {
    usage: answer ? answer.usage : (failures.at(-1)?.usage ?? null),
    isEstimated: answer ? answer.isEstimated : failures.some(({ usage }) => usage !== null),
    costMicroUsd: answered + failed,
    isCostKnown: answer?.prices !== null && !hasUnpricedFailure,
    parts,
    attempts: failed > 0n ? withCosts(attempts, failures, costs) : attempts,
    response: answer && { costMicroUsd: answered, tokens: tokensOf(answer.usage) },
    failures: failures.map(({ usage }, index) => ({ costMicroUsd: costs[index] ?? 0n, tokens: tokensOf(usage) })),
  };
}

/** Returns what each attempt was billed, of endpoints in the order of the bill. */
export const billedAttempts = (
  { response, failures }: Pick<Bill, "response" | "failures">,
  failed: readonly { endpoint: Endpoint }[],
  answered: Endpoint | null,
): BilledAttempt[] => [
  ...failed.flatMap(({ endpoint }, index) => (failures[index] ? [{ endpoint, ...failures[index] }] : [])),
  ...(answered && response ? [{ endpoint: answered, ...response }] : []),
];

function withCosts(attempts: readonly Attempt[], failures: readonly BilledFailure[], costs: readonly bigint[]) {
  const byAttempt = new Map(failures.map(({ attempt }, index) => [attempt, costs[index] ?? 0n]));
  return attempts.map((attempt, index) => {
    const cost = byAttempt.get(index) ?? 0n;
    return cost > 0n ? { ...attempt, estimated_cost: fromMicroUsd(cost) } : attempt;
  });
}
