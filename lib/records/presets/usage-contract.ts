import { z } from "zod";
import { Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { PresetSlug } from "./contract";

export const DEFAULT_USAGE_DAYS = 30;

const count = z.number().int().min(0);

export const PresetVersionUsage = z
  .object({
    version: z.number().int().min(1),
    requests: count,
    succeeded: count,
    failed: count,
    blocked: count,
    cancelled: count,
    cost_usd: z.number(),
    last_used_at: Timestamp,
  })
  .meta({ id: "PresetVersionUsage" });
export type PresetVersionUsage = z.output<typeof PresetVersionUsage>;

export const getPresetUsage = operation({
  tag: "Presets",
  access: "member",
  method: "GET",
  id: "getPresetUsage",
  permission: "analytics:read",
  byWorkspace: true,
  path: "/presets/{slug}/usage",
  summary: "Get the usage of each preset version, lowest version first; versions without requests are omitted",
  params: z.object({ slug: PresetSlug }),
  query: z.object({
    workspace_id: Uuid.optional(),
    from: Instant.optional().meta({
      description: `At or after this time; defaults to ${DEFAULT_USAGE_DAYS} days before to`,
    }),
    to: Instant.optional().meta({ description: "Before this time; defaults to now" }),
  }),
  status: 200,
  result: z.object({ data: z.array(PresetVersionUsage), from: Timestamp, to: Timestamp }),
});
