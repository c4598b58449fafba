import { z } from "zod";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { Model } from "../../records/models/contract";

const MAX_LISTED = 100;
const count = z.number().int().min(0);

/** The total count and the first items. */
const firstOf = <T extends z.ZodType>(record: T) =>
  z.object({ total_count: count, data: z.array(record).max(MAX_LISTED) });

/** Counts by the most specific guardrail: the key's own, its member's, the workspace default, or none. */
const keyCounts = z.object({ assigned: count, by_member: count, by_default: count, uncovered: count });

const CoverageKey = z.object({ key_hash: z.string(), key_name: z.string(), workspace_id: Uuid });
const CoverageMember = z.object({ user_id: z.string(), name: z.string(), email: z.string() });
const CoverageGuardrail = z.object({ guardrail_id: Uuid, name: z.string(), workspace_id: Uuid });
const CoverageModel = z.object({ slug: z.string(), name: z.string() });

const DeprecatedModel = CoverageModel.extend({
  ...Model.pick({ deprecated_at: true, replacement: true }).shape,
  retires_at: Timestamp,
  used_by: firstOf(
    z.object({
      type: z.enum(["key", "member"]),
      id: z.string().meta({ description: "Key hash or user ID, as filters of generations take it" }),
      name: z.string(),
    }),
  ).meta({
    description:
      "Keys that sent the model's newest requests, and members who sent them without a key; those with the most requests first",
  }),
});

const Coverage = z
  .object({
    keys: keyCounts.meta({ description: "Active inference keys, by their most specific guardrail" }),
    members: keyCounts.omit({ by_member: true }).meta({
      description:
        "Members, by their most specific guardrail; the default is that of the requested workspace, or of the default workspace",
    }),
    uncovered_keys: firstOf(CoverageKey).meta({ description: "Keys without a guardrail" }),
    uncovered_members: firstOf(CoverageMember).meta({ description: "Members without a guardrail" }),
    unlimited_keys: firstOf(CoverageKey).meta({
      description: "Keys without a spending limit, neither their own nor a guardrail's",
    }),
    unassigned_guardrails: firstOf(CoverageGuardrail).meta({ description: "Guardrails without any effect" }),
    observing_guardrails: firstOf(CoverageGuardrail).meta({
      description: "Guardrails that only observe; they don't cover keys and members",
    }),
    unknown_vendors: firstOf(CoverageModel).meta({
      description: "Models whose vendor nobody says; enforce_zdr_other applies to them",
    }),
    corrected_vendors: firstOf(
      CoverageModel.extend({
        previous_vendor: z.string(),
        vendor: z.string(),
        guardrails: z
          .array(z.object({ guardrail_id: Uuid, name: z.string() }))
          .max(MAX_LISTED)
          .meta({ description: "Guardrails whose zero data retention applies to the model since the correction" }),
      }),
    ).meta({ description: "Models whose vendor Signalbox has corrected, until the notice is dismissed" }),
    deprecated_models: firstOf(DeprecatedModel).meta({
      description:
        "Models whose retirement is announced or past, and that were requested in the last 7 days; the next to retire first",
    }),
    duplicate_models: firstOf(
      CoverageModel.extend({
        ...Model.pick({ canonical_slug: true }).shape,
        duplicate_of: z.string().meta({ description: "Canonical slug of the same model; set it to use both as one" }),
        providers: z.array(z.string()).meta({ description: "Providers that also serve duplicate_of then" }),
        guardrails: z
          .array(z.object({ guardrail_id: Uuid, name: z.string(), effect: z.enum(["allows", "blocks"]) }))
          .max(MAX_LISTED)
          .meta({
            description: "Guardrails that allow or block the model then and don't now, by their lists of models",
          }),
      }),
    ).meta({ description: "Models that are the same as another one, but have a different canonical slug" }),
    unpriced_models: firstOf(z.object({ slug: z.string(), name: z.string() })).meta({
      description: "Models with an endpoint whose price is unknown: spending limits can't count it",
    }),
    guardrails: z
      .array(z.object({ guardrail_id: Uuid, keys: count, members: count, is_default: z.boolean() }))
      .meta({ description: "Assignments of each requested guardrail, or of the newest hundred" }),
  })
  .meta({ id: "Coverage" });
export type Coverage = z.output<typeof Coverage>;

export const getCoverage = operation({
  tag: "Guardrails",
  access: "management",
  id: "getGuardrailCoverage",
  permission: "guardrails:read",
  method: "GET",
  path: "/guardrails/coverage",
  summary: "Get guardrail coverage: unprotected keys and members, and each guardrail's assignments",
  query: z.object({
    workspace_id: Uuid.optional().meta({ description: "Defaults to all workspaces" }),
    guardrail_id: z
      .union([Uuid, z.array(Uuid).max(MAX_LISTED)])
      .optional()
      .meta({ description: "Guardrails to count assignments for; repeatable" }),
  }),
  status: 200,
  result: envelope(Coverage),
  errors: [404],
});
