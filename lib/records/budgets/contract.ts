import { z } from "zod";
import { RESET_INTERVALS } from "../guardrails/vocabulary";
import { operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";

const usd = z.number().min(0);

const Contributor = z.object({ key_hash: z.string(), key_name: z.string(), share: z.number().min(0).max(1) });

const Forecast = z.object({
  exhausted_at: Timestamp.nullable().meta({
    description:
      "When the budget is exhausted at the current rate; null when it resets before, there is no spend, or the window began less than an hour ago",
  }),
  projected_usd: usd.nullable().meta({
    description:
      "Spend at the end of the window at the current rate, as if there were no limit; null when the budget doesn't reset or the window began less than an hour ago",
  }),
  usd_per_hour: usd.meta({ description: "Spend rate over the last 24 hours, or since the window began" }),
  contributors: z
    .array(Contributor)
    .meta({ description: "Keys with the highest share of the spend, at most five, highest first" }),
});

export const Budget = z
  .object({
    guardrail_id: Uuid.nullable().meta({ description: "null for a key's own limit" }),
    guardrail_name: z.string().nullable(),
    subject: z.object({
      type: z.enum(["key", "member"]),
      id: z.string().meta({ description: "Key hash or user ID" }),
      name: z.string(),
    }),
    limit_usd: usd.meta({ description: "Includes raises by exceptions for all of the subject's requests" }),
    raised_usd: usd.meta({ description: "The part of limit_usd granted by exceptions" }),
    spent_usd: usd,
    reserved_usd: usd.meta({
      description: "Amount reserved by running requests; of other processes as of half a second ago",
    }),
    remaining_usd: usd,
    reset_interval: z.enum(RESET_INTERVALS).nullable(),
    resets_at: Timestamp.nullable(),
    forecast: Forecast,
    alerts: z
      .array(z.object({ percent: z.number().int(), reached_at: Timestamp }))
      .meta({ description: "Thresholds reached in the current window, lowest first" }),
  })
  .meta({ id: "Budget" });
export type Budget = z.output<typeof Budget>;

export const listBudgets = operation({
  tag: "Budgets",
  access: "member",
  id: "listBudgets",
  method: "GET",
  path: "/budgets",
  summary: "List the budgets in force, closest to the limit first; members see only budgets of their own requests",
  query: PageQuery.extend({
    key_hash: z.string().min(1).max(256).optional().meta({ description: "Budgets that apply to the key's requests" }),
    user_id: z.string().min(1).max(256).optional().meta({ description: "Budgets that apply to the member's requests" }),
    guardrail_id: Uuid.optional(),
    workspace_id: Uuid.optional().meta({ description: "Defaults to all workspaces" }),
  }),
  status: 200,
  result: page(Budget),
  errors: [404],
});
