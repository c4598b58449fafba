import { z } from "zod";
import { GenerationIdQuery } from "../content-access/contract";
import { GuardrailVersion } from "../../records/guardrails/versions-contract";
import { envelope, operation, Uuid } from "../../platform/http/operation";
import { EffectivePolicy, PolicyCheck } from "../policy-check/contract";
import { ReplayRow } from "./contract";
import { AS_OF, OBSTACLES, type Obstacle } from "./vocabulary";

const Verdict = ReplayRow.shape.before;

export const PolicyVerdict = z
  .object({
    generation_id: z.string(),
    as_of: z.enum(AS_OF),
    recorded: Verdict.meta({ description: "As it is recorded" }),
    verdict: Verdict.extend({ candidates: PolicyCheck.shape.candidates })
      .nullable()
      .meta({ description: "null: it can't be judged" }),
    obstacle: z
      .object({ code: z.enum(Object.keys(OBSTACLES) as [Obstacle, ...Obstacle[]]), message: z.string() })
      .nullable(),
    is_same: z.boolean().meta({ description: "Who sent the request would notice nothing" }),
    layers: EffectivePolicy.shape.layers.meta({ description: "Guardrails that judged, widest first" }),
    changes: z
      .array(
        z.object({
          scope: z.enum(["workspace", "member", "key"]),
          guardrail_id: Uuid,
          guardrail_name: z.string(),
          from_revision: z.number().int().nullable().meta({ description: "null: it was not in force" }),
          to_revision: z.number().int().nullable().meta({ description: "null: it is no longer in force" }),
          revisions: z.array(GuardrailVersion).meta({ description: "What was changed since, newest first" }),
        }),
      )
      .meta({ description: "How the guardrails in force differ from those that decided then" }),
  })
  .meta({ id: "PolicyVerdict" });
export type PolicyVerdict = z.output<typeof PolicyVerdict>;

export const explainGeneration = operation({
  tag: "Generations",
  access: "management",
  id: "explainGeneration",
  method: "GET",
  path: "/generation/policy",
  summary: "Why a generation was decided as it was: judged once more by the policy of then, or by the one of now",
  query: GenerationIdQuery.extend({ as_of: z.enum(AS_OF).default("now") }),
  status: 200,
  result: envelope(PolicyVerdict),
  errors: [404],
});
