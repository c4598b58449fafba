import { formatUsd } from "@/components/ui/usd";
import { count } from "@/lib/platform/count";
import { PERIODS, type LimitMetric, type LimitSubject } from "@/lib/engine/budgets/vocabulary";
import type { LIMIT_INTERVALS } from "@/lib/engine/vocabulary";
import type { Limit } from "@/lib/records/limits/contract";

type Interval = (typeof LIMIT_INTERVALS)[number] | null;

export const METRIC_LABELS = {
  spend: "Spend",
  requests: "Requests",
  tokens: "Tokens",
  concurrent_requests: "Concurrent requests",
} as const satisfies Record<LimitMetric, string>;

export const INTERVAL_LABELS = {
  minutely: "Every minute",
  hourly: "Every hour",
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
} as const satisfies Record<NonNullable<Interval>, string>;

/** The plural of each kind of subject. */
export const SUBJECT_LABELS = {
  organization: "Organization",
  workspace: "Workspaces",
  tag: "Tags",
  member: "Members",
  key: "Keys",
  keys: "Keys that share a limit",
  end_user: "End users",
  model: "Models",
  provider: "Providers",
} as const satisfies Record<LimitSubject, string>;

const NOUNS = {
  organization: "organization",
  workspace: "workspace",
  tag: "tag",
  member: "member",
  key: "key",
  keys: "key",
  end_user: "end user",
  model: "model",
  provider: "provider",
} as const satisfies Record<LimitSubject, string>;

/** "$5.00", "60 requests", "1,000 tokens". */
export function amountText(metric: LimitMetric, amount: number): string {
  if (metric === "spend") return formatUsd(amount);
  return count(amount, metric === "tokens" ? "token" : metric === "requests" ? "request" : "concurrent request");
}

/** "$5.00 per month". */
export const limitText = ({
  metric,
  amount,
  reset_interval,
}: Pick<Limit, "metric" | "amount" | "reset_interval">): string =>
  `${amountText(metric, amount)}${reset_interval === null ? (metric === "spend" ? " in total" : "") : ` ${PERIODS[reset_interval]}`}`;

type Subject = Pick<Limit, "subject_type" | "subject_ids"> & { names: readonly string[] | null };

const MOST_NAMED = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED);
  const others = names.length - shown.length;
  return others > 0 ? `${shown.join(", ")} and ${others} more` : new Intl.ListFormat("en").format(shown);
}

/** "Each end user", "The key nightly", "The keys a and b together". */
export function subjectText({ subject_type, subject_ids, names }: Subject): string {
  if (subject_type === "organization") return "The organization";
  const noun = NOUNS[subject_type];
  if (subject_ids === null) return `Each ${noun}`;
  const known = names ?? subject_ids;
  if (known.length === 1) return `The ${noun} ${known[0]}`;
  return subject_type === "keys" ? `The keys ${listed(known)} together` : `Each of the ${noun}s ${listed(known)}`;
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const WEEKDAY_OPTIONS = WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }));

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const ordinal = (day: number) => `${day}${SUFFIXES[ordinals.select(day)] ?? "th"}`;

/** When the periods of a limit start: "Months start on the 1st at 00:00 (Europe/Berlin)."; null for others. */
export function startText({
  reset_interval,
  time_zone,
  starts: { hour = 0, weekday = 1, month_day = 1 },
}: {
  reset_interval: Interval;
  time_zone: string;
  starts: { hour?: number; weekday?: number; month_day?: number };
}): string | null {
  const at = `${String(hour).padStart(2, "0")}:00 (${time_zone})`;
  switch (reset_interval) {
    case "daily":
      return `Days start at ${at}.`;
    case "weekly":
      return `Weeks start on ${WEEKDAYS[weekday - 1] ?? WEEKDAYS[0]} at ${at}.`;
    case "monthly":
      return `Months start on the ${ordinal(month_day)} at ${at}.`;
    case "hourly":
    case "minutely":
    case null:
      return null;
  }
}

type Explained = Pick<
  Limit,
  "subject_type" | "subject_ids" | "metric" | "amount" | "reset_interval" | "time_zone" | "carry_over"
> & { names: readonly string[] | null; starts: Parameters<typeof startText>[0]["starts"] };

/** Says what a limit does. */
export function explain(limit: Explained): string {
  const { subject_type, subject_ids, metric, carry_over } = limit;
  const isOfEndpoints = subject_type === "model" || subject_type === "provider";
  const [who, amount] = [subjectText(limit), limitText(limit)];
  const what =
    metric !== "spend"
      ? `${who} ${isOfEndpoints ? "gets" : "can use"} at most ${amount}.`
      : isOfEndpoints
        ? `At most ${amount} can be spent on ${who.charAt(0).toLowerCase()}${who.slice(1)}.`
        : `${who} can spend ${amount}.`;
  const replaced =
    subject_type !== "organization" && subject_ids === null
      ? `A limit that names ${subject_type === "end_user" ? "an" : "a"} ${NOUNS[subject_type]} replaces this one for it.`
      : null;
  const beyond = isOfEndpoints
    ? "Beyond it, requests go to other endpoints."
    : metric === "spend"
      ? "Beyond it, requests are rejected (403)."
      : "Beyond it, requests are rejected with the time to wait (429).";
  return [
    what,
    startText(limit),
    carry_over ? "What is unspent is added to the next period, once." : null,
    replaced,
    beyond,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}
