import { z } from "zod";
import { GenerationIdQuery } from "../../records/generations/contract";
import { GuardrailVersion } from "../../records/guardrails/versions-contract";
import { envelope, operation, Uuid } from "../../platform/http/operation";
import { Source } from "../../engine/policy/contract";
import { PolicyCheck } from "../policy-check/contract";
import { ReplayRow } from "./contract";
import { AS_OF, OBSTACLES, type Obstacle } from "./vocabulary";

const Verdict = ReplayRow.shape.before;

export const PolicyVerdict = z
  .object({
    generation_id: z.string(),
    as_of: z.enum(AS_OF),
    recorded: Verdict.meta({ description: "As recorded" }),
    verdict: Verdict.extend({ candidates: PolicyCheck.shape.candidates })
      .nullable()
      .meta({ description: "null when it can't be evaluated" }),
    obstacle: z
      .object({ code: z.enum(Object.keys(OBSTACLES) as [Obstacle, ...Obstacle[]]), message: z.string() })
      .nullable(),
    is_same: z.boolean().meta({ description: "Whether the result is the same for the caller" }),
    layers: z.array(Source).meta({ description: "Evaluated guardrails, broadest first" }),
    changes: z
      .array(
        z.object({
          scope: z.enum(["workspace", "member", "key"]),
          guardrail_id: Uuid,
          guardrail_name: z.string(),
          from_revision: z.number().int().nullable().meta({ description: "null when it was not in force then" }),
          to_revision: z.number().int().nullable().meta({ description: "null when it is no longer in force" }),
          revisions: z.array(GuardrailVersion).meta({ description: "Changed revisions since then, newest first" }),
        }),
      )
      .meta({ description: "Differences between the guardrails in force now and those at the time of the request" }),
  })
  .meta({ id: "PolicyVerdict" });
export type PolicyVerdict = z.output<typeof PolicyVerdict>;

export const explainGeneration = operation({
  tag: "Generations",
  access: "management",
  id: "explainGeneration",
  permission: "generations:read",
  byWorkspace: true,
  method: "GET",
  path: "/generation/policy",
  summary: "Explain a generation's decision by re-evaluating it with the original or the current policy",
  query: GenerationIdQuery.extend({ as_of: z.enum(AS_OF).default("now") }),
  status: 200,
  result: envelope(PolicyVerdict),
  errors: [404],
});
