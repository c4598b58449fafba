import "server-only";
import type { FilterRule } from "../engine/filters/filter-rule";
import { ScanFailure } from "../engine/filters/scan-failure";
import { leavesOf } from "../engine/filters/leaves";
import { checkRules } from "../engine/policy/check-rules-policy";
import { phrasesOf } from "../engine/policy/exception-policy";
import { builtinDetector, filterRules } from "../engine/policy/filter-rules-policy";
import type { Layer } from "../engine/policy/layers";
import { unscannedContent } from "../engine/decision/denial";
import { ApiError, forbidden } from "../platform/api-error";
import type { Context } from "../platform/context";
import type { Input, Result } from "../platform/http/operation";
import { uuidv7 } from "../platform/ids";
import { loadLayers } from "../records/guardrails/layers-store";
import { BUILTIN_SLUGS } from "../records/guardrails/vocabulary";
import { runChecks, type Judging } from "./checks/check-service";
import { filterInput } from "./filters/filter-service";
import { scanLimits } from "./filters/scan-service";
import type { createModeration } from "./moderations-contract";
import { askModel } from "./service";

type Moderation = Result<typeof createModeration>["results"][number];
type Prompt = { messages: readonly { role: "user"; content: string }[] };

/**
 * Checks texts by every built-in filter, and by the patterns, external checks and judges of the key's guardrails. Only
 * requests of judges reach a model, and only they are recorded and charged.
 */
export async function create(
  context: Context,
  { body: { input } }: Input<typeof createModeration>,
): Promise<Result<typeof createModeration>> {
  const { caller, db, settings, now } = context;
  if (caller.kind !== "key") throw forbidden("Only inference keys can perform this operation");
  const layers = await loadLayers(db, caller, settings.zdrVendors, now);
  const { keyId, userId } = caller;
  const id = `modr-${uuidv7(now)}`;
  const judging: Judging = { kind: "call", generationId: id, keyId, userId, ask: askModel(context) };
  const rules = rulesOf(layers);
  const results: Moderation[] = [];
  for (const one of typeof input === "string" ? [input] : input) {
    const prompt: Prompt = { messages: [{ role: "user", content: typeof one === "string" ? one : one.text }] };
    results.push(
      toModeration({
        ...(await filtered(context, prompt, rules, layers)),
        ...(await checked(context, prompt, layers, judging)),
      }),
    );
  }
  return { id, model: "signalbox", results };
}

/** Every built-in filter, and the patterns in force; all of them only find. */
function rulesOf(layers: readonly Layer[]): FilterRule[] {
  const regions = [...new Set(layers.flatMap((layer) => layer.regions ?? []))];
  const builtins = BUILTIN_SLUGS.map((slug) => ({
    detector: builtinDetector(slug, regions),
    action: "flag" as const,
    label: slug,
    userOnly: false,
    sources: [],
  }));
  const patterns = filterRules(layers).filter(({ detector }) => detector.kind === "pattern");
  return [...builtins, ...patterns.map((rule) => ({ ...rule, action: "flag" as const }))];
}

const categoryOf = ({ detector }: FilterRule): string => (detector.kind === "builtin" ? detector.slug : "custom");

async function filtered(context: Context, body: Prompt, rules: readonly FilterRule[], layers: readonly Layer[]) {
  try {
    const { findings } = await filterInput(
      { protocol: "chat_completions", body },
      rules,
      scanLimits(context),
      phrasesOf(layers),
    );
    const found = new Set(findings.filter(({ exception }) => !exception).map(({ rule }) => categoryOf(rule)));
    return Object.fromEntries(rules.map((rule) => [categoryOf(rule), found.has(categoryOf(rule))]));
  } catch (error) {
    throw error instanceof ScanFailure ? unscannedContent(error).error : error;
  }
}

async function checked(context: Context, body: Prompt, layers: readonly Layer[], judging: Judging) {
  const rules = checkRules(layers);
  if (rules.length === 0) return {};
  const { results } = await runChecks<Prompt>(
    context,
    { rules, layers },
    {
      direction: "request",
      protocol: "chat_completions",
      models: [],
      value: body,
      leavesOf: (value) => leavesOf("chat_completions", value),
      write: (value) => value,
    },
    judging,
  );
  return Object.fromEntries(
    results.flatMap(({ rule, verdict }): [string, boolean][] => {
      if (verdict === "unavailable" || verdict === "unaffordable")
        throw new ApiError(503, `The check ${rule.name} returned no verdict`);
      return verdict === "skip" ? [] : [[rule.name, verdict !== "allow"]];
    }),
  );
}

const toModeration = (categories: Record<string, boolean>): Moderation => ({
  flagged: Object.values(categories).includes(true),
  categories,
  category_scores: Object.fromEntries(Object.entries(categories).map(([name, applies]) => [name, Number(applies)])),
  category_applied_input_types: Object.fromEntries(Object.keys(categories).map((name) => [name, ["text" as const]])),
});
