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
  path: "/presets/{slug}/usage",
  summary: "How much each version of a preset was used, lowest version first; versions without a request are left out",
  params: z.object({ slug: PresetSlug }),
  query: z.object({
    workspace_id: Uuid.optional(),
    from: Instant.optional().meta({
      description: `At or after; ${DEFAULT_USAGE_DAYS} days before \`to\` when omitted`,
    }),
    to: Instant.optional().meta({ description: "Before; now when omitted" }),
  }),
  status: 200,
  result: z.object({ data: z.array(PresetVersionUsage), from: Timestamp, to: Timestamp }),
});
