import { z } from "zod";
import { Forecast } from "../../engine/budgets/contract";
import { LIMIT_SUBJECTS } from "../../engine/budgets/vocabulary";
import { RESET_INTERVALS } from "../../engine/vocabulary";
import { operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";

const usd = z.number().min(0);

export const Budget = z
  .object({
    guardrail_id: Uuid.nullable().meta({ description: "null for a key's own limit, and for limits" }),
    guardrail_name: z.string().nullable(),
    limit_id: Uuid.nullable().meta({ description: "null for guardrails and a key's own limit" }),
    limit_name: z.string().nullable(),
    workspace_id: Uuid.nullable().meta({
      description: "The workspace whose requests it counts; null for a limit that counts those of all",
    }),
    subject: z.object({
      type: z.enum(LIMIT_SUBJECTS),
      id: z.string().meta({
        description:
          "Key hash, user ID, or another subject's ID, tag or slug; for organization and keys, the limit's ID",
      }),
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
  permission: "budgets:read",
  byWorkspace: true,
  method: "GET",
  path: "/budgets",
  summary:
    "List the budgets and spending limits in force, closest to the limit first; members see only budgets of their own requests",
  query: PageQuery.extend({
    key_hash: z.string().min(1).max(256).optional().meta({ description: "Budgets that apply to the key's requests" }),
    user_id: z.string().min(1).max(256).optional().meta({ description: "Budgets that apply to the member's requests" }),
    guardrail_id: Uuid.optional(),
    workspace_id: Uuid.optional().meta({ description: "Defaults to all workspaces" }),
    include_limits: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "false for only the budgets of guardrails and keys" }),
  }),
  status: 200,
  result: page(Budget),
  errors: [404],
});
