/** Whether a guardrail decides about requests, or only records what it would have decided. */
export const GUARDRAIL_MODES = ["enforce", "observe"] as const;
export type GuardrailMode = (typeof GUARDRAIL_MODES)[number];

/** Actions in the log of rules that are only observed. */
export const OBSERVED_ACTIONS = ["would_block", "would_redact", "would_flag", "would_exclude"] as const;
export type ObservedAction = (typeof OBSERVED_ACTIONS)[number];

/** Suffix of a wildcard, which covers all models of a vendor or provider. */
const EVERYTHING = "/*";

/** Rule for names in lists of models and providers. */
export const NAME_RULE = "must not contain *, except as vendor/* or provider/* for everything of a vendor or provider";

export const isWildcard = (entry: string): boolean => entry.endsWith(EVERYTHING);

/** True for a name without `*`, and for a name followed by `/*`. */
export const isNameOrWildcard = (entry: string): boolean => {
  const name = isWildcard(entry) ? entry.slice(0, -EVERYTHING.length) : entry;
  return !name.includes("*") && entry !== EVERYTHING;
};

/** The names of a model that wildcards can match. */
export interface CoveredModel {
  slug: string;
  canonicalSlug: string;
  vendor: string;
  /** Slugs of the providers that serve it. */
  providers: readonly string[];
}

/** Returns `a/*` and `a/b/*` for `a/b/c`. */
const prefixesOf = (slug: string): string[] => {
  const parts = slug.split("/");
  return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join("/")}${EVERYTHING}`);
};

/** Returns the wildcards that cover a model, by the first parts of its slugs, its vendor and its providers. */
export const modelWildcards = ({ slug, canonicalSlug, vendor, providers }: CoveredModel): string[] => [
  ...prefixesOf(slug),
  ...(canonicalSlug === slug ? [] : prefixesOf(canonicalSlug)),
  `${vendor}${EVERYTHING}`,
  ...providers.map(providerWildcard),
];

/** Returns the wildcard that covers a provider. */
export const providerWildcard = (provider: string): string => `${provider}${EVERYTHING}`;

/** Replaces the wildcards of a list by the slugs of the models they cover, in order of the list, then by slug. */
export function expandModels(entries: readonly string[], models: readonly CoveredModel[]): string[] {
  if (!entries.some(isWildcard)) return [...entries];
  const covered = new Map<string, string[]>();
  for (const model of models)
    for (const wildcard of new Set(modelWildcards(model).map((name) => name.toLowerCase())))
      covered.set(wildcard, [...(covered.get(wildcard) ?? []), model.slug]);
  const slugsOf = (entry: string) => (covered.get(entry.toLowerCase()) ?? []).toSorted();
  return [...new Set(entries.flatMap((entry) => (isWildcard(entry) ? slugsOf(entry) : [entry])))];
}

/** Replaces the wildcards of a list by the providers they cover. */
export const expandProviders = (entries: readonly string[], providers: readonly string[]): string[] => [
  ...new Set(
    entries.flatMap((entry) =>
      isWildcard(entry)
        ? providers.filter((provider) => providerWildcard(provider).toLowerCase() === entry.toLowerCase())
        : [entry],
    ),
  ),
];
