import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { TIME_RANGE_STATE } from "@/components/time-range/time-range";
import { BREAKDOWNS } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";

/** URL state of the overview. */
export const OVERVIEW_STATE = {
  workspace: parseAsString,
  ...TIME_RANGE_STATE,
  range: parseAsStringLiteral(RANGES).withDefault("24h"),
  by: parseAsStringLiteral(BREAKDOWNS).withDefault("model"),
};

export type OverviewState = inferParserType<typeof OVERVIEW_STATE>;

export const loadOverviewState = createLoader(OVERVIEW_STATE);
