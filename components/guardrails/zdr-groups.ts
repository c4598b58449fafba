import { nameOfVendor } from "@/lib/records/models/vocabulary";
import type { GuardrailValues } from "./guardrail-values";
import { ZDR_SWITCHES } from "./zdr-switches";

export type ZdrField = (typeof ZDR_SWITCHES)[number];

/** The four ZDR fields with the display names of the configured vendors a, b and c. */
export const zdrGroups = (vendors: readonly string[]): { field: ZdrField; name: string }[] =>
  ZDR_SWITCHES.map((field, index) => ({
    field,
    name: field === "enforce_zdr_other" ? "all other vendors" : nameOfVendor(vendors[index] ?? ""),
  }));

/** Name of a rule for decisions and exceptions: "zero data retention for OpenAI"; null for other fields. */
export function zdrRule(field: string, vendors: readonly string[]): string | null {
  const group = zdrGroups(vendors).find((candidate) => candidate.field === field);
  return group?.name ? `zero data retention for ${group.name}` : null;
}

/** Display names of the vendors for which zero data retention is enforced. */
export const zdrVendors = (values: Pick<GuardrailValues, ZdrField>, vendors: readonly string[]): string[] =>
  zdrGroups(vendors).flatMap(({ field, name }) => (values[field] ? [name] : []));
