import { isBedrockName, modelIdentity, vendorName } from "../../engine/model-identity";
import { canonicalVendor } from "../../engine/vendors";
import type { PlannedModel, Skipped } from "./import-plan";

/** The parts of a stored model that an import needs. */
export interface StoredModel {
  slug: string;
  canonicalSlug: string;
  vendor: string;
  endpoints: readonly { providerId: string; upstreamModel: string }[];
}

/** An imported model: a new one, or another endpoint of the model with this slug. */
export interface PlacedModel extends PlannedModel {
  action: "create" | "join";
  canonicalSlug: string;
}

interface Placement {
  providerId: string;
  /** True if an admin names the models; those join no model with another slug. */
  isNamed: boolean;
}

/** Returns the identity of a stored model; null if its slug or its endpoints all name another one. */
function storedIdentity({ slug, vendor, endpoints }: StoredModel): string | null {
  const identity = modelIdentity(vendor, slug);
  const isServed = endpoints.some(({ upstreamModel }) => modelIdentity(vendor, upstreamModel) === identity);
  return isServed ? identity : null;
}

const isNamedByVendor = (slug: string, vendor: string) =>
  slug.includes("/") && canonicalVendor(slug.split("/", 1)[0] ?? "") === canonicalVendor(vendor);

/**
 * Orders models of one identity: canonical slug first, then the vendor's name, then exactly this name, then the oldest.
 */
function byPreference<T extends StoredModel>(models: readonly T[], name: string): T[] {
  const rank = ({ slug, canonicalSlug, vendor, endpoints }: StoredModel) =>
    (slug === canonicalSlug ? 4 : 0) +
    (isNamedByVendor(slug, vendor) ? 2 : 0) +
    (endpoints.some(({ upstreamModel }) => vendorName(upstreamModel) === vendorName(name)) ? 1 : 0);
  return models.toSorted((a, b) => rank(b) - rank(a));
}

/**
 * Places planned models: each joins the stored model of the same identity, or is created. A provider joins a model
 * once. On Bedrock, where names vary by region, it joins once per name.
 *
 * @param stored The organization's models, oldest first.
 */
export function placeModels(
  planned: readonly PlannedModel[],
  stored: readonly StoredModel[],
  { providerId, isNamed }: Placement,
): { added: PlacedModel[]; existing: Skipped[] } {
  const models = new Map(stored.map((model) => [model.slug, model]));
  const names = new Set(stored.flatMap(({ slug, canonicalSlug }) => [slug, canonicalSlug]));
  const slugsByIdentity = new Map<string, Set<string>>();
  const note = (model: StoredModel) => {
    models.set(model.slug, model);
    names.add(model.canonicalSlug);
    const identity = storedIdentity(model);
    if (identity === null) return;
    const slugs = slugsByIdentity.get(identity) ?? new Set();
    slugsByIdentity.set(identity, slugs.add(model.slug));
  };
  stored.forEach(note);
  const sameAs = ({ vendor: { vendor, source }, upstreamModel }: PlannedModel): StoredModel[] => {
    if (isNamed || source !== "catalogue") return [];
    const slugs = slugsByIdentity.get(modelIdentity(vendor, upstreamModel)) ?? [];
    return byPreference(
      [...slugs].flatMap((slug) => models.get(slug) ?? []),
      upstreamModel,
    );
  };
  const isServed = ({ endpoints }: StoredModel, name?: string) =>
    endpoints.some((one) => one.providerId === providerId && (name === undefined || one.upstreamModel === name));
  const isOpenTo = ({ endpoints }: StoredModel, name: string) =>
    endpoints.every(
      (one) => one.providerId !== providerId || (isBedrockName(one.upstreamModel) && isBedrockName(name)),
    );
  /**
   * Returns the canonical slug. A model that isn't named by its vendor gets the slug that the import would have
   * created.
   */
  const canonicalSlugOf = ({ slug, canonicalSlug, vendor }: StoredModel, planned: PlannedModel) =>
    slug === canonicalSlug && isNamedByVendor(planned.slug, vendor) && !names.has(planned.slug)
      ? planned.slug
      : canonicalSlug;

  const added: PlacedModel[] = [];
  const existing: Skipped[] = [];
  for (const one of planned) {
    const { upstreamModel, vendor } = one;
    const own = models.get(one.slug);
    const same = sameAs(one);
    const serving = own && isServed(own) ? own : same.find((model) => isServed(model, upstreamModel));
    if (serving) {
      const [first = serving] = same;
      existing.push({
        upstream_model: upstreamModel,
        reason: "exists",
        slug: serving.slug,
        ...(first.canonicalSlug !== serving.canonicalSlug && { duplicate_of: first.slug }),
      });
      continue;
    }
    const target = own ?? same.find((model) => isOpenTo(model, upstreamModel));
    const placed: PlacedModel = target
      ? { ...one, action: "join", slug: target.slug, canonicalSlug: canonicalSlugOf(target, one) }
      : { ...one, action: "create", canonicalSlug: one.slug };
    added.push(placed);
    note({
      slug: placed.slug,
      canonicalSlug: placed.canonicalSlug,
      vendor: target?.vendor ?? vendor.vendor,
      endpoints: [...(target?.endpoints ?? []), { providerId, upstreamModel }],
    });
  }
  return { added, existing };
}

/**
 * Finds stored models of the same identity with different canonical slugs; `of` is the one to use.
 *
 * @param stored Models with a known vendor, oldest first.
 */
export function duplicatesOf<T extends StoredModel>(stored: readonly T[]): { model: T; of: T }[] {
  const byIdentity = new Map<string, T[]>();
  for (const model of stored) {
    const identity = storedIdentity(model);
    if (identity !== null) byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), model]);
  }
  return [...byIdentity.values()].flatMap((same) => {
    const [of] = byPreference(same, same[0]?.slug ?? "");
    return of ? same.flatMap((model) => (model.canonicalSlug === of.canonicalSlug ? [] : [{ model, of }])) : [];
  });
}
