import { authorOf, canonicalVendor, makerOf } from "../../engine/vendors";
import { UNKNOWN_VENDOR, type FactSource } from "./vocabulary";

export interface VendorFact {
  vendor: string;
  source: FactSource;
}

interface Named {
  slug: string;
  endpoints: readonly { provider: string; upstreamModel: string }[];
}

const UNKNOWN: VendorFact = { vendor: UNKNOWN_VENDOR, source: "unknown" };

/** Returns the vendor that has a zero data retention switch and gives an author or a provider its name. */
function namedSwitch({ slug, endpoints }: Named, zdrVendors: readonly string[]): VendorFact | null {
  const authors = [slug.split("/", 1)[0] ?? slug, ...endpoints.map(({ provider }) => provider)].map(canonicalVendor);
  const vendor = zdrVendors.map(canonicalVendor).find((one) => authors.includes(one));
  return vendor === undefined ? null : { vendor, source: "admin" };
}

/**
 * Returns the maker of a model that an admin adds: the maker implied by the names, otherwise the author in the slug,
 * unless the author is only the name of a provider.
 */
export function vendorOf(model: Named, zdrVendors: readonly string[] = []): VendorFact {
  const { slug, endpoints } = model;
  const maker = makerOf([...endpoints.map(({ upstreamModel }) => upstreamModel), slug]);
  if (maker !== null) return { vendor: maker, source: "catalogue" };
  const author = authorOf(
    slug,
    endpoints.filter(({ provider }) => provider !== "sandbox").map(({ provider }) => provider),
  );
  return author === null ? (namedSwitch(model, zdrVendors) ?? UNKNOWN) : { vendor: author, source: "admin" };
}

/**
 * Returns the maker of a model that a provider serves. `ownVendor` is the vendor that owns the provider's API; null for
 * clouds, aggregators and unknown addresses.
 */
export function importedVendor(model: Named, ownVendor: string | null, zdrVendors: readonly string[]): VendorFact {
  const names = model.endpoints.map(({ upstreamModel }) => upstreamModel);
  const vendor = makerOf(names) ?? ownVendor;
  if (vendor !== null) return { vendor, source: "catalogue" };
  const providers = model.endpoints.map(({ provider }) => provider);
  const author = names.map((name) => authorOf(name, providers)).find((one) => one !== null);
  return author ? { vendor: author, source: "upstream" } : (namedSwitch(model, zdrVendors) ?? UNKNOWN);
}

/** Returns the source of a vendor that an admin states. Stating the known vendor doesn't change its source. */
export function statedVendor(stated: string, derived: VendorFact): VendorFact {
  if (stated === UNKNOWN_VENDOR || canonicalVendor(stated) === canonicalVendor(derived.vendor)) return derived;
  return { vendor: stated, source: "admin" };
}
