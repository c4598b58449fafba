/** What a limit counts. */
export const LIMIT_METRICS = ["spend", "requests", "tokens", "concurrent_requests"] as const;
export type LimitMetric = (typeof LIMIT_METRICS)[number];

/** Fields of decisions about limits, by what the limit counts. */
export const LIMIT_FIELDS = {
  spend: "limit_usd",
  requests: "limit_requests",
  tokens: "limit_tokens",
  concurrent_requests: "limit_concurrent_requests",
} as const satisfies Record<LimitMetric, string>;

const FIELDS: ReadonlySet<string> = new Set(Object.values(LIMIT_FIELDS));

/** True for a decision about a budget or another limit. */
export const isBudgetDecision = ({ field }: { field: string }): boolean => FIELDS.has(field);

/** Whose requests a limit counts. `keys` is one limit that several keys share. */
export const LIMIT_SUBJECTS = [
  "organization",
  "workspace",
  "tag",
  "member",
  "key",
  "keys",
  "end_user",
  "model",
  "provider",
] as const;
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];
/** Maximum number of limits of an organization. */
export const MOST_LIMITS = 1_000;
/** Reset interval as text in a sentence. */
export const PERIODS = {
  minutely: "per minute",
  hourly: "per hour",
  daily: "per day",
  weekly: "per week",
  monthly: "per month",
} as const;

/** Longest id of a subject, such as the name of an end user. */
export const MOST_SUBJECT_ID = 256;
/** Maximum number of subjects that one limit names. */
export const MOST_SUBJECTS = 100;
