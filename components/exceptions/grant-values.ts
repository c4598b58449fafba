import type { Grant, ExceptionSubject } from "./exception-queries";
import type { LiftableRule } from "./liftable-rules";

export interface GrantValues {
  kind: Grant["kind"];
  /** The value of a rule, see `liftableRules`. */
  rule: string;
  phrase: string;
  /** The guardrail whose limit is raised, or `OWN_LIMIT`. */
  limit: string;
  raise_usd: number | null;
  hours: string;
  reason: string;
}

export const OWN_LIMIT = "own";
const HOUR_MS = 3_600_000;

export const DURATIONS = [
  { value: "1", label: "1 hour" },
  { value: "8", label: "8 hours" },
  { value: "24", label: "1 day" },
  { value: "168", label: "1 week" },
  { value: "720", label: "30 days" },
  { value: "2160", label: "90 days" },
] as const;

/** What is sent, or the first field that is empty and what it needs. */
export function toGrant(
  values: GrantValues,
  subject: ExceptionSubject,
  rules: readonly LiftableRule[],
  now: number,
): Grant | { field: keyof GrantValues; message: string } {
  const { kind, phrase, limit, raise_usd } = values;
  const reason = values.reason.trim();
  const common = { ...subject, reason, expires_at: new Date(now + Number(values.hours) * HOUR_MS).toISOString() };
  const rule = rules.find(({ value }) => value === values.rule);
  if (kind === "lift_rule" && !rule) return { field: "rule", message: "Choose the rule to lift" };
  if (kind === "allow_phrase" && phrase.trim() === "")
    return { field: "phrase", message: "Write the text that may pass" };
  if (kind === "raise_limit" && limit === "") return { field: "limit", message: "Choose the limit to raise" };
  if (kind === "raise_limit" && !(Number(raise_usd) > 0))
    return { field: "raise_usd", message: "Enter an amount above $0" };
  if (reason === "")
    return { field: "reason", message: "Say why: it is shown with every request that it lets through" };
  if (kind === "allow_phrase") return { ...common, kind, phrase };
  if (kind === "raise_limit")
    return { ...common, kind, raise_usd: raise_usd ?? 0, ...(limit !== OWN_LIMIT && { guardrail_id: limit }) };
  const { guardrail_id = "", field = "allowed_models", rule: lifted } = rule ?? {};
  return { ...common, kind, guardrail_id, field, ...(lifted !== undefined && { rule: lifted }) };
}
