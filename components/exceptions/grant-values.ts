import type { Grant, ExceptionSubject } from "./exception-queries";
import type { LiftableRule } from "./liftable-rules";

export interface GrantValues {
  kind: Grant["kind"];
  /** Value of a rule from `liftableRules`. */
  rule: string;
  phrase: string;
  /** ID of the guardrail whose limit is raised, or `OWN_LIMIT`. */
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

/** The request body, or the first invalid field and its message. */
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
  if (kind === "lift_rule" && !rule) return { field: "rule", message: "Choose a rule to lift" };
  if (kind === "allow_phrase" && phrase.trim() === "") return { field: "phrase", message: "Exact text is required" };
  if (kind === "raise_limit" && limit === "") return { field: "limit", message: "Choose a limit to raise" };
  if (kind === "raise_limit" && !(Number(raise_usd) > 0))
    return { field: "raise_usd", message: "Enter an amount above $0" };
  if (reason === "") return { field: "reason", message: "Reason is required" };
  if (kind === "allow_phrase") return { ...common, kind, phrase };
  if (kind === "raise_limit")
    return { ...common, kind, raise_usd: raise_usd ?? 0, ...(limit !== OWN_LIMIT && { guardrail_id: limit }) };
  const { guardrail_id = "", field = "allowed_models", rule: lifted } = rule ?? {};
  return { ...common, kind, guardrail_id, field, ...(lifted !== undefined && { rule: lifted }) };
}
