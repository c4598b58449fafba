import type { LintFinding } from "@/lib/guardrails/lint-contract";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";
import { SECTION_OF } from "./sections";

/** The finding's field as the editor calls it, and where it is. */
export function placeOf([field, index]: LintFinding["path"]): { label: string; href: string } {
  if (field === undefined) return { label: "Assignments", href: "#assignments" };
  const known = field as GuardrailField;
  return {
    label: typeof index === "number" ? `Custom filter ${index + 1}` : FIELD_LABELS[known],
    href: `#${SECTION_OF[known]}`,
  };
}

/** Warnings in the message about what was saved: the first whole, the others counted; none are no text. */
export function warningsText([first, ...others]: readonly LintFinding[]): string | null {
  if (!first) return null;
  return `Warning: ${first.message}${others.length > 0 ? ` And ${others.length} more under Problems.` : ""}`;
}
