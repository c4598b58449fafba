import type { BuiltinFilter } from "../../records/guardrails/contract";
import { PERSONAL_DATA_BUILTINS } from "../../records/guardrails/vocabulary";
import type { Layer } from "../../engine/policy/layers";

export type PersonalData = (typeof PERSONAL_DATA_BUILTINS)[number];

interface Decided {
  field: string;
  rule: string | null;
}

/**
 * Which kinds of personal data are masked in what is stored of a generation: those that a filter decided about when it was made,
 * and those that the guardrails of its key filter today, so that a filter also covers what was stored before it.
 */
export function maskedKinds(decisions: readonly Decided[], layers: readonly Layer[]): PersonalData[] {
  const decided = decisions.filter(({ field }) => field === "content_filter_builtins").map(({ rule }) => rule);
  const inForce: BuiltinFilter["slug"][] = layers
    .flatMap(({ guardrail }) => guardrail.content_filter_builtins ?? [])
    .map(({ slug }) => slug);
  const kinds = new Set<string | null>([...decided, ...inForce]);
  return PERSONAL_DATA_BUILTINS.filter((kind) => kinds.has(kind));
}
