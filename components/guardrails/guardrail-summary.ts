import { count } from "@/lib/platform/count";
import { formatUsd } from "@/components/ui/usd";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { FILTER_ACTIONS } from "@/lib/engine/filters/vocabulary";
import { zdrVendors } from "./zdr-groups";

export const listFormat = new Intl.ListFormat("en", { type: "conjunction" });
const SHOWN_NAMES = 2;

/** "openai and anthropic", "openai, google and 3 more". */
export function named(entries: readonly string[], most = SHOWN_NAMES): string {
  return listFormat.format(
    entries.length > most ? [...entries.slice(0, most), `${entries.length - most} more`] : entries,
  );
}

function routing(guardrail: Guardrail): string[] {
  const { allowed_models, ignored_models, allowed_providers, ignored_providers, allowed_data_regions } = guardrail;
  return [
    allowed_models?.length ? `only ${count(allowed_models.length, "model")}` : "",
    ignored_models?.length ? `blocks ${count(ignored_models.length, "model")}` : "",
    allowed_providers?.length ? `only ${named(allowed_providers)}` : "",
    ignored_providers?.length ? `blocks ${named(ignored_providers)}` : "",
    allowed_data_regions?.length ? `only the data regions ${named(allowed_data_regions)}` : "",
  ];
}

/** "blocks 2 and redacts 3 kinds of content". */
function content({ content_filter_builtins, content_filters }: Guardrail): string {
  const actions = [...(content_filter_builtins ?? []), ...(content_filters ?? [])].map(({ action }) => action);
  const amounts = FILTER_ACTIONS.map((action) => ({
    action,
    amount: actions.filter((other) => other === action).length,
  })).filter(({ amount }) => amount > 0);
  if (amounts.length === 0) return "";
  const verbs = listFormat.format(amounts.map(({ action, amount }) => `${action}s ${amount}`));
  return `${verbs} ${amounts.at(-1)?.amount === 1 ? "kind" : "kinds"} of content`;
}

/** "calls 1 external check and 2 model judges". */
function checks({ external_checks, judges }: Guardrail): string {
  const called = [
    external_checks?.length ? count(external_checks.length, "external check") : "",
    judges?.length ? count(judges.length, "model judge") : "",
  ].filter(Boolean);
  return called.length > 0 ? `calls ${listFormat.format(called)}` : "";
}

/** One sentence on what a guardrail restricts besides spending; null for no restrictions. */
export function summarize(guardrail: Guardrail, vendors: readonly string[] | undefined): string | null {
  const zdr = vendors ? zdrVendors(guardrail, vendors) : [];
  const parts = [
    ...routing(guardrail),
    zdr.length > 0 ? `zero data retention for ${listFormat.format(zdr)}` : "",
    content(guardrail),
    checks(guardrail),
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const sentence = parts.join("; ");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** "$100.00 monthly"; "$100.00 total" for a budget that never resets. */
export const budgetText = ({
  limit_usd,
  reset_interval,
}: Pick<Guardrail, "limit_usd" | "reset_interval">): string | null =>
  limit_usd === null ? null : `${formatUsd(limit_usd)} ${reset_interval ?? "total"}`;
