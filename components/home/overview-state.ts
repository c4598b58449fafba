import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { BREAKDOWNS, RANGES } from "@/lib/features/analytics/vocabulary";

/** URL state of the overview. A custom range (both ends) takes precedence over the named one. */
export const OVERVIEW_STATE = {
  workspace: parseAsString,
  range: parseAsStringLiteral(RANGES).withDefault("24h"),
  from: parseAsString,
  to: parseAsString,
  by: parseAsStringLiteral(BREAKDOWNS).withDefault("model"),
};

export type OverviewState = inferParserType<typeof OVERVIEW_STATE>;

export const loadOverviewState = createLoader(OVERVIEW_STATE);
