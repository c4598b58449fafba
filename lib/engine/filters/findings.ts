import type { Decision } from "../decision/contract";
import { PROMPT_INJECTION_BUILTIN, type Direction } from "./vocabulary";
import { ApiError } from "../../platform/api-error";
import type { Exception } from "../policy/exception";
import { asDecided } from "../policy/active-exceptions";
import type { Vocabulary } from "./coverage";
import type { FilterRule } from "./filter-rule";

/** Matches of one rule. */
export interface FilterFinding {
  rule: FilterRule;
  /** The first 100 matches: the path in the caller's body, and offsets in UTF-16 code units. */
  spans: { path: (string | number)[]; start: number; end: number }[];
  /** True when redacting the matches would break the request, so that it is blocked instead. */
  isFixed?: true;
  /** Matched pattern families, for detectors with several. */
  families: string[];
  /** An exception that covers all matches, so that no action is taken. */
  exception?: Exception;
}

const PROPERTY_NAME = "[property name]";

/** Masks property names that no protocol defines in the paths of spans, because they may be part of a match. */
export const withoutNames = (findings: readonly FilterFinding[], { names }: Vocabulary): FilterFinding[] =>
  findings.map((finding) => ({
    ...finding,
    spans: finding.spans.map((span) => ({
      ...span,
      path: span.path.map((key) => (typeof key === "number" || names.has(key) ? key : PROPERTY_NAME)),
    })),
  }));

export type FilterOutcome = "allowed" | "flagged" | "redacted" | "blocked";

const actionOf = ({ rule, isFixed }: Pick<FilterFinding, "rule"> & { isFixed?: boolean | undefined }) =>
  isFixed ? "block" : rule.action;

export function outcomeOf(findings: readonly FilterFinding[]): FilterOutcome {
  const actions = new Set(findings.flatMap((finding) => (finding.exception ? [] : actionOf(finding))));
  if (actions.has("block")) return "blocked";
  if (actions.has("redact")) return "redacted";
  return actions.has("flag") ? "flagged" : "allowed";
}

const isInjection = ({ detector }: FilterRule) =>
  detector.kind === "builtin" && detector.slug === PROMPT_INJECTION_BUILTIN;

/** Returns one decision per guardrail for every rule with a match; never includes the matched text. */
export function findingsToDecisions(findings: readonly FilterFinding[], direction: Direction = "request"): Decision[] {
  return findings.flatMap(({ rule, spans, exception, isFixed }) =>
    rule.sources.map((source) => ({
      ...source,
      field: rule.detector.kind === "builtin" ? "content_filter_builtins" : "content_filters",
      rule: rule.detector.kind === "builtin" ? rule.detector.slug : rule.label,
      ...(exception ? asDecided(exception, rule.action) : { action: actionOf({ rule, isFixed }) }),
      spans,
      ...(direction === "response" && { direction }),
    })),
  );
}

/** Returns a 403 error that names the blocking filters (docs/semantics.md#denials); null when none blocks. */
export function contentBlock(findings: readonly FilterFinding[], direction: Direction = "request"): ApiError | null {
  const blocking = findings.filter((finding) => actionOf(finding) === "block" && !finding.exception);
  if (blocking.length === 0) return null;
  const filters = blocking.filter(({ rule }) => !isInjection(rule));
  const patterns = blocking.filter(({ rule }) => isInjection(rule)).flatMap(({ families }) => families);
  const labels = [...new Set(filters.map(({ rule }) => rule.label))];
  const fixed = filters.find(({ isFixed }) => isFixed)?.spans[0]?.path.join(".");
  const subject = direction === "request" ? "Request" : "Response";
  const message =
    labels.length > 0
      ? `${subject} blocked by content filter: ${labels.join(", ")}${fixed ? ` (can't be redacted in ${fixed})` : ""}`
      : `${subject} blocked: prompt injection patterns detected`;
  return new ApiError(403, message, {
    blocked_by: findingsToDecisions(blocking, direction).map(({ spans: _, ...decision }) => decision),
    ...(filters.length < blocking.length ? { patterns: [...new Set(patterns)] } : {}),
  });
}
