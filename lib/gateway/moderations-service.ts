import "server-only";
import { checkDecisions, checkDenial, type CheckResult } from "../engine/checks/check-result";
import { moderationDecisions } from "../engine/decision/moderation-decisions";
import type { FilterRule } from "../engine/filters/filter-rule";
import { findingsToDecisions, type FilterFinding } from "../engine/filters/findings";
import { ScanFailure } from "../engine/filters/scan-failure";
import { leavesOf } from "../engine/filters/leaves";
import { checkRules } from "../engine/policy/check-rules";
import { phrasesOf } from "../engine/policy/active-exceptions";
import { builtinDetector, filterRules } from "../engine/policy/filter-rules";
import { layersByMode, type Layer } from "../engine/policy/layers";
import { unscannedContent } from "../engine/decision/denial";
import { ApiError, forbidden } from "../platform/api-error";
import type { Context } from "../platform/context";
import type { Input, Result } from "../platform/http/operation";
import { uuidv7 } from "../platform/ids";
import type { Decision } from "../engine/decision/contract";
import { loadLayers } from "../records/guardrails/layers-store";
import { BUILTIN_SLUGS } from "../engine/filters/vocabulary";
import { runChecks, type Judging } from "./checks/check-service";
import { filterInput } from "./filters/filter-service";
import { scanLimits } from "./filters/scan-service";
import { callJudging } from "./judge-request-service";
import type { createModeration } from "./moderations-contract";
import { startGeneration } from "./record/generation-start-service";
import { MODERATOR, recordModeration } from "./record/moderation-record-service";
import { refuseWhenSaturated } from "./record/record-store";
import { complete } from "./service";

type Moderation = Result<typeof createModeration>["results"][number];
type Prompt = { messages: readonly { role: "user"; content: string }[] };

/**
 * Checks texts with every built-in filter, and with the patterns, external checks and judges of the key's guardrails,
 * and records the matches. Only judge requests reach a model and are charged.
 */
export async function create(
  context: Context,
  { body: { input } }: Input<typeof createModeration>,
): Promise<Result<typeof createModeration>> {
  const { caller, db, headers, settings, now } = context;
  if (caller.kind !== "key") throw forbidden("Only inference keys can perform this operation");
  refuseWhenSaturated(db);
  const generation = startGeneration(context, "moderations");
  headers.set("x-generation-id", generation.id);
  const { enforced: layers } = layersByMode(await loadLayers(db, caller, settings.zdrVendors, now));
  const judging = callJudging(context, caller, generation, complete);
  const rules = rulesOf(layers);
  const results: Moderation[] = [];
  const decided: Decision[][] = [];
  const timings = { filters: 0, checks: 0 };
  const timed = async <T>(stage: keyof typeof timings, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    return work().finally(() => {
      timings[stage] += performance.now() - start;
    });
  };
  const end = (error: ApiError | null) =>
    recordModeration(context, generation, { decisions: moderationDecisions(decided), timings, error });
  try {
    for (const one of typeof input === "string" ? [input] : input) {
      const prompt: Prompt = { messages: [{ role: "user", content: typeof one === "string" ? one : one.text }] };
      const found = await timed("filters", () => filtered(context, prompt, rules, layers));
      const judged = await timed("checks", () => checked(context, prompt, layers, judging));
      decided.push([...findingsToDecisions(found), ...checkDecisions(judged)]);
      const denial = checkDenial(
        judged.filter(({ verdict }) => verdict === "unavailable" || verdict === "unaffordable"),
      );
      if (denial) throw denial.error;
      results.push(toModeration({ ...categoriesOf(rules, found), ...verdictsOf(judged) }));
    }
  } catch (error) {
    if (error instanceof ApiError) await end(error);
    throw error;
  }
  await end(null);
  return { id: `modr-${uuidv7(now)}`, model: MODERATOR, results };
}

/**
 * Returns every built-in filter and the patterns in force, all of which only report. Decisions name their guardrails.
 */
function rulesOf(layers: readonly Layer[]): FilterRule[] {
  const regions = [...new Set(layers.flatMap((layer) => layer.regions ?? []))];
  const inForce = filterRules(layers);
  const sourcesOf = (slug: string) =>
    inForce.flatMap(({ detector, sources }) => (detector.kind === "builtin" && detector.slug === slug ? sources : []));
  const builtins = BUILTIN_SLUGS.map((slug) => ({
    detector: builtinDetector(slug, regions),
    action: "flag" as const,
    label: slug,
    scanScope: "all_messages" as const,
    sources: sourcesOf(slug),
  }));
  const patterns = inForce.filter(({ detector }) => detector.kind === "pattern");
  return [...builtins, ...patterns.map((rule) => ({ ...rule, action: "flag" as const }))];
}

const categoryOf = ({ detector }: FilterRule): string => (detector.kind === "builtin" ? detector.slug : "custom");

/** Returns the categories of filters: true for those with a match that no exception allows. */
function categoriesOf(rules: readonly FilterRule[], findings: readonly FilterFinding[]): Record<string, boolean> {
  const found = new Set(findings.filter(({ exception }) => !exception).map(({ rule }) => categoryOf(rule)));
  return Object.fromEntries(rules.map((rule) => [categoryOf(rule), found.has(categoryOf(rule))]));
}

async function filtered(context: Context, body: Prompt, rules: readonly FilterRule[], layers: readonly Layer[]) {
  try {
    const { findings } = await filterInput(
      { protocol: "chat_completions", body },
      rules,
      scanLimits(context),
      phrasesOf(layers),
    );
    return findings;
  } catch (error) {
    throw error instanceof ScanFailure ? unscannedContent(error).error : error;
  }
}

async function checked(
  context: Context,
  body: Prompt,
  layers: readonly Layer[],
  judging: Judging,
): Promise<readonly CheckResult[]> {
  const rules = checkRules(layers);
  if (rules.length === 0) return [];
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
  return results;
}

/** Returns the categories of checks with a verdict. */
const verdictsOf = (results: readonly CheckResult[]): Record<string, boolean> =>
  Object.fromEntries(
    results.flatMap(({ rule, verdict }): [string, boolean][] =>
      verdict === "skip" ? [] : [[rule.name, verdict !== "allow"]],
    ),
  );

const toModeration = (categories: Record<string, boolean>): Moderation => ({
  flagged: Object.values(categories).includes(true),
  categories,
  category_scores: Object.fromEntries(Object.entries(categories).map(([name, applies]) => [name, Number(applies)])),
  category_applied_input_types: Object.fromEntries(Object.keys(categories).map((name) => [name, ["text" as const]])),
});
