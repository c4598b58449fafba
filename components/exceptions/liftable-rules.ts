import { fieldName } from "@/components/generations/decision-text";
import { zdrRule } from "@/components/guardrails/zdr-groups";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { LIFTABLE_FIELDS } from "@/lib/records/exceptions/vocabulary";
import { BUILTIN_NAMES } from "@/lib/engine/filters/vocabulary";

type Lift = {
  guardrail_id: string;
  field: (typeof LIFTABLE_FIELDS)[number] | "content_filter_builtins" | "content_filters";
  rule?: string;
};

/** A rule that can be lifted, with its field and rule names in decisions. */
export interface LiftableRule extends Lift {
  value: string;
  label: string;
  /** Label without the guardrail's name. */
  words: string;
  decidedAs: string | null;
}

const isSet = (value: unknown) => value === true || (Array.isArray(value) && value.length > 0);

/** All rules of a guardrail that can be lifted. `vendors` are those with a ZDR field of their own. */
export function liftableRules(guardrail: Guardrail, vendors: readonly string[]): LiftableRule[] {
  const { id, name, content_filter_builtins, content_filters } = guardrail;
  const rule = (lift: Omit<Lift, "guardrail_id">, words: string, decidedAs: string | null = null): LiftableRule => ({
    guardrail_id: id,
    ...lift,
    value: JSON.stringify([id, lift.field, lift.rule ?? null]),
    label: `${name}: ${words}`,
    words,
    decidedAs,
  });
  return [
    ...(content_filter_builtins ?? []).map(({ slug, action }) =>
      rule({ field: "content_filter_builtins", rule: slug }, `${action} ${BUILTIN_NAMES[slug]}`, slug),
    ),
    ...(content_filters ?? []).map(({ pattern, action, label }) =>
      rule(
        { field: "content_filters", rule: pattern },
        `${action} ${label ?? pattern}`,
        label ?? (action === "block" ? "[BLOCKED]" : "[REDACTED]"),
      ),
    ),
    ...LIFTABLE_FIELDS.filter((field) => isSet(guardrail[field])).map((field) =>
      rule({ field }, zdrRule(field, vendors) ?? fieldName(field)),
    ),
  ];
}

/** The parts of a decision that identify its rule. */
export interface DecidedRule {
  guardrail_id: string | null;
  field: string;
  rule: string | null;
}

/** The rule behind a decision; undefined if the guardrail no longer has it. */
export const ruleOf = (
  rules: readonly LiftableRule[],
  { guardrail_id, field, rule }: DecidedRule,
): LiftableRule | undefined =>
  rules.find(
    (one) =>
      one.guardrail_id === guardrail_id && one.field === field && (one.decidedAs === null || one.decidedAs === rule),
  );
