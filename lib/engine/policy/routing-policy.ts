import { ZDR_FIELDS } from "./zdr";
import { isZdr, type RoutableEndpoint } from "../endpoint";
import type { Exception } from "./exception";
import { liftOf } from "./exception-policy";
import { sourceOf, type Layer, type Source } from "./layers";

/** A guardrail's field, or the request's, that keeps a request from an endpoint. */
export interface Refusal extends Source {
  field: string;
}

/** A refusal that doesn't count, and why. */
export interface LiftedRefusal {
  refusal: Refusal;
  exception: Exception;
}

type List = readonly string[] | null;

/** One set a list, however many endpoints are judged by it; it lives as long as the list. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function names(list: readonly string[]): ReadonlySet<string> {
  let known = sets.get(list);
  if (!known) sets.set(list, (known = new Set(list.map((name) => name.toLowerCase()))));
  return known;
}

/** Whether a list names one of `aliases`, in any case; null when the list restricts nothing. */
export function isListed(list: List | undefined, ...aliases: readonly string[]): boolean | null {
  if (!list || list.length === 0) return null;
  return aliases.some((alias) => names(list).has(alias.toLowerCase()));
}

/** The switch that rules a vendor's models: the three configured vendors have their own. */
export function zdrFieldOf(vendor: string, zdrVendors: readonly [string, string, string]): (typeof ZDR_FIELDS)[number] {
  return ZDR_FIELDS[zdrVendors.indexOf(vendor.toLowerCase())] ?? "enforce_zdr_other";
}

/** Reasons of the layers to exclude an endpoint, one for each field and layer; empty when they allow it (docs/semantics.md#layers). */
export const refusalsOf = (...judged: Parameters<typeof judge>): Refusal[] =>
  judge(...judged).flatMap(({ refusal, exception }) => (exception ? [] : refusal));

/** Why the layers would refuse an endpoint without the exceptions of whoever asks. */
export const liftedRefusalsOf = (...judged: Parameters<typeof judge>): LiftedRefusal[] =>
  judge(...judged).flatMap(({ refusal, exception }) => (exception ? { refusal, exception } : []));

function judge(
  layers: readonly Layer[],
  endpoint: RoutableEndpoint,
  zdrVendors: readonly [string, string, string],
): { refusal: Refusal; exception: Exception | undefined }[] {
  const { model, provider } = endpoint;
  const zdrField = zdrFieldOf(model.vendor, zdrVendors);
  return layers.flatMap((layer) => {
    const {
      allowed_models,
      ignored_models,
      allowed_providers,
      ignored_providers,
      [zdrField]: enforcesZdr,
    } = layer.guardrail;
    const refused: Record<string, boolean> = {
      allowed_models: isListed(allowed_models, model.slug, model.canonicalSlug) === false,
      ignored_models: isListed(ignored_models, model.slug, model.canonicalSlug) === true,
      allowed_providers: isListed(allowed_providers, provider.slug) === false,
      ignored_providers: isListed(ignored_providers, provider.slug) === true,
      [zdrField]: enforcesZdr === true && !isZdr(endpoint),
    };
    return Object.keys(refused).flatMap((field) =>
      refused[field] ? [{ refusal: { ...sourceOf(layer), field }, exception: liftOf(layer, field) }] : [],
    );
  });
}
