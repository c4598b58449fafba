export const ALERT_KINDS = [
  "budget",
  "error_rate",
  "block_spike",
  "latency_p95",
  "time_to_first_token_p95",
  "provider_down",
  "deprecated_model",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Unit, highest value and default of each kind's threshold, and the kind's title. */
export const THRESHOLDS: Readonly<
  Record<AlertKind, { unit: "%" | "requests" | "ms" | "days"; most: number; default: number; title: string }>
> = {
  budget: { unit: "%", most: 100, default: 80, title: "Budget" },
  error_rate: { unit: "%", most: 100, default: 5, title: "Error rate" },
  block_spike: { unit: "requests", most: 1_000_000, default: 10, title: "Block spike" },
  latency_p95: { unit: "ms", most: 3_600_000, default: 10_000, title: "Latency p95" },
  time_to_first_token_p95: { unit: "ms", most: 3_600_000, default: 3_000, title: "Time to first token p95" },
  provider_down: { unit: "%", most: 100, default: 80, title: "Provider down" },
  deprecated_model: { unit: "days", most: 1000, default: 30, title: "Deprecated model" },
};

/** Filters of each kind. */
export const FILTERS_OF = {
  budget: ["key_hash", "user_id", "guardrail_id"],
  error_rate: ["key_hash", "user_id", "guardrail_id", "provider"],
  block_spike: ["key_hash", "user_id", "guardrail_id"],
  latency_p95: ["key_hash", "user_id", "provider"],
  time_to_first_token_p95: ["key_hash", "user_id", "provider"],
  provider_down: ["provider"],
  deprecated_model: [],
} as const satisfies Record<AlertKind, readonly AlertFilter[]>;
export const ALERT_FILTERS = ["key_hash", "user_id", "guardrail_id", "provider"] as const;
export type AlertFilter = (typeof ALERT_FILTERS)[number];

/** Maximum window of a kind in minutes, because attempts at providers aren't rolled up. */
export const LONGEST_WINDOW: Readonly<Record<AlertKind, number>> = {
  budget: 1440,
  error_rate: 1440,
  block_spike: 1440,
  latency_p95: 1440,
  time_to_first_token_p95: 1440,
  provider_down: 60,
  deprecated_model: 1440,
};

/** Kinds that don't measure within the rule's window. */
export const WITHOUT_WINDOW: readonly AlertKind[] = ["budget", "deprecated_model"];

/** Kinds that fire at or below the threshold, instead of at or above it. */
export const FIRES_BELOW: readonly AlertKind[] = ["deprecated_model"];

/** Kinds that need a minimum of requests or attempts. */
export const NEED_SAMPLES: readonly AlertKind[] = [
  "error_rate",
  "latency_p95",
  "time_to_first_token_p95",
  "provider_down",
];

const DEFAULTS = { window_minutes: 15, min_requests: 10, quiet_minutes: 60, enabled: true };
const WEEK_MINUTES = 7 * 24 * 60;

/** Returns the default fields of a kind. A deprecated model is in use for weeks, so its reminders are weekly. */
export const defaultsOf = (kind: AlertKind): typeof DEFAULTS =>
  kind === "deprecated_model" ? { ...DEFAULTS, quiet_minutes: WEEK_MINUTES } : DEFAULTS;

export const MOST_RULES = 100;
export const MOST_EMAILS = 20;
export const MOST_WEBHOOKS_OF_RULE = 10;
export const FIRING_STATES = ["firing", "resolved", "test"] as const;
