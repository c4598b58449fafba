/** Maximum range of an overview. */
export const MAX_DAYS = 400;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Dimensions of the spend breakdown. */
export const BREAKDOWNS = ["model", "key", "member", "provider"] as const;

/** Dimensions by which the console groups usage. */
export const DIMENSIONS = [
  "model",
  "provider",
  "key",
  "tag",
  "member",
  "end_user",
  "app",
  "guardrail",
  "preset",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Dimensions by which usage is grouped. */
export const GROUPS = [...DIMENSIONS, "workspace", "status", "protocol"] as const;
export type Group = (typeof GROUPS)[number];

/** Filter of the log and of usage for the requests of a group. */
export const GROUP_FILTERS = {
  model: "model",
  provider: "provider",
  key: "key_hash",
  tag: "tag",
  member: "user_id",
  end_user: "end_user",
  app: "app",
  guardrail: "guardrail_id",
  preset: "preset",
  workspace: "workspace_id",
  status: "status",
  protocol: "protocol",
} as const satisfies Record<Group, string>;

/** Filter for a group's blocked requests, if it isn't the group's filter with the status. */
export const BLOCKED_FILTERS: Partial<Record<Group, string>> = { guardrail: "blocked_by" };

/** Measures by which groups of usage are sorted. `errors` are failed requests. */
export const MEASURES = ["spend", "tokens", "requests", "errors", "blocked"] as const;
export type Measure = (typeof MEASURES)[number];

export const PERCENTILES = ["p50", "p95", "p99"] as const;
/** Orders of groups by latency. */
export const LATENCY_SORTS = [
  ...PERCENTILES.map((name) => `time_to_first_token_${name}` as const),
  ...PERCENTILES.map((name) => `duration_${name}` as const),
];
/** Orders of groups. `change` is that of the measure, from the previous period. */
export const GROUP_SORTS = [...MEASURES, "change", "tokens_per_second", ...LATENCY_SORTS] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];
