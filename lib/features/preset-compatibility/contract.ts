import { z } from "zod";
import { envelope, operation, Uuid } from "../../platform/http/operation";
import { integerParam } from "../../platform/http/pagination";
import { Source } from "../../engine/policy/contract";
import { PresetSlug } from "../../records/presets/contract";

const MAX_INT = 2_147_483_647;
const count = z.number().int().min(0);

const Refusal = z.object({ ...Source.shape, field: z.string() });

const Reach = z.object({
  endpoints: count.meta({ description: "Number of available endpoints" }),
  refusals: z
    .array(Refusal.extend({ endpoints: count, models: z.array(z.string()).meta({ description: "The first ones" }) }))
    .meta({
      description: "Fields that exclude endpoints; for the request: the preset's own provider preferences",
    }),
});

export const PolicyReach = Reach.extend({
  outcome: z.enum(["usable", "narrowed", "no_endpoint", "blocked"]),
  layers: z.array(Source),
  keys: count.meta({ description: "Number of inference keys with exactly these guardrails" }),
  key_names: z.array(z.string()).meta({ description: "The first ones" }),
  blocked_by: z
    .array(Refusal.extend({ rule: z.string() }))
    .meta({ description: "Content filters that block the system prompt" }),
}).meta({ id: "PresetPolicyReach" });
export type PolicyReach = z.output<typeof PolicyReach>;

export const PresetCompatibility = z
  .object({
    version: z.number().int().min(1),
    models: z.array(z.string()).meta({
      description: "Models of the preset; empty when it has none, in which case the whole catalogue is evaluated",
    }),
    alone: Reach.meta({ description: "Without any guardrail" }),
    policies: z
      .array(PolicyReach)
      .meta({ description: "Combinations of guardrails in force, those of most keys first" }),
    is_complete: z
      .boolean()
      .meta({ description: "False when there are more combinations of guardrails than were evaluated" }),
  })
  .meta({ id: "PresetCompatibility" });
export type PresetCompatibility = z.output<typeof PresetCompatibility>;

export const getPresetCompatibility = operation({
  tag: "Presets",
  access: "management",
  method: "GET",
  id: "getPresetCompatibility",
  permission: "guardrails:read",
  byWorkspace: true,
  path: "/presets/{slug}/compatibility",
  summary: "Check a preset against the guardrails in force: models, providers, parameters and system prompt",
  params: z.object({ slug: PresetSlug }),
  query: z.object({
    workspace_id: Uuid.optional(),
    version: integerParam(1, MAX_INT).optional().meta({ description: "Defaults to the designated version" }),
  }),
  status: 200,
  result: envelope(PresetCompatibility),
});
