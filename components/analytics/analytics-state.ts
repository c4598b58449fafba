import { createLoader, parseAsBoolean, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { TIME_RANGE_STATE } from "@/components/time-range/time-range";
import { MEASURES, RANGES, type Group } from "@/lib/features/analytics/vocabulary";

/** Dimensions of the page. Members only see their own keys' requests, and no guardrails, providers or members. */
export const DIMENSIONS = ["model", "provider", "key", "member", "guardrail", "preset"] as const satisfies Group[];
export type Dimension = (typeof DIMENSIONS)[number];
export const MEMBER_DIMENSIONS: readonly Dimension[] = ["model", "key", "preset"];

/** URL state of the page. */
export const ANALYTICS_STATE = {
  workspace: parseAsString,
  ...TIME_RANGE_STATE,
  range: parseAsStringLiteral(RANGES).withDefault("7d"),
  measure: parseAsStringLiteral(MEASURES).withDefault("spend"),
  by: parseAsStringLiteral(DIMENSIONS).withDefault("model"),
  compare: parseAsBoolean.withDefault(false),
};
export type AnalyticsState = inferParserType<typeof ANALYTICS_STATE>;

export const loadAnalyticsState = createLoader(ANALYTICS_STATE);
