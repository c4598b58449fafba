import { z } from "zod";
import { type GenerationStatus, RANGES } from "../../records/generations/vocabulary";
import { envelope, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { type BREAKDOWNS, DAY_MS, MAX_DAYS } from "./vocabulary";

const count = z.number().int().min(0);
const usd = z.number().min(0);
const countPerStatus = { succeeded: count, failed: count, blocked: count, cancelled: count } satisfies Record<
  GenerationStatus,
  typeof count
>;

const Totals = z.object({
  requests: count,
  ...countPerStatus,
  spend_usd: usd,
  unpriced_requests: count.meta({ description: "Requests to models without a known price, which the spend lacks" }),
  p95_latency_ms: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: "Time to first token, accurate to 3 %; null when there was no response" }),
});
export type Totals = z.output<typeof Totals>;

const Share = z.object({
  id: z.string().nullable().meta({
    description:
      "Value to filter generations by: model, key hash, user ID or provider slug; null when missing in the requests",
  }),
  name: z.string().nullable(),
  spend_usd: usd,
  requests: count,
});
export type Share = z.output<typeof Share>;

const Breakdown = z.object({
  top: z.array(Share).meta({ description: "The eight with the highest spend" }),
  other: z.object({ count, spend_usd: usd, requests: count }).nullable().meta({ description: "The sum of all others" }),
});
export type Breakdown = z.output<typeof Breakdown>;

const FiringRule = z.object({
  guardrail_id: Uuid.nullable().meta({ description: "null for a key's own limit" }),
  guardrail_name: z.string().nullable(),
  field: z.string(),
  rule: z.string().nullable(),
  action: z.string(),
  requests: count,
});
export type FiringRule = z.output<typeof FiringRule>;

const Overview = z
  .object({
    from: Timestamp,
    to: Timestamp,
    bucket_seconds: count.meta({ description: "Length of a bucket of outcomes; there are at most a hundred" }),
    totals: Totals,
    previous: Totals.meta({ description: "The same figures for the previous period" }),
    outcomes: z.array(z.object({ at: Timestamp.meta({ description: "Start of the bucket" }), ...countPerStatus })),
    spend: z.object({ model: Breakdown, key: Breakdown, member: Breakdown, provider: Breakdown } satisfies Record<
      (typeof BREAKDOWNS)[number],
      typeof Breakdown
    >),
    rules: z.array(FiringRule).meta({ description: "The ten rules that applied to the most requests" }),
  })
  .meta({ id: "AnalyticsOverview" });
export type Overview = z.output<typeof Overview>;

/** A range with both ends or a name, at most 400 days; `rangeIssues` checks it. */
export const RangeQuery = z.object({
  range: z.enum(RANGES).default("24h").meta({ description: "A range ending now; from and to take precedence" }),
  from: Instant.optional().meta({ description: "At or after this time" }),
  to: Instant.optional().meta({ description: "Before" }),
});
export type RangeQuery = z.output<typeof RangeQuery>;

export const rangeIssues = ({ from, to }: RangeQuery, context: z.RefinementCtx): void => {
  const issue = (path: "from" | "to", message: string) =>
    context.addIssue({ code: "custom", path: [path], message, input: from });
  if ((from === undefined) !== (to === undefined))
    issue(from === undefined ? "from" : "to", "is required when the other end is given");
  if (from === undefined || to === undefined) return;
  const length = Date.parse(to) - Date.parse(from);
  if (length <= 0) issue("to", "must be after from");
  if (length > MAX_DAYS * DAY_MS) issue("from", `must be at most ${MAX_DAYS} days before to`);
};

const OverviewQuery = RangeQuery.extend({
  workspace_id: Uuid.optional().meta({ description: "Defaults to all workspaces" }),
}).superRefine(rangeIssues);
export type OverviewQuery = z.output<typeof OverviewQuery>;

export const getOverview = operation({
  tag: "Analytics",
  access: "member",
  id: "getAnalyticsOverview",
  permission: "analytics:read",
  byWorkspace: true,
  readsReplica: true,
  method: "GET",
  path: "/analytics/overview",
  summary: "Get spend, outcomes, latency and applied rules of a time range; members see those of their own keys",
  query: OverviewQuery,
  status: 200,
  result: envelope(Overview),
  errors: [404],
});
