import type { Endpoint } from "../../engine/endpoint";
import type { PlanContext, RoutingRequest } from "../../engine/routing/plan";
import type { Layer } from "../../engine/policy/layers";
import { reachOf } from "../preset-compatibility/reach";
import type { LintFinding } from "./contract";

/** A preset version in use: the live one, or one with a label. */
export interface PresetInUse {
  /** Display name, as in “support” (live, prod). */
  name: string;
  routing: RoutingRequest;
}

export interface PresetFacts {
  guardrail: Layer["guardrail"];
  /** Guardrails that apply to everyone together with this one. */
  companions: readonly Layer[];
  presets: readonly PresetInUse[];
  /** Endpoints of all models that the presets use. */
  endpoints: readonly Endpoint[];
  measured: Omit<PlanContext, "layers">;
}

const LISTS = ["allowed_models", "ignored_models", "allowed_providers", "ignored_providers"] as const;
type ListField = (typeof LISTS)[number];
const isList = (field: string): field is ListField => (LISTS as readonly string[]).includes(field);

const SHOWN = 5;
export const namedPresets = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");

/**
 * Reports presets that have an endpoint without the guardrail but none with it, by the field that excludes the most.
 */
export function lintPresets(facts: PresetFacts): LintFinding[] {
  const reach = ({ routing }: PresetInUse, layers: readonly Layer[]) =>
    reachOf(routing, facts.endpoints, { ...facts.measured, layers });
  const under = (guardrail: Layer["guardrail"]) => [...facts.companions, { scope: "draft" as const, guardrail }];
  const byField = new Map<string, PresetInUse[]>();
  for (const preset of facts.presets) {
    const { endpoints, refusals } = reach(preset, under(facts.guardrail));
    if (endpoints > 0 || reach(preset, facts.companions).endpoints === 0) continue;
    const [worst] = refusals.filter(({ scope }) => scope === "draft").toSorted((a, b) => b.endpoints - a.endpoints);
    const field = worst?.field ?? "";
    byField.set(field, [...(byField.get(field) ?? []), preset]);
  }
  return [...byField].map(([field, presets]): LintFinding => {
    const value = isList(field) ? correctedList(facts, field, presets) : null;
    const works =
      value && presets.every((preset) => reach(preset, under({ ...facts.guardrail, [field]: value })).endpoints > 0);
    return {
      severity: "warning",
      code: "preset_without_endpoint",
      path: field === "" ? [] : [field],
      message: `Leaves no endpoint for ${presets.length === 1 ? "a preset" : `${presets.length} preset versions`}: ${namedPresets(presets.map(({ name }) => name))}.`,
      ...(works && { fix: { path: field as ListField, value } }),
    };
  });
}

/** Returns a fix that adds the presets' models or providers to an allow list, or removes them from a block list. */
function correctedList(
  { guardrail, endpoints }: PresetFacts,
  field: ListField,
  presets: readonly PresetInUse[],
): string[] {
  const wanted = presets.flatMap(({ routing }) =>
    endpoints.filter(
      ({ model }) => routing.models.includes(model.slug) || routing.models.includes(model.canonicalSlug),
    ),
  );
  const isOfModels = field.endsWith("models");
  const names = new Set(
    wanted
      .flatMap(({ model, provider }) => (isOfModels ? [model.slug, model.canonicalSlug] : [provider.slug]))
      .map((name) => name.toLowerCase()),
  );
  const list = guardrail[field] ?? [];
  if (field.startsWith("ignored")) return list.filter((name) => !names.has(name.toLowerCase()));
  return [...new Set([...list, ...wanted.map(({ model, provider }) => (isOfModels ? model.slug : provider.slug))])];
}
