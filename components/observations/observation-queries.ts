import { keepPreviousData } from "@tanstack/react-query";
import { parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { endsOf, TIME_RANGE_STATE } from "@/components/time-range/time-range";
import { apiQuery } from "@/lib/browser/api-query";
import { getObservations } from "@/lib/browser/operations/observations";
import { RANGES } from "@/lib/records/generations/vocabulary";

/** URL state of the card. */
export const OBSERVED_STATE = { ...TIME_RANGE_STATE, range: parseAsStringLiteral(RANGES).withDefault("24h") };
type ObservedState = inferParserType<typeof OBSERVED_STATE>;

/** Counts of observed decisions in a time range. A relative range starts before `now` and has no end. */
export function observationsQuery(id: string, state: ObservedState, now: number) {
  const { from, to } = endsOf(state, now);
  return {
    ...apiQuery(getObservations, { params: { id }, query: { ...(from && { from }), ...(to && { to }) } }),
    placeholderData: keepPreviousData,
  };
}
