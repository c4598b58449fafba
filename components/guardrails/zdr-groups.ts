import type { GuardrailValues } from "./guardrail-values";

export type ZdrField = Extract<keyof GuardrailValues, `enforce_zdr_${string}`>;

const PROPER_NAMES: Readonly<Record<string, string>> = { openai: "OpenAI", xai: "xAI", deepseek: "DeepSeek", mistralai: "Mistral AI" };

const vendorName = (slug: string) =>
  PROPER_NAMES[slug] ?? slug.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => (dash ? " " : "") + letter.toUpperCase());

const VENDOR_FIELDS = ["enforce_zdr_vendor_a", "enforce_zdr_vendor_b", "enforce_zdr_vendor_c"] as const satisfies ZdrField[];

/** The four switches with the names of the configured vendors a, b and c. */
export const zdrGroups = (vendors: readonly string[]): { field: ZdrField; name: string }[] => [
  ...VENDOR_FIELDS.map((field, index) => ({ field, name: vendorName(vendors[index] ?? "") })),
  { field: "enforce_zdr_other", name: "every other vendor" },
];
