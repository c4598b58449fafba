import { fromMicroUsd } from "../money";
import type { BudgetRule, Limit } from "./budget-rule";
import { PERIODS, type LimitSubject } from "./vocabulary";

/** Formats USD with at least cents and at most micro-USD: `$5.00`, `$0.000012`. */
export const usd = (microUsd: bigint): string =>
  `$${fromMicroUsd(microUsd)
    .toFixed(6)
    .replace(/0{1,4}$/, "")}`;

/** Describes a limit by its amount: `daily limit of $5.00`, `limit of 60 requests per minute`. */
export function amountText({
  interval,
  limitMicroUsd,
  limit,
}: Pick<BudgetRule, "interval" | "limitMicroUsd" | "limit">): string {
  if (!limit || limit.metric === "spend") return `${interval ?? "lifetime"} limit of ${usd(limitMicroUsd)}`;
  const what = limit.metric === "concurrent_requests" ? "concurrent requests" : limit.metric;
  return `limit of ${limitMicroUsd.toLocaleString("en")} ${what}${interval === null ? "" : ` ${PERIODS[interval]}`}`;
}

const NAMED = { tag: "tag", end_user: "end user", model: "model", provider: "provider" } as const;
const UNNAMED = {
  organization: "the organization",
  workspace: "this workspace",
  member: "this member",
  key: "this key",
  keys: "the keys that share it",
} as const;

const isNamed = (subject: LimitSubject): subject is keyof typeof NAMED => subject in NAMED;

/** Describes the subject of a limit to the sender of a request. */
const subjectText = ({ subject, subjectId }: Pick<BudgetRule, "subject" | "subjectId">): string =>
  isNamed(subject) ? `${NAMED[subject]} ${subjectId}` : UNNAMED[subject];

/** Describes a limit by its name and subject: `limit "Search team" (tag team:search)`. */
export const limitText = (rule: BudgetRule, { name }: Limit): string => `limit "${name}" (${subjectText(rule)})`;
