import type { BuiltinFilter } from "../../records/guardrails/contract";
import { MASKED_BUILTINS } from "../../records/guardrails/vocabulary";
import type { Layer } from "../../engine/policy/layers";

export type PersonalData = (typeof MASKED_BUILTINS)[number];

interface Decided {
  field: string;
  rule: string | null;
}

/**
 * Returns the kinds of personal data to mask: those that a filter matched when the generation was recorded, and those
 * that its key's guardrails filter now, so that a new filter also covers older content.
 */
export function maskedKinds(decisions: readonly Decided[], layers: readonly Layer[]): PersonalData[] {
  const decided = decisions.filter(({ field }) => field === "content_filter_builtins").map(({ rule }) => rule);
  const inForce: BuiltinFilter["slug"][] = layers
    .flatMap(({ guardrail }) => guardrail.content_filter_builtins ?? [])
    .map(({ slug }) => slug);
  const kinds = new Set<string | null>([...decided, ...inForce]);
  return MASKED_BUILTINS.filter((kind) => kinds.has(kind));
}
