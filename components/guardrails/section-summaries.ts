import { BUILTIN_COPY, OTHER_BUILTINS } from "./filter-options";
import { count } from "@/lib/platform/count";
import { listFormat, named } from "./guardrail-summary";
import type { GuardrailValues } from "./guardrail-values";
import type { SectionId } from "./sections";
import { zdrVendors } from "./zdr-groups";

export type ClosedSection = Extract<
  SectionId,
  "injection" | "patterns" | "providers" | "data-regions" | "zdr" | "checks" | "judges"
>;

/** An empty list restricts nothing, like null. */
const isRestricted = (list: readonly string[] | null): list is readonly string[] => Boolean(list?.length);

function providers({ allowed_providers, ignored_providers }: GuardrailValues): string {
  const parts = [
    isRestricted(allowed_providers) ? `Only ${named(allowed_providers)}` : "",
    isRestricted(ignored_providers) ? `${named(ignored_providers)} blocked` : "",
  ].filter(Boolean);
  return parts.join(" · ") || "All providers";
}

function builtins({ content_filter_builtins }: GuardrailValues): string {
  return OTHER_BUILTINS.map((slug) => {
    const action = content_filter_builtins?.find((filter) => filter.slug === slug)?.action;
    return `${BUILTIN_COPY[slug].title}: ${action ?? "off"}`;
  }).join(" · ");
}

/** "2 external checks: tone and legal". */
function listed(rows: readonly { name: string }[] | null | undefined, noun: string): string {
  const names = (rows ?? []).map(({ name }) => name).filter(Boolean);
  if (!rows?.length) return "None";
  return names.length === 0 ? count(rows.length, noun) : `${count(rows.length, noun)}: ${named(names)}`;
}

/** Returns a summary of each closed section of the editor, in one line. `vendors` are the ZDR vendors, once loaded. */
export function sectionSummaries(
  values: GuardrailValues,
  vendors: readonly string[] | undefined,
): Readonly<Record<ClosedSection, string>> {
  const zdr = vendors ? zdrVendors(values, vendors) : [];
  const patterns = values.content_filters?.length ?? 0;
  return {
    injection: builtins(values),
    patterns: patterns === 0 ? "None" : count(patterns, "custom pattern"),
    providers: providers(values),
    "data-regions": isRestricted(values.allowed_data_regions)
      ? `Only ${named(values.allowed_data_regions)}`
      : "All regions",
    zdr: zdr.length > 0 ? listFormat.format(zdr) : "Off",
    checks: listed(values.external_checks, "external check"),
    judges: listed(values.judges, "model judge"),
  };
}
