import { z } from "zod";
import { envelope, operation, Timestamp } from "../../platform/http/operation";
import { integerParam, sortParam } from "../../platform/http/pagination";
import { GenerationFilters } from "../../records/generations/contract";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import { RangeQuery, rangeIssues } from "./contract";
import { GROUP_FILTERS, GROUP_SORTS, GROUPS, MEASURES } from "./vocabulary";

const count = z.number().int().min(0);
const countPerStatus = { succeeded: count, failed: count, blocked: count, cancelled: count } satisfies Record<
  GenerationStatus,
  typeof count
>;

const milliseconds = z.number().min(0);
const Percentiles = z
  .object({ p50: milliseconds, p95: milliseconds, p99: milliseconds })
  .nullable()
  .meta({ description: "Milliseconds, accurate to 3 %; null without a value" });
export type Percentiles = z.output<typeof Percentiles>;

const Sums = z.object({
  requests: count,
  ...countPerStatus,
  spend_usd: z.number().min(0),
  unpriced_requests: count.meta({ description: "Requests to models without a known price, which the spend lacks" }),
  tokens_prompt: count,
  tokens_completion: count,
  tokens_cached: count.meta({ description: "Prompt tokens that the provider read from its cache" }),
  tokens_per_second: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: "Completion tokens for each second after the first token; null without a value" }),
});
export type Sums = z.output<typeof Sums>;

const Totals = Sums.extend({ time_to_first_token: Percentiles, duration: Percentiles });

const at = Timestamp.meta({ description: "Start of the bucket" });

/** A group of usage. Blocked requests of a guardrail are the requests that it blocked. */
const Group = z.object({
  id: z.string().nullable().meta({
    description: "Value of the filter of the same name, by which the requests are listed; null when requests have none",
  }),
  name: z.string().nullable(),
  totals: Totals.meta({
    description:
      "With percentiles for groups by model, provider, workspace, status, key and member. Those of a key or member are of its latest 2,000 requests in the range, and are sorted among the 100 with the most requests; those of other groups are of the latest 20,000 requests if filters by anything else apply. Groups by guardrail have the requests in which it made a decision; `blocked` are those that it blocked, which `blocked_by` lists",
  }),
  previous: Sums.meta({ description: "In the previous period" }),
  series: z.array(Sums.extend({ at })).meta({ description: "Buckets with requests, oldest first" }),
});

const Usage = z
  .object({
    from: Timestamp,
    to: Timestamp,
    bucket_seconds: count.meta({ description: "Length of a bucket; there are at most a hundred" }),
    totals: Totals,
    previous: Totals.meta({ description: "The same for the previous period" }),
    series: z.array(Totals.extend({ at })).meta({ description: "All buckets, oldest first" }),
    groups: z.array(Group).meta({ description: "The groups with the most of `measure`; empty without group_by" }),
    other: Group.omit({ id: true, name: true })
      .extend({ totals: Sums, count: count.meta({ description: "Number of groups" }) })
      .nullable()
      .meta({ description: "The sum of all other groups; a request with several guardrails or tags is in each" }),
  })
  .meta({ id: "AnalyticsUsage" });
export type Usage = z.output<typeof Usage>;

/** The log's filters, so that the requests behind each figure can be listed. */
const UsageQuery = GenerationFilters.omit({ q: true })
  .extend({
    ...RangeQuery.shape,
    group_by: z
      .enum(GROUPS)
      .optional()
      .meta({
        description: `With the filter for the requests of a group: ${Object.entries(GROUP_FILTERS)
          .map((pair) => pair.join(" by "))
          .join(", ")}`,
      }),
    measure: z
      .enum(MEASURES)
      .default("spend")
      .meta({ description: "Measure by which groups are sorted without `sort`" }),
    sort: sortParam(GROUP_SORTS).meta({
      description:
        "Order of the groups, which decides which of them are returned; prefixed with `-` for descending order. Groups without a value come last. `change` is that of `measure` from the previous period",
    }),
    top: integerParam(1, 20).default(8).meta({ description: "Maximum number of groups" }),
  })
  .superRefine(rangeIssues);
export type UsageQuery = z.output<typeof UsageQuery>;

export const getUsage = operation({
  tag: "Analytics",
  access: "member",
  id: "getAnalyticsUsage",
  permission: "analytics:read",
  byWorkspace: true,
  readsReplica: true,
  method: "GET",
  path: "/analytics/usage",
  summary:
    "Get spend, tokens, requests, errors and latency over time, grouped and compared with the previous period; members see those of their own keys",
  query: UsageQuery,
  status: 200,
  result: envelope(Usage),
});
