import type { Endpoint } from "../../engine/endpoint";
import { plan, type PlanContext, type RoutingRequest } from "../../engine/routing/plan";
import { suppliedParameters } from "../../engine/routing/preferences";
import type { Refusal } from "../../engine/policy/routing";
import type { PolicyReach } from "./contract";
import type { PresetConfig } from "../../records/presets/contract";

const SHOWN_MODELS = 10;

/** Returns a preset's models in order of preference. */
export const namedModels = ({ model, models }: PresetConfig): string[] => [
  ...new Set([...(model === undefined ? [] : [model]), ...(models ?? [])]),
];

/** Returns the routing request of a preset. Without a model, it requests any of `catalogue`. */
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

/** Counts the requested endpoints that the layers allow, and the fields that exclude others. */
export function reachOf(routing: RoutingRequest, endpoints: readonly Endpoint[], conditions: PlanContext): Reach {
  const { candidates, excluded } = plan(routing, endpoints, conditions);
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

/** Returns the outcome for a preset that reaches `alone` endpoints without guardrails. */
export function outcomeOf(alone: Reach, under: Reach, blockers: number): PolicyReach["outcome"] {
  if (blockers > 0) return "blocked";
  if (under.endpoints === 0) return "no_endpoint";
  return under.endpoints < alone.endpoints ? "narrowed" : "usable";
}
