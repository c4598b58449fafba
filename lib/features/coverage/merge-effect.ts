import { isListed } from "../../engine/policy/routing";
import { modelWildcards, type CoveredModel } from "../../engine/policy/vocabulary";

/** A guardrail's lists of models. */
interface Lists {
  allowed: readonly string[] | null;
  ignored: readonly string[] | null;
}

/** Returns the providers whose endpoints of a model the lists allow. */
function allowedProviders({ allowed, ignored }: Lists, model: CoveredModel): ReadonlySet<string> {
  const isAllowed = (provider: string) => {
    const names = [model.slug, model.canonicalSlug, ...modelWildcards({ ...model, providers: [provider] })];
    return isListed(allowed, ...names) !== false && isListed(ignored, ...names) !== true;
  };
  return new Set(model.providers.filter(isAllowed));
}

/**
 * Returns the effect on the lists of giving a model another canonical slug: they newly allow or block endpoints. Null
 * without an effect.
 */
export function mergeEffect(lists: Lists, model: CoveredModel, canonicalSlug: string): "allows" | "blocks" | null {
  const before = allowedProviders(lists, model);
  const after = allowedProviders(lists, { ...model, canonicalSlug });
  if ([...after].some((provider) => !before.has(provider))) return "allows";
  return after.size < before.size ? "blocks" : null;
}
