import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { BREAKDOWNS, RANGES } from "@/lib/analytics/vocabulary";

/** What the overview keeps in the URL; both ends of a time of one's own take precedence over the named range. */
export const OVERVIEW_STATE = {
  workspace: parseAsString,
  range: parseAsStringLiteral(RANGES).withDefault("24h"),
  from: parseAsString,
  to: parseAsString,
  by: parseAsStringLiteral(BREAKDOWNS).withDefault("model"),
};

export type OverviewState = inferParserType<typeof OVERVIEW_STATE>;

export const loadOverviewState = createLoader(OVERVIEW_STATE);
