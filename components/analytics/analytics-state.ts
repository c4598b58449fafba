import { createLoader, parseAsBoolean, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import type { Subject } from "@/components/generations/log-link";
import { TIME_RANGE_STATE } from "@/components/time-range/time-range";
import { DIMENSIONS, MEASURES, type Dimension } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";

/** Dimensions for members, who see only their own keys' requests. */
export const MEMBER_DIMENSIONS: readonly Dimension[] = ["model", "key", "tag", "preset"];

export const DIMENSION_LABELS: Readonly<Record<Dimension, string>> = {
  model: "Model",
  provider: "Provider",
  key: "Key",
  tag: "Tag",
  member: "Member",
  guardrail: "Guardrail",
  preset: "Preset",
};

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

/** Dimensions of a key's or member's usage. */
export const dimensionsOf = (of: Subject): readonly Dimension[] => [
  ...("key_hash" in of ? [] : (["key", "tag"] as const)),
  ...(["model", "provider", "guardrail", "preset"] as const),
];
export const defaultDimension = (of: Subject): Dimension => ("key_hash" in of ? "model" : "key");

/** URL state of the chart on the page of a key or member. */
export const SUBJECT_USAGE_STATE = {
  ...TIME_RANGE_STATE,
  range: parseAsStringLiteral(RANGES).withDefault("30d"),
  measure: parseAsStringLiteral(MEASURES).withDefault("spend"),
  by: parseAsStringLiteral(DIMENSIONS),
};
export type SubjectUsageState = inferParserType<typeof SUBJECT_USAGE_STATE>;

export const loadSubjectUsageState = createLoader(SUBJECT_USAGE_STATE);

export const loadAnalyticsState = createLoader(ANALYTICS_STATE);
