import { z } from "zod";
import { envelope, operation, Uuid } from "../../platform/http/operation";

const MAX_LISTED = 100;
const count = z.number().int().min(0);

/** How many there are, and the first of them. */
const firstOf = <T extends z.ZodType>(record: T) =>
  z.object({ total_count: count, data: z.array(record).max(MAX_LISTED) });

/** What applies to one, the nearest first: a guardrail of its own, that of its member, the workspace's default, or nothing. */
const keyCounts = z.object({ assigned: count, by_member: count, by_default: count, uncovered: count });

const CoverageKey = z.object({ key_hash: z.string(), key_name: z.string(), workspace_id: Uuid });
const CoverageMember = z.object({ user_id: z.string(), name: z.string(), email: z.string() });

const Coverage = z
  .object({
    keys: keyCounts.meta({ description: "Inference keys that work, by the guardrail nearest to them" }),
    members: keyCounts.omit({ by_member: true }).meta({
      description:
        "Members by the guardrail nearest to them; the default is that of the workspace asked for, or of the default workspace",
    }),
    uncovered_keys: firstOf(CoverageKey).meta({ description: "Keys without any guardrail" }),
    uncovered_members: firstOf(CoverageMember).meta({ description: "Members without any guardrail" }),
    unlimited_keys: firstOf(CoverageKey).meta({
      description: "Keys that no limit bounds: neither their own nor a guardrail's",
    }),
    unassigned_guardrails: firstOf(z.object({ guardrail_id: Uuid, name: z.string(), workspace_id: Uuid })).meta({
      description: "Guardrails that enforce nothing",
    }),
    guardrails: z
      .array(z.object({ guardrail_id: Uuid, keys: count, members: count, is_default: z.boolean() }))
      .meta({ description: "What each guardrail is assigned to: of those asked for, or of the newest hundred" }),
  })
  .meta({ id: "Coverage" });
export type Coverage = z.output<typeof Coverage>;

export const getCoverage = operation({
  tag: "Guardrails",
  access: "management",
  id: "getGuardrailCoverage",
  method: "GET",
  path: "/guardrails/coverage",
  summary: "What no guardrail covers, and what each guardrail covers",
  query: z.object({
    workspace_id: Uuid.optional().meta({ description: "Every workspace when omitted" }),
    guardrail_id: z
      .union([Uuid, z.array(Uuid).max(MAX_LISTED)])
      .optional()
      .meta({ description: "Whose assignments are counted; repeat for several" }),
  }),
  status: 200,
  result: envelope(Coverage),
  errors: [404],
});
