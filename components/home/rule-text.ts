import { FIELD_LABELS } from "@/components/guardrails/field-labels";
import { isRouting } from "@/components/generations/decision-stages";
import { fieldName } from "@/components/generations/decision-text";
import type { FiringRule } from "@/lib/features/analytics/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";

const ACTIONS: Readonly<Record<string, string>> = {
  block: "blocked",
  redact: "redacted",
  flag: "flagged",
  exclude: "excluded",
  would_block: "would have been blocked",
  would_redact: "would have been redacted",
  would_flag: "would have been flagged",
  would_exclude: "would have been excluded",
};
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/**
 * "Production: Email addresses blocked". A rule without a name is identified by its field, and the exclusion of an endpoint
 * also names it, since several fields may exclude the same one.
 */
export function ruleText({
  guardrail_name,
  field,
  rule,
  action,
}: Pick<FiringRule, "guardrail_name" | "field" | "rule" | "action">): string {
  const name = ruleName({ field, rule }) ?? LABELS[field] ?? field;
  const text = `${guardrail_name ?? "A key's own limit"}: ${name} ${ACTIONS[action] ?? action}`;
  return rule !== null && isRouting({ field }) ? `${text} (${fieldName(field)})` : text;
}
