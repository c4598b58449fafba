import type { BudgetRule, Limit, RequestSize } from "../engine/budgets/budget-rule";
import { indexLimits, limitRules, type LimitSubjects } from "../engine/budgets/limit";
import type { LimitMetric } from "../engine/budgets/vocabulary";
import type { Cycle } from "../engine/cycles";

/** A limit of 10 USD per day on the organization, with the given fields. */
export const limitOf = ({
  interval = "daily",
  ...given
}: Partial<Limit> & Partial<Pick<Cycle, "interval">> = {}): Limit => ({
  id: "00000000-0000-7000-8000-000000000001",
  name: "Team",
  workspaceId: null,
  subject: "organization",
  subjectIds: null,
  metric: "spend",
  amount: 10_000_000n,
  cycle: { interval, timeZone: "UTC", hour: 0, weekday: 1, monthDay: 1 },
  includesByok: false,
  carriesSince: null,
  ...given,
});

/** The subjects of a request of Ann's key, without an endpoint. */
export const subjectsOf = (given: Partial<LimitSubjects> = {}): LimitSubjects => ({
  workspaceId: "w1",
  keyId: "k1",
  userId: "ann",
  tags: [],
  endUser: null,
  endpoints: [],
  isOfJudge: false,
  ...given,
});

/** The rule of a limit on the organization: of a day for spend, of a minute for others. */
export function limitRule(id: string, metric: LimitMetric, amount: bigint): BudgetRule {
  const interval = metric === "spend" ? "daily" : metric === "concurrent_requests" ? null : "minutely";
  const [rule] = limitRules(indexLimits([limitOf({ id, metric, amount, interval })]), subjectsOf());
  if (!rule) throw new Error("a limit on the organization counts every request");
  return rule;
}

/** The size of a request of text alone with an output limit of 10 tokens. */
export const sizeOf = (given: Partial<RequestSize>): RequestSize => ({
  prompt: { expected: 25, most: 50 },
  images: 0,
  isTextOnly: true,
  modalities: { audio: false, images: false },
  serviceTier: null,
  maxOutputTokens: 10,
  isLimitIgnorable: false,
  webSearches: 0,
  inputs: 1,
  choices: 1,
  predictedTokens: 0,
  ratios: new Map(),
  ...given,
});
