import type { LintFinding } from "@/lib/features/lint/contract";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";
import { SECTION_OF } from "./sections";

/** Names of one entry of a list. */
const ENTRIES: Readonly<Partial<Record<GuardrailField, string>>> = {
  content_filters: "Custom filter",
  external_checks: "External check",
  judges: "Model judge",
};

/** Editor label of the finding's field, and the anchor of its section. */
export function placeOf([field, index]: LintFinding["path"]): { label: string; href: string } {
  if (field === undefined) return { label: "Assignments", href: "#assignments" };
  const known = field as GuardrailField;
  return {
    label: typeof index === "number" ? `${ENTRIES[known] ?? FIELD_LABELS[known]} ${index + 1}` : FIELD_LABELS[known],
    href: `#${SECTION_OF[known]}`,
  };
}

/** The first warning and the number of others, for the toast after saving; null without warnings. */
export function warningsText([first, ...others]: readonly LintFinding[]): string | null {
  if (!first) return null;
  return `Warning: ${first.message}${others.length > 0 ? ` ${others.length} more under Problems.` : ""}`;
}
