import { ZDR_FIELDS } from "./zdr";
import { checkRules, type CheckRule } from "./check-rules";
import { liftOf } from "./active-exceptions";
import { filterRules } from "./filter-rules";
import type { FilterRule } from "../filters/filter-rule";
import type { FILTER_SCOPES } from "../filters/vocabulary";
import { expandModels, expandProviders, type CoveredModel } from "./vocabulary";
import { sourceOf, type Layer } from "./layers";
import type { EffectiveFields, Source } from "./contract";

type ListField =
  | "allowed_models"
  | "ignored_models"
  | "allowed_providers"
  | "ignored_providers"
  | "allowed_data_regions";

interface Given<T> {
  value: T;
  source: Source;
}

/** Maps names of the same thing, such as a model's slug and canonical slug, to one name. */
type Identity = (name: string) => string;

const listsOf = (layers: readonly Layer[], field: ListField): Given<readonly string[]>[] =>
  layers.flatMap((layer) =>
    layer.guardrail[field]?.length && !liftOf(layer, field)
      ? [{ value: layer.guardrail[field], source: sourceOf(layer) }]
      : [],
  );

const sourcesOf = (given: readonly Given<unknown>[]): Source[] => given.map(({ source }) => source);

/** Intersects allow lists, in the spelling of the broadest one; null without a list. */
function allowed(given: readonly Given<readonly string[]>[], identity: Identity) {
  const [widest, ...others] = given.map(({ value }) => value);
  const known = others.map((list) => new Set(list.map(identity)));
  return {
    value: widest?.filter((name) => known.every((names) => names.has(identity(name)))) ?? null,
    sources: sourcesOf(given),
  };
}

/** Merges block lists without duplicates, in the spelling of the broadest one. */
function ignored(given: readonly Given<readonly string[]>[], identity: Identity) {
  const names = new Map<string, string>();
  for (const name of given.flatMap(({ value }) => value))
    if (!names.has(identity(name))) names.set(identity(name), name);
  return { value: [...names.values()], sources: sourcesOf(given) };
}

/** A filter in force; without a scope it scans requests only. */
interface ScopedRule {
  rule: FilterRule;
  scope?: Exclude<(typeof FILTER_SCOPES)[number], "request">;
}

/** Returns the filters in force. Filters with the same effect on requests and answers are merged. */
function scopedRules(layers: readonly Layer[]): ScopedRule[] {
  const inForce = (direction: "request" | "response") => filterRules(layers, direction).filter(({ lifted }) => !lifted);
  const effect = ({ detector, action, label, sources }: FilterRule) =>
    JSON.stringify([detector, action, label, sources]);
  const requests = inForce("request");
  const onRequests = new Set(requests.map(effect));
  const answers = inForce("response");
  const onAnswers = new Set(answers.map(effect));
  return [
    ...requests.map((rule): ScopedRule => (onAnswers.has(effect(rule)) ? { rule, scope: "both" } : { rule })),
    ...answers.flatMap((rule): ScopedRule[] => (onRequests.has(effect(rule)) ? [] : [{ rule, scope: "response" }])),
  ];
}

/** Returns the checks in force. Checks that are the same for requests and answers are merged. */
function scopedChecks(layers: readonly Layer[]): { rule: CheckRule; scope: (typeof FILTER_SCOPES)[number] }[] {
  const effect = (rule: CheckRule) => JSON.stringify({ ...rule, secret: null });
  const [requests, answers] = [checkRules(layers), checkRules(layers, "response")];
  const [onRequests, onAnswers] = [new Set(requests.map(effect)), new Set(answers.map(effect))];
  return [
    ...requests.map((rule) => ({
      rule,
      scope: onAnswers.has(effect(rule)) ? ("both" as const) : ("request" as const),
    })),
    ...answers.flatMap((rule) => (onRequests.has(effect(rule)) ? [] : [{ rule, scope: "response" as const }])),
  ];
}

/** The layers' fields as one, each with the guardrails that it comes from (docs/semantics.md#layers). */
/** The catalogue that wildcards of lists are expanded with. */
export interface Catalogue {
  models: readonly CoveredModel[];
  providers: readonly string[];
}

export function effectiveFields(
  layers: readonly Layer[],
  modelIdentity: Identity,
  catalogue: Catalogue = { models: [], providers: [] },
): EffectiveFields {
  const modelLists = (field: ListField) =>
    listsOf(layers, field).map((list) => ({ ...list, value: expandModels(list.value, catalogue.models) }));
  const providerLists = (field: ListField) =>
    listsOf(layers, field).map((list) => ({ ...list, value: expandProviders(list.value, catalogue.providers) }));
  const provider: Identity = (name) => name.toLowerCase();
  const zdr = ZDR_FIELDS.map((field) => {
    const enforcing = layers.filter((layer) => layer.guardrail[field] === true && !liftOf(layer, field));
    return [field, { value: enforcing.length > 0, sources: enforcing.map(sourceOf) }] as const;
  });
  const rules = scopedRules(layers).map(({ rule: { sources, ...rule }, scope }) => ({
    ...rule,
    sources: [...sources],
    ...(scope && { scope }),
  }));
  const checks = scopedChecks(layers);
  return {
    allowed_models: allowed(modelLists("allowed_models"), modelIdentity),
    ignored_models: ignored(modelLists("ignored_models"), modelIdentity),
    allowed_providers: allowed(providerLists("allowed_providers"), provider),
    ignored_providers: ignored(providerLists("ignored_providers"), provider),
    allowed_data_regions: allowed(listsOf(layers, "allowed_data_regions"), (region) => region),
    ...(Object.fromEntries(zdr) as Pick<EffectiveFields, (typeof ZDR_FIELDS)[number]>),
    content_filter_builtins: rules.flatMap(({ detector, action, scanScope, label, scope, sources }) =>
      detector.kind === "builtin"
        ? [
            {
              slug: detector.slug,
              action,
              scan_scope: scanScope,
              ...(scope && { scope }),
              label,
              sources,
            },
          ]
        : [],
    ),
    content_filters: rules.flatMap(({ detector, action, label, scope, sources }) =>
      detector.kind === "pattern"
        ? [{ pattern: detector.pattern, action, label, ...(scope && { scope }), sources }]
        : [],
    ),
    external_checks: checks.flatMap(({ rule, scope }) =>
      rule.field === "judges"
        ? []
        : {
            name: rule.name,
            url: rule.url,
            format: rule.format,
            scope,
            timeout_ms: rule.timeoutMs,
            sources: [...rule.sources],
          },
    ),
    judges: checks.flatMap(({ rule, scope }) =>
      rule.field === "external_checks"
        ? []
        : {
            name: rule.name,
            model: rule.model,
            instructions: rule.instructions,
            threshold: rule.threshold,
            action: rule.action,
            scope,
            timeout_ms: rule.timeoutMs,
            sources: [...rule.sources],
          },
    ),
  };
}
