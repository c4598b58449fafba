import type { Issue } from "../../platform/api-error";
import { isActive } from "../../engine/policy/active-exceptions";
import type { Layer } from "../../engine/policy/layers";
import type { CreateExceptionBody, Exception } from "./contract";
import { FILTER_FIELDS, MAX_EXCEPTION_DAYS } from "./vocabulary";

const DAY_MS = 24 * 60 * 60_000;

const isFilterField = (field: string) => (FILTER_FIELDS as readonly string[]).includes(field);

/** Validates an exception beyond its schema: subject, duration and target. */
export function exceptionIssues(body: CreateExceptionBody, now: Date): Issue[] {
  const issues: Issue[] = [];
  const wrong = (path: string, message: string) => issues.push({ path: [path], message, code: "custom" });
  if (body.key_hash === undefined && body.user_id === undefined) wrong("key_hash", "is required, or user_id");
  if (body.key_hash !== undefined && body.user_id !== undefined) wrong("user_id", "is implied by key_hash");
  const lasts = new Date(body.expires_at).getTime() - now.getTime();
  if (lasts <= 0) wrong("expires_at", "must be in the future");
  if (lasts > MAX_EXCEPTION_DAYS * DAY_MS) wrong("expires_at", `must be at most ${MAX_EXCEPTION_DAYS} days from now`);
  if (body.kind === "raise_limit" && body.guardrail_id === undefined && body.user_id !== undefined)
    wrong("guardrail_id", "is required: a member has no spending limit");
  if (body.kind === "lift_rule" && isFilterField(body.field) && body.rule === undefined)
    wrong("rule", "is required: the filter's slug or pattern");
  if (body.kind === "lift_rule" && !isFilterField(body.field) && body.rule !== undefined)
    wrong("rule", "applies only to content filters");
  return issues;
}

/** True when a guardrail has the rule that an exception lifts; otherwise the exception has no effect. */
export function concerns(
  { kind, field, rule }: { kind: Exception["kind"]; field: string | null; rule: string | null },
  guardrail: Layer["guardrail"],
): boolean {
  if (kind === "raise_limit") return guardrail.limit_usd !== null;
  if (kind === "allow_phrase") return true;
  if (field === "content_filter_builtins")
    return guardrail.content_filter_builtins?.some(({ slug }) => slug === rule) ?? false;
  if (field === "content_filters") return guardrail.content_filters?.some(({ pattern }) => pattern === rule) ?? false;
  const value = guardrail[field as keyof typeof guardrail];
  return value === true || (Array.isArray(value) && value.length > 0);
}

/** Returns an exception's status at a time. */
export function statusOf(
  exception: { createdAt: Date; expiresAt: Date; endedAt: Date | null },
  now: Date,
): Exception["status"] {
  if (exception.endedAt !== null && exception.endedAt <= now) return "ended";
  return isActive(exception, now) ? "active" : "expired";
}
