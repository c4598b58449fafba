import type { FilterAction, FilterRule } from "../filters/filter-rule";
import type { BuiltinFilter } from "../filters/contract";
import { BUILTIN_LABELS, defaultScanScope, isAsWide, scans, type Direction } from "../filters/vocabulary";
import { detectorName } from "./detector-name";
import type { Exception } from "./exception";
import { liftOf } from "./active-exceptions";
import { sourceOf, type Layer } from "./layers";
import type { Source } from "./contract";

const STRENGTH: Readonly<Record<FilterAction, number>> = { flag: 1, redact: 2, block: 3 };

/** A filter of one layer. */
type LayerFilter = Omit<FilterRule, "sources" | "label" | "lifted"> & {
  label: string | null;
  source: Source;
  lifted: Exception | undefined;
};

const isAtLeast = (action: FilterAction, other: FilterAction) => STRENGTH[action] >= STRENGTH[other];

/** Builtins that detect national formats of a workspace's regions. */
const REGIONAL = new Set<BuiltinFilter["slug"]>(["phone"]);

/** Returns the detector of a builtin, with the workspace's regions in a fixed order if the builtin supports regions. */
export const builtinDetector = (slug: BuiltinFilter["slug"], regions: readonly string[] = []): FilterRule["detector"] =>
  REGIONAL.has(slug) && regions.length > 0
    ? { kind: "builtin", slug, regions: regions.toSorted() }
    : { kind: "builtin", slug };

function filtersOf(layer: Layer, direction: Direction): LayerFilter[] {
  const { content_filter_builtins, content_filters } = layer.guardrail;
  const source = sourceOf(layer);
  const inScope = <Filter extends { scope?: Parameters<typeof scans>[0] }>(filters: readonly Filter[] | null) =>
    (filters ?? []).filter(({ scope }) => scans(scope, direction));
  const builtins = inScope(content_filter_builtins).map(({ slug, action, scan_scope }): LayerFilter => ({
    detector: builtinDetector(slug, layer.regions),
    action,
    label: BUILTIN_LABELS[slug],
    scanScope: direction === "request" ? (scan_scope ?? defaultScanScope(slug)) : "all_messages",
    source,
    lifted: liftOf(layer, "content_filter_builtins", slug),
  }));
  const patterns = inScope(content_filters).map(({ pattern, action, label }): LayerFilter => ({
    detector: { kind: "pattern", pattern },
    action,
    label: label ?? null,
    scanScope: "all_messages",
    source,
    lifted: liftOf(layer, "content_filters", pattern),
  }));
  return [...builtins, ...patterns];
}

/** Merges the filters on one detector and scope into a rule with the strongest action. */
function strongest(filters: readonly [LayerFilter, ...LayerFilter[]]): FilterRule {
  const action = filters.reduce(
    (most, other) => (isAtLeast(most, other.action) ? most : other.action),
    filters[0].action,
  );
  const deciding = filters.filter((one) => one.action === action);
  const { detector, scanScope, lifted } = filters[0];
  return {
    detector,
    action,
    label: deciding.find(({ label }) => label !== null)?.label ?? (action === "block" ? "[BLOCKED]" : "[REDACTED]"),
    scanScope,
    sources: deciding.map(({ source }) => source).filter((source, index, all) => all.indexOf(source) === index),
    ...(lifted && { lifted }),
  };
}

/**
 * The content filters of all layers for requests or answers (docs/content-filters.md#how-filters-act): on the same detector and scope
 * `block` > `redact` > `flag`.
 * A rule lifted by an exception stays separate and only records matches.
 * A rule with a narrower scan scope stays beside a wider one when it is the stronger: both must hold.
 * Returns the same list for the same list of layers.
 */
export function filterRules(layers: readonly Layer[], direction: Direction = "request"): readonly FilterRule[] {
  const known = compiled[direction].get(layers);
  if (known) return known;
  const rules = compile(layers, direction);
  compiled[direction].set(layers, rules);
  return rules;
}

/** Rules by their layers, which many requests share. */
const compiled: Readonly<Record<Direction, WeakMap<readonly Layer[], readonly FilterRule[]>>> = {
  request: new WeakMap(),
  response: new WeakMap(),
};

function compile(layers: readonly Layer[], direction: Direction): FilterRule[] {
  const groups = new Map<string, [LayerFilter, ...LayerFilter[]]>();
  for (const filter of layers.flatMap((layer) => filtersOf(layer, direction))) {
    const key = `${filter.scanScope} ${filter.lifted?.id ?? ""} ${detectorName(filter.detector)}`;
    const group = groups.get(key);
    if (group) group.push(filter);
    else groups.set(key, [filter]);
  }
  const rules = [...groups.values()].map(strongest);
  const covers = (wider: FilterRule, rule: FilterRule) =>
    wider.scanScope !== rule.scanScope &&
    isAsWide(wider.scanScope, rule.scanScope) &&
    isAtLeast(wider.action, rule.action) &&
    detectorName(wider.detector) === detectorName(rule.detector);
  return rules.filter(
    (rule) => rule.lifted !== undefined || !rules.some((other) => !other.lifted && covers(other, rule)),
  );
}
