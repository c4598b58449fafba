import { formatUsd } from "@/components/ui/usd";
import { BUILTIN_COPY, type FilterAction } from "./filter-options";
import { count, inWords, named } from "./guardrail-summary";
import type { GuardrailValues } from "./guardrail-values";
import { zdrVendors } from "./zdr-groups";

const SHOWN = 4;
const PERIODS = { daily: "a day", weekly: "a week", monthly: "a month" } as const;

/** A list that is empty restricts nothing, as one that is not there. */
const about = (list: readonly string[] | null, sentence: (names: string) => string): string[] =>
  list?.length ? [sentence(named(list, SHOWN))] : [];

function budget({ limit_usd, reset_interval, include_byok_in_budgets }: GuardrailValues): string[] {
  if (limit_usd === null || Number.isNaN(limit_usd)) return [];
  const period = reset_interval ? PERIODS[reset_interval] : "in total";
  const counted = include_byok_in_budgets ? ", spending on your own provider keys included" : "";
  return [
    limit_usd === 0
      ? "Nothing may be spent."
      : `Every assigned key and member may spend ${formatUsd(limit_usd)} ${period}${counted}.`,
  ];
}

const FILTER_SENTENCES = {
  block: (kinds: string) => `Requests with ${kinds} are refused.`,
  redact: (kinds: string) => `${kinds.charAt(0).toUpperCase()}${kinds.slice(1)} are replaced before a request leaves.`,
  flag: (kinds: string) => `Requests with ${kinds} are recorded and go on unchanged.`,
} as const satisfies Record<FilterAction, (kinds: string) => string>;

/** "e-mail addresses": as within a sentence, names and abbreviations as they are. */
const inSentence = (title: string) =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

function filters(action: FilterAction, { content_filter_builtins, content_filters }: GuardrailValues): string[] {
  const builtins = (content_filter_builtins ?? [])
    .filter((filter) => filter.action === action)
    .map(({ slug }) => inSentence(BUILTIN_COPY[slug].title));
  const own = (content_filters ?? []).filter((filter) => filter.action === action).length;
  const kinds = [
    ...builtins,
    ...(own > 0 ? [`matches of ${own === 1 ? "your pattern" : `your ${count(own, "pattern")}`}`] : []),
  ];
  return kinds.length > 0 ? [FILTER_SENTENCES[action](inWords.format(kinds))] : [];
}

/** What a guardrail does to requests, in plain sentences; none when it restricts nothing. Vendors are those of the four switches, once they are known. */
export function whatItDoes(values: GuardrailValues, vendors: readonly string[] | undefined): string[] {
  const zdr = vendors ? zdrVendors(values, vendors) : [];
  return [
    ...about(values.allowed_models, (names) => `Only ${names} can be used.`),
    ...about(values.ignored_models, (names) => `${names} can't be used.`),
    ...about(values.allowed_providers, (names) => `Only ${names} may serve requests.`),
    ...about(values.ignored_providers, (names) => `${names} may not serve requests.`),
    ...(zdr.length > 0 ? [`Models of ${inWords.format(zdr)} run only where nothing of a request is kept.`] : []),
    ...filters("block", values),
    ...filters("redact", values),
    ...filters("flag", values),
    ...budget(values),
  ];
}
