import { formatUsd } from "@/components/ui/usd";
import { CHECK_TIMEOUT_MS, JUDGE_DEFAULTS } from "@/lib/engine/checks/vocabulary";
import { CHECK_FORMAT_LABELS } from "./check-options";
import { BUILTIN_COPY, scanScopeSuffix, scopeSuffix } from "./filter-options";
import { FIELD_LABELS, MODE_LABELS } from "./field-labels";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { zdrGroups } from "./zdr-groups";

/** A field's value as text, one line per entry. */
export function valueLines(field: GuardrailField, values: GuardrailValues): string[] {
  if (field === "content_filter_builtins") {
    return (values[field] ?? []).map(
      (filter) =>
        `${BUILTIN_COPY[filter.slug].title}: ${filter.action}${scanScopeSuffix(filter)}${scopeSuffix(filter.scope)}`,
    );
  }
  if (field === "content_filters")
    return (values[field] ?? []).map(
      ({ pattern, action, label, scope }) => `${pattern}: ${action}${label ? ` as ${label}` : ""}${scopeSuffix(scope)}`,
    );
  if (field === "external_checks")
    return (values[field] ?? []).map(
      ({ name, url, format, scope, timeout_ms }) =>
        `${name}: ${url}, ${CHECK_FORMAT_LABELS[format ?? "signalbox"]}, ${(timeout_ms ?? CHECK_TIMEOUT_MS.default) / 1000} s${scopeSuffix(scope)}`,
    );
  if (field === "judges")
    return (values[field] ?? []).map(
      ({ name, model, instructions, threshold, action, scope }) =>
        `${name}: ${action} at ${threshold ?? JUDGE_DEFAULTS.threshold}, judged by ${model}${scopeSuffix(scope)}: ${instructions}`,
    );
  if (field === "mode") return [MODE_LABELS[values[field]]];
  const value = values[field];
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value;
  if (typeof value === "number") return [formatUsd(value)];
  return [typeof value === "boolean" ? (value ? "On" : "Off") : value];
}

/** The field's label. Labels of zero data retention name the vendor. */
export function fieldLabel(field: GuardrailField, vendors: readonly string[]): string {
  const group = zdrGroups(vendors).find((candidate) => candidate.field === field);
  return group ? `${FIELD_LABELS[field]}: ${group.name}` : FIELD_LABELS[field];
}
