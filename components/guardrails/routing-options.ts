import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/session/user-context";
import type { PickerOption } from "@/components/ui/picker";
import { formatCount } from "@/components/generations/generation-format";
import { expandModels, expandProviders, isWildcard, type CoveredModel } from "@/lib/engine/policy/vocabulary";
import { apiQuery } from "@/lib/browser/api-query";
import { listModels } from "@/lib/browser/operations/models";
import { nameOfVendor, UNKNOWN_VENDOR } from "@/lib/records/models/vocabulary";
import { listProviders } from "@/lib/browser/operations/providers";

const MOST_PROVIDERS = 100;
const SHOWN_NAMES = 5;

const useModels = () => useQuery(apiQuery(listModels, {})).data?.data ?? [];

const groupOf = (vendor: string) => (vendor === UNKNOWN_VENDOR ? "Unknown vendor" : nameOfVendor(vendor));

/** Known models, grouped by vendor. */
export function useModelOptions(): readonly PickerOption[] {
  return useModels().map(({ slug, vendor }) => ({ value: slug, group: groupOf(vendor) }));
}

/** Options of a list, and the names that its wildcards cover. */
interface ListOptions {
  options: readonly PickerOption[];
  expand: (entries: readonly string[]) => string[];
}

/** Known models and wildcards of their vendors and providers. */
export function useModelListOptions(): ListOptions {
  const models = useModels();
  const covered = models.map(({ slug, canonical_slug, vendor, endpoints }): CoveredModel => ({
    slug,
    canonicalSlug: canonical_slug,
    vendor,
    providers: endpoints.map(({ provider }) => provider),
  }));
  const expand = (entries: readonly string[]) => expandModels(entries, covered);
  const groups = new Set(covered.flatMap(({ vendor, providers }) => [vendor, ...providers]));
  const wildcards = [...groups].toSorted().map((group) => ({ value: `${group}/*`, group: "Wildcards" }));
  return {
    options: [...models.map(({ slug, vendor }) => ({ value: slug, group: groupOf(vendor) })), ...wildcards],
    expand,
  };
}

/** Known providers. */
export function useProviderOptions(): readonly PickerOption[] {
  const canSee = useMay("providers:read");
  const { data } = useQuery({ ...apiQuery(listProviders, { query: { limit: MOST_PROVIDERS } }), enabled: canSee });
  return data?.data.map(({ slug }) => ({ value: slug })) ?? [];
}

export function useProviderListOptions(): ListOptions {
  const options = useProviderOptions();
  const slugs = options.map(({ value }) => value);
  return { options, expand: (entries) => expandProviders(entries, slugs) };
}

/** Lists what the wildcards cover, such as “acme/*: acme/one, acme/two”; undefined without any. */
export function expansionText(
  entries: readonly string[] | null | undefined,
  expand: ListOptions["expand"],
): string | undefined {
  const texts = (entries ?? []).filter(isWildcard).map((wildcard) => {
    const names = expand([wildcard]);
    const more = names.length - SHOWN_NAMES;
    const shown = `${names.slice(0, SHOWN_NAMES).join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
    return `${wildcard}: ${names.length === 0 ? "nothing yet" : shown}`;
  });
  return texts.length === 0 ? undefined : texts.join("; ");
}
