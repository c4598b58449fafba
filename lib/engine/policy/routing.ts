import { ZDR_FIELDS } from "./zdr";
import { canonicalVendor } from "../vendors";
import { DATA_REGIONS, type DataRegion } from "../vocabulary";
import { isZdr, type RoutableEndpoint } from "../endpoint";
import type { Exception } from "./exception";
import { liftOf } from "./active-exceptions";
import { modelWildcards, providerWildcard } from "./vocabulary";
import { sourceOf, type Layer } from "./layers";
import type { Source } from "./contract";

/** A field of a guardrail or request that excludes an endpoint. */
export interface Refusal extends Source {
  field: string;
}

/** An exclusion that an exception lifts. */
export interface LiftedRefusal {
  refusal: Refusal;
  exception: Exception;
}

type List = readonly string[] | null;

/** Caches one set per list, for the list's lifetime, since many endpoints are checked against it. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function names(list: readonly string[]): ReadonlySet<string> {
  let known = sets.get(list);
  if (!known) sets.set(list, (known = new Set(list.map((name) => name.toLowerCase()))));
  return known;
}

/** True when a list contains one of `aliases`, case-insensitively; null when the list doesn't restrict. */
export function isListed(list: List | undefined, ...aliases: readonly string[]): boolean | null {
  if (!list || list.length === 0) return null;
  return aliases.some((alias) => names(list).has(alias.toLowerCase()));
}

/** Returns the ZDR switch for a vendor's models; the three configured vendors have separate ones. */
export function zdrFieldOf(vendor: string, zdrVendors: ZdrVendors): (typeof ZDR_FIELDS)[number] {
  const canonical = canonicalVendor(vendor);
  return ZDR_FIELDS[zdrVendors.findIndex((named) => canonicalVendor(named) === canonical)] ?? "enforce_zdr_other";
}

/** The layers' reasons to exclude an endpoint: reasons in force, and reasons that active exceptions lift. */
interface Judgement {
  refusals: readonly Refusal[];
  lifted: readonly LiftedRefusal[];
}

type ZdrVendors = readonly [string, string, string];

/** Returns the layers' reasons to exclude an endpoint, one per field and layer; empty when all allow it (docs/semantics.md#layers). */
export const refusalsOf = (...judged: Parameters<typeof judge>): readonly Refusal[] => judge(...judged).refusals;

/** Returns the reasons that active exceptions lift for an endpoint. */
export const liftedRefusalsOf = (...judged: Parameters<typeof judge>): readonly LiftedRefusal[] =>
  judge(...judged).lifted;

/** Judgements by list of layers and endpoint. Requests share them until the policy or the catalogue changes. */
const judgements = new WeakMap<readonly Layer[], WeakMap<RoutableEndpoint, Judgement & { zdrVendors: ZdrVendors }>>();

function judge(layers: readonly Layer[], endpoint: RoutableEndpoint, zdrVendors: ZdrVendors): Judgement {
  let byEndpoint = judgements.get(layers);
  if (!byEndpoint) judgements.set(layers, (byEndpoint = new WeakMap()));
  const known = byEndpoint.get(endpoint);
  if (known?.zdrVendors === zdrVendors) return known;
  const reasons = layers.flatMap((layer) => reasonsOf(layer, endpoint, zdrVendors));
  const judged = {
    refusals: reasons.flatMap(({ refusal, exception }) => (exception ? [] : refusal)),
    lifted: reasons.flatMap(({ refusal, exception }) => (exception ? { refusal, exception } : [])),
    zdrVendors,
  };
  byEndpoint.set(endpoint, judged);
  return judged;
}

function reasonsOf(
  layer: Layer,
  endpoint: RoutableEndpoint,
  zdrVendors: ZdrVendors,
): { refusal: Refusal; exception: Exception | undefined }[] {
  const { model, provider, dataRegion } = endpoint;
  const models = [model.slug, model.canonicalSlug, ...modelWildcards({ ...model, providers: [provider.slug] })];
  const providers = [provider.slug, providerWildcard(provider.slug)];
  const zdrField = zdrFieldOf(model.vendor, zdrVendors);
  const {
    allowed_models,
    ignored_models,
    allowed_providers,
    ignored_providers,
    allowed_data_regions,
    [zdrField]: enforcesZdr,
  } = layer.guardrail;
  const refused: Record<string, boolean> = {
    allowed_models: isListed(allowed_models, ...models) === false,
    ignored_models: isListed(ignored_models, ...models) === true,
    allowed_providers: isListed(allowed_providers, ...providers) === false,
    ignored_providers: isListed(ignored_providers, ...providers) === true,
    allowed_data_regions: isListed(allowed_data_regions, dataRegion) === false,
    [zdrField]: enforcesZdr === true && !isZdr(endpoint),
  };
  return Object.keys(refused).flatMap((field) =>
    refused[field] ? [{ refusal: { ...sourceOf(layer), field }, exception: liftOf(layer, field) }] : [],
  );
}

/** Returns the data regions that every layer allows. */
export const dataRegionsOf = (layers: readonly Layer[]): DataRegion[] =>
  DATA_REGIONS.filter((region) =>
    layers.every(
      (layer) =>
        isListed(layer.guardrail.allowed_data_regions, region) !== false || liftOf(layer, "allowed_data_regions"),
    ),
  );
