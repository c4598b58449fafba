import { z } from "zod";
import { RESET_INTERVALS } from "../guardrails/vocabulary";
import { operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";

const usd = z.number().min(0);

const Contributor = z.object({ key_hash: z.string(), key_name: z.string(), share: z.number().min(0).max(1) });

const Forecast = z.object({
  exhausted_at: Timestamp.nullable().meta({
    description: "When nothing is left at this rate; null when it resets before, or nothing is spent",
  }),
  usd_per_hour: usd.meta({ description: "Over the last 24 hours, or since the window began" }),
  contributors: z
    .array(Contributor)
    .meta({ description: "The keys that spend it, the greatest share first, at most five" }),
});

export const Budget = z
  .object({
    guardrail_id: Uuid.nullable().meta({ description: "null: the key's own limit" }),
    guardrail_name: z.string().nullable(),
    subject: z.object({
      type: z.enum(["key", "member"]),
      id: z.string().meta({ description: "Key hash, or user id" }),
      name: z.string(),
    }),
    limit_usd: usd.meta({ description: "With what exceptions raise it by for everything that the subject sends" }),
    raised_usd: usd.meta({ description: "The part of limit_usd that ends with an exception" }),
    spent_usd: usd,
    reserved_usd: usd.meta({ description: "What running requests may still cost" }),
    remaining_usd: usd,
    reset_interval: z.enum(RESET_INTERVALS).nullable(),
    resets_at: Timestamp.nullable(),
    forecast: Forecast,
    alerts: z
      .array(z.object({ percent: z.number().int(), reached_at: Timestamp }))
      .meta({ description: "The thresholds that this window's spending reached, the lowest first" }),
  })
  .meta({ id: "Budget" });
export type Budget = z.output<typeof Budget>;

export const listBudgets = operation({
  tag: "Budgets",
  access: "member",
  id: "listBudgets",
  method: "GET",
  path: "/budgets",
  summary: "List the budgets in force, the one closest to its limit first; a member sees those of their own requests",
  query: PageQuery.extend({
    key_hash: z.string().min(1).max(256).optional().meta({ description: "Those that the key's requests are under" }),
    user_id: z.string().min(1).max(256).optional().meta({ description: "Those that the member's requests are under" }),
    guardrail_id: Uuid.optional(),
    workspace_id: Uuid.optional().meta({ description: "Every workspace when omitted" }),
  }),
  status: 200,
  result: page(Budget),
  errors: [404],
});
