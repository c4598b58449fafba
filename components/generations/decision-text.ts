import { isBudgetDecision } from "@/lib/engine/budgets/vocabulary";
import type { Decision } from "@/lib/engine/decision/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import { isCheck, isRouting } from "./decision-stages";

const FIELD_NAMES: Readonly<Record<string, string>> = {
  allowed_models: "allowed models",
  ignored_models: "blocked models",
  allowed_providers: "allowed providers",
  ignored_providers: "blocked providers",
  allowed_data_regions: "allowed data regions",
  content_filter_builtins: "content filter",
  content_filters: "content filter",
  external_checks: "external check",
  judges: "model judge",
  limit_usd: "spending limit",
  limit_requests: "limit of requests",
  limit_tokens: "limit of tokens",
  limit_concurrent_requests: "limit of concurrent requests",
  enforce_zdr_vendor_a: "zero data retention",
  enforce_zdr_vendor_b: "zero data retention",
  enforce_zdr_vendor_c: "zero data retention",
  enforce_zdr_other: "zero data retention",
};

const DONE: Readonly<Record<string, string>> = {
  block: "blocked",
  redact: "redacted",
  flag: "flagged",
  exclude: "excluded",
  allow: "allowed",
  error: "no verdict from",
  skip: "not called",
  would_block: "would have blocked",
  would_redact: "would have redacted",
  would_flag: "would have flagged",
  would_exclude: "would have excluded",
};

export const fieldName = (field: string): string => FIELD_NAMES[field] ?? field.replaceAll("_", " ");
export const actionText = (action: string): string => DONE[action] ?? action;

/** Completes a description of a decision; empty for the request. */
export const placeText = (direction: Decision["direction"]): string =>
  direction === "response" ? " in the answer" : "";

const count = (amount: number, noun: string) => (amount === 1 ? `1 ${noun}` : `${amount} ${noun}s`);

const EXCLUDING: readonly string[] = ["exclude", "would_exclude"];

function described(decision: Decision): string {
  const { action, field, direction } = decision;
  // Each endpoint has such a decision; the field says why none would have been left.
  if (action === "would_block" && isRouting(decision)) return `${actionText(action)} by ${fieldName(field)}`;
  return `${actionText(action)} ${ruleName(decision) ?? fieldName(field)}${placeText(direction)}`;
}

/** One-line summary of a row's decisions: "redacted Email addresses, excluded 3 endpoints". */
export function describeDecisions(decisions: readonly Decision[]): string | null {
  const excluded = EXCLUDING.flatMap((excluding) => {
    const endpoints = decisions.filter(({ action }) => action === excluding).map(({ rule, field }) => rule ?? field);
    return endpoints.length > 0 ? [`${actionText(excluding)} ${count(new Set(endpoints).size, "endpoint")}`] : [];
  });
  const others = decisions.filter(({ action }) => !EXCLUDING.includes(action)).map(described);
  const words = [...new Set(others), ...excluded];
  return words.length > 0 ? words.join(", ") : null;
}

/** Origin of a decision: guardrail "Production" (key), or the key's own limit. */
export const sourceOf = ({ guardrail_name, scope }: Pick<Decision, "guardrail_name" | "scope">): string =>
  scope === "draft"
    ? `the unsaved guardrail “${guardrail_name ?? "Draft"}”`
    : guardrail_name === null
      ? `the ${scope === "request" ? "request itself" : `${scope}'s own policy`}`
      : `guardrail “${guardrail_name}” (${scope})`;

/** True for a decision of a limit of the organization, which its rule names. */
const isOfLimit = ({ guardrail_id, scope }: Decision): boolean =>
  guardrail_id === null && (scope === "organization" || scope === "workspace");

/** One sentence on why the request was blocked; null if it wasn't. */
export function blockReason({
  status,
  decisions,
  error,
}: Pick<Generation, "status" | "decisions" | "error">): string | null {
  if (status !== "blocked") return null;
  const blocking = decisions.find(({ action }) => action === "block");
  if (blocking) {
    const { field, direction, withheld } = blocking;
    const rule = ruleName(blocking);
    if (isBudgetDecision(blocking) && isOfLimit(blocking)) return `Blocked by the ${rule ?? fieldName(field)}.`;
    if (field === "limit_usd") return `Blocked by the spending limit of ${sourceOf(blocking)}.`;
    return `Blocked by ${sourceOf(blocking)}: its ${fieldName(field)}${rule === null ? "" : ` “${rule}”`} ${isCheck(blocking) ? "rejected" : "matched"} the ${direction === "response" ? "answer" : "request"}.${withheld ? ` ${count(withheld, "character")} of the answer withheld.` : ""}`;
  }
  const excluding = decisions.filter(({ action }) => action === "exclude");
  const [first] = excluding;
  if (!first) return `Blocked: ${error?.message ?? "no reason was recorded"}.`;
  const reasons = [
    ...new Set(excluding.map((decision) => `the ${fieldName(decision.field)} of ${sourceOf(decision)}`)),
  ];
  return `Blocked: no endpoint available. All were excluded by ${reasons.join(" and ")}.`;
}
