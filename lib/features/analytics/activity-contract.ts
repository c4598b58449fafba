import { z } from "zod";
import { operation, Uuid } from "../../platform/http/operation";

/** Days of the activity, the last of which is yesterday in UTC. */
export const ACTIVITY_DAYS = 30;

const count = z.number().int().min(0);
const usd = z.number().min(0);

const ActivityItem = z
  .object({
    date: z.string().meta({ description: "A day in UTC" }),
    model: z.string(),
    model_permaslug: z.string(),
    endpoint_id: z.string().meta({ description: "Provider and model" }),
    provider_name: z.string(),
    workspace_id: Uuid.optional().meta({ description: "With group_by=workspace" }),
    requests: count,
    usage: usd.meta({ description: "USD" }),
    byok_usage_inference: usd.meta({ description: "USD of providers with the organization's own key" }),
    prompt_tokens: count,
    completion_tokens: count,
    reasoning_tokens: count,
  })
  .meta({ id: "ActivityItem" });

const ActivityQuery = z.object({
  date: z.iso.date().optional().meta({ description: "One of the last 30 completed days in UTC" }),
  api_key_hash: z.string().min(1).max(64).optional(),
  user_id: z.string().min(1).max(200).optional(),
  workspace_id: Uuid.optional().meta({ description: "Defaults to all workspaces" }),
  group_by: z.enum(["workspace"]).optional(),
});
export type ActivityQuery = z.output<typeof ActivityQuery>;

export const getActivity = operation({
  tag: "Analytics",
  access: "member",
  id: "getActivity",
  permission: "analytics:read",
  byWorkspace: true,
  readsReplica: true,
  method: "GET",
  path: "/activity",
  summary:
    "Get requests, tokens and spend of the last 30 completed days by model and provider; members see their own keys'",
  query: ActivityQuery,
  status: 200,
  result: z.object({ data: z.array(ActivityItem) }),
});
