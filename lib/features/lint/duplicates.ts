import type { Layer } from "../../engine/policy/layers";
import { isListed } from "../../engine/policy/routing";
import { modelWildcards, type CoveredModel } from "../../engine/policy/vocabulary";
import type { LintFinding } from "./contract";
import { namesText, plural } from "./text";

/** A model with the same identity as `of`, but another canonical slug. */
export interface Duplicate {
  model: CoveredModel;
  of: CoveredModel;
}

type Lists = Pick<Layer["guardrail"], "allowed_models" | "ignored_models">;

/**
 * Reports lists that name a model without its duplicates, which are different models for policy until they are merged.
 */
export function lintDuplicates(
  { allowed_models, ignored_models }: Lists,
  duplicates: readonly Duplicate[],
): LintFinding[] {
  const groups = new Map<CoveredModel, CoveredModel[]>();
  for (const { model, of } of duplicates) groups.set(of, [...(groups.get(of) ?? [of]), model]);
  const isIn = (list: Lists["allowed_models"], model: CoveredModel) =>
    isListed(list, model.slug, model.canonicalSlug, ...modelWildcards(model));
  const missingIn = (list: Lists["allowed_models"]) =>
    [...groups.values()].flatMap((same) => {
      const missing = same.filter((model) => isIn(list, model) === false);
      return missing.length < same.length ? missing : [];
    });
  const refused = missingIn(allowed_models).filter((model) => isIn(ignored_models, model) !== true);
  const open = missingIn(ignored_models).filter((model) => isIn(allowed_models, model) !== false);
  const slugsOf = (models: readonly CoveredModel[]) => models.map(({ slug }) => slug);
  const allowedNames = new Set(allowed_models?.map((name) => name.toLowerCase()));
  const isAllowedByName = ({ slug, canonicalSlug }: CoveredModel) =>
    [slug, canonicalSlug].some((name) => allowedNames.has(name.toLowerCase()));
  return [
    ...(open.length === 0
      ? []
      : [
          {
            severity: "warning" as const,
            code: "duplicate_model" as const,
            path: ["ignored_models"],
            message: `${plural(slugsOf(open), "model")} not blocked, although the same as a blocked one: ${namesText(slugsOf(open))}. Block both names, or merge the models under Coverage.`,
            ...(!open.some(isAllowedByName) && {
              fix: { path: "ignored_models" as const, value: [...(ignored_models ?? []), ...slugsOf(open)] },
            }),
          },
        ]),
    ...(refused.length === 0
      ? []
      : [
          {
            severity: "info" as const,
            code: "duplicate_model" as const,
            path: ["allowed_models"],
            message: `${plural(slugsOf(refused), "model")} not allowed, although the same as an allowed one: ${namesText(slugsOf(refused))}. To use them as one, merge the models under Coverage.`,
          },
        ]),
  ];
}
