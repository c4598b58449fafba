import type { Endpoint } from "../../engine/endpoint";
import { plan, type PlanContext, type RoutingRequest } from "../../engine/routing/plan";
import { suppliedParameters } from "../../engine/routing/preferences";
import type { Refusal } from "../../engine/policy/routing-policy";
import type { PolicyReach } from "./contract";
import type { PresetConfig } from "../../records/presets/contract";

const SHOWN_MODELS = 10;

/** The models that a preset names, in order of preference. */
export const namedModels = ({ model, models }: PresetConfig): string[] => [
  ...new Set([...(model === undefined ? [] : [model]), ...(models ?? [])]),
];

/** What requests ask of routing that leave everything to the preset; without a model of its own any of `catalogue`. */
export const routingRequestOf = (config: PresetConfig, catalogue: readonly string[]): RoutingRequest => {
  const named = namedModels(config);
  return {
    models: named.length > 0 ? named : catalogue,
    preferences: config.provider ?? {},
    parameters: suppliedParameters(config),
    route: config.route ?? null,
  };
};

export type Reach = Pick<PolicyReach, "endpoints" | "refusals">;

/** How many endpoints the layers leave of those that are asked for, and which fields take the others. */
export function reachOf(wishes: RoutingRequest, endpoints: readonly Endpoint[], conditions: PlanContext): Reach {
  const { candidates, excluded } = plan(wishes, endpoints, conditions);
  const refusals = new Map<string, { refusal: Refusal; models: string[] }>();
  for (const { model, excluded_by } of excluded) {
    for (const refusal of excluded_by) {
      const id = JSON.stringify([refusal.scope, refusal.guardrail_id, refusal.field]);
      const known = refusals.get(id);
      if (known) known.models.push(model);
      else refusals.set(id, { refusal, models: [model] });
    }
  }
  return {
    endpoints: candidates.length,
    refusals: [...refusals.values()]
      .map(({ refusal, models }) => ({
        ...refusal,
        endpoints: models.length,
        models: [...new Set(models)].slice(0, SHOWN_MODELS),
      }))
      .sort((a, b) => b.endpoints - a.endpoints || a.field.localeCompare(b.field)),
  };
}

/** What guardrails make of a preset that `alone` reaches so many endpoints. */
export function outcomeOf(alone: Reach, under: Reach, blockers: number): PolicyReach["outcome"] {
  if (blockers > 0) return "blocked";
  if (under.endpoints === 0) return "no_endpoint";
  return under.endpoints < alone.endpoints ? "narrowed" : "usable";
}
