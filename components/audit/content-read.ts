import type { AuditEvent } from "@/lib/platform/audit/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";

const READS: ReadonlySet<string> = new Set(["generation.read_content", "generation.reveal_content"]);
const TERMS = { masked: "Masked", revealed: "Revealed", reason: "Reason" } as const;

const textOf = (value: unknown): string => {
  if (!Array.isArray(value)) return String(value);
  const names = value.map((rule) => ruleName({ field: "content_filter_builtins", rule: String(rule) }));
  return names.length === 0 ? "Nothing" : names.join(", ");
};

/** Returns facts about a read of stored content: masked and revealed rules, and the reason. Null for other events. */
export function contentRead({ action, after }: Pick<AuditEvent, "action" | "after">) {
  if (!READS.has(action) || typeof after !== "object" || after === null) return null;
  const entries = Object.entries(after);
  return Object.entries(TERMS).flatMap(([field, term]) => {
    const found = entries.find(([name]) => name === field);
    return found ? [{ term, value: textOf(found[1]) }] : [];
  });
}
