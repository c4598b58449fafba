import type { Masked } from "./contract";
import type { BuiltinFilter } from "../../engine/filters/contract";
import { MASKED_BUILTINS } from "../../engine/filters/vocabulary";
import type { Layer } from "../../engine/policy/layers";

export type PersonalData = (typeof MASKED_BUILTINS)[number];

interface Decided {
  field: string;
  rule: string | null;
  action: string;
  direction: string | null;
  spans: unknown;
}

/**
 * Returns the kinds of personal data to mask: the kinds that a filter matched when the generation was recorded, and the
 * kinds that its key's guardrails filter now, so that a new filter also covers older content.
 */
export function maskedKinds(
  decisions: readonly Pick<Decided, "field" | "rule">[],
  layers: readonly Layer[],
): PersonalData[] {
  const decided = decisions.filter(({ field }) => field === "content_filter_builtins").map(({ rule }) => rule);
  const inForce: BuiltinFilter["slug"][] = layers
    .flatMap(({ guardrail }) => guardrail.content_filter_builtins ?? [])
    .map(({ slug }) => slug);
  const kinds = new Set<string | null>([...decided, ...inForce]);
  return MASKED_BUILTINS.filter((kind) => kinds.has(kind));
}

const BLOCKING = new Set(["block", "error"]);
/** Fields whose decisions are about the text of a request. */
const OF_TEXT = new Set(["content_filter_builtins", "content_filters", "external_checks", "judges"]);

/**
 * Returns the rules that blocked a request, with their number of matches. A check judges the whole request, so it has
 * one match.
 */
export function blockedMatches(decisions: readonly Decided[]): Masked[] {
  const counts = new Map<string, number>();
  for (const { field, rule, action, direction, spans } of decisions) {
    if (rule === null || direction !== null || !BLOCKING.has(action) || !OF_TEXT.has(field)) continue;
    counts.set(rule, Math.max(1, counts.get(rule) ?? 0, Array.isArray(spans) ? spans.length : 0));
  }
  return [...counts].map(([rule, count]) => ({ rule, count }));
}
