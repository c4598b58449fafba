import { formatUsd } from "@/components/ui/usd";
import { DIRECTIONS, FILTER_ACTIONS, scans, type Direction } from "@/lib/engine/filters/vocabulary";
import { BUILTIN_COPY, type FilterAction, type FilterScope } from "./filter-options";
import { count } from "@/lib/platform/count";
import { listFormat, named } from "./guardrail-summary";
import type { GuardrailValues } from "./guardrail-values";
import { zdrVendors } from "./zdr-groups";

const SHOWN = 4;
const PERIODS = { daily: "per day", weekly: "per week", monthly: "per month" } as const;

/** An empty list restricts nothing, like null. */
const about = (list: readonly string[] | null, sentence: (names: string) => string): string[] =>
  list?.some(Boolean) ? [sentence(named(list.filter(Boolean), SHOWN))] : [];

function budget({ limit_usd, reset_interval, include_byok_in_budgets }: GuardrailValues): string[] {
  if (limit_usd === null || Number.isNaN(limit_usd) || limit_usd < 0) return [];
  const period = reset_interval ? PERIODS[reset_interval] : "in total";
  const counted = include_byok_in_budgets ? ", including BYOK spend" : "";
  return [
    limit_usd === 0
      ? "Spending is blocked."
      : `Each assigned key and member can spend ${formatUsd(limit_usd)} ${period}${counted}.`,
  ];
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const FILTER_SENTENCES: Readonly<Record<Direction, Record<FilterAction, (kinds: string) => string>>> = {
  request: {
    block: (kinds) => `Requests containing ${kinds} are blocked.`,
    redact: (kinds) => `${capitalized(kinds)} are redacted before the request is sent.`,
    flag: (kinds) => `Requests containing ${kinds} are flagged and sent unchanged.`,
  },
  response: {
    block: (kinds) => `Responses containing ${kinds} are blocked.`,
    redact: (kinds) => `${capitalized(kinds)} are redacted in responses.`,
    flag: (kinds) => `Responses containing ${kinds} are flagged and returned unchanged.`,
  },
};

/** Lowercases a title for use within a sentence, except for names and abbreviations. */
const inSentence = (title: string) =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

function filters(
  action: FilterAction,
  direction: Direction,
  { content_filter_builtins, content_filters }: GuardrailValues,
): string[] {
  const isMeant = (filter: { action: FilterAction; scope?: FilterScope | undefined }) =>
    filter.action === action && scans(filter.scope, direction);
  const builtins = (content_filter_builtins ?? [])
    .filter(isMeant)
    .map(({ slug }) => inSentence(BUILTIN_COPY[slug].title));
  const own = (content_filters ?? []).filter(isMeant).length;
  const kinds = [
    ...builtins,
    ...(own > 0 ? [`matches of ${own === 1 ? "your pattern" : `your ${count(own, "pattern")}`}`] : []),
  ];
  return kinds.length > 0 ? [FILTER_SENTENCES[direction][action](listFormat.format(kinds))] : [];
}

/** The checks or judges with the direction in their scope. */
const scanning = <Row extends { scope?: FilterScope | undefined }>(
  rows: readonly Row[] | null | undefined,
  direction: Direction,
) => (rows ?? []).filter(({ scope }) => scans(scope, direction));

/**
 * Sentences that describe a guardrail's effect; empty without restrictions, unless it only observes. `vendors` are the
 * configured ZDR vendors, once loaded.
 */
export function guardrailEffects(values: GuardrailValues, vendors: readonly string[] | undefined): string[] {
  const zdr = vendors ? zdrVendors(values, vendors) : [];
  return [
    ...(values.mode === "observe"
      ? ["Only observes: requests pass unchanged, and the log says what would have happened."]
      : []),
    ...about(values.allowed_models, (names) => `Only ${names} can be used.`),
    ...about(values.ignored_models, (names) => `${names} can't be used.`),
    ...about(values.allowed_providers, (names) => `Only ${names} can serve requests.`),
    ...about(values.ignored_providers, (names) => `${names} can't serve requests.`),
    ...about(values.allowed_data_regions, (names) => `Only endpoints in ${names} can serve requests.`),
    ...(zdr.length > 0 ? [`Models from ${listFormat.format(zdr)} use only zero-retention endpoints.`] : []),
    ...DIRECTIONS.flatMap((direction) => FILTER_ACTIONS.flatMap((action) => filters(action, direction, values))),
    ...DIRECTIONS.flatMap((direction) => [
      ...about(
        scanning(values.judges, direction).map(({ name, model }) => name || model),
        (names) =>
          `${capitalized(direction)}s are scored by model judges (${names}); without a score they are rejected.`,
      ),
      ...about(
        scanning(values.external_checks, direction).map(({ name, url }) => name || url),
        (names) =>
          `${capitalized(direction)}s are judged by external checks (${names}); without a verdict they are rejected.`,
      ),
    ]),
    ...budget(values),
  ];
}
