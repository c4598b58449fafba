import { recordNameQuery } from "@/components/layout/record-names";
import { RECORD_SOURCES } from "@/components/layout/record-sources";

/** Filters by records, whose names are shown. */
export const NAMED = { ...RECORD_SOURCES, blocked_by: RECORD_SOURCES.guardrail_id } as const;
export type Named = keyof typeof NAMED;

const OF_EVERYBODY: readonly Named[] = ["guardrail_id", "blocked_by", "provider", "user_id"];

interface ChosenRecord {
  filter: Named;
  value: string;
}

/** Returns the records that the filters choose. */
export const chosenRecords = (
  state: Partial<Readonly<Record<Named, readonly string[]>>>,
  seesAll: boolean,
): ChosenRecord[] =>
  (Object.keys(NAMED) as Named[])
    .filter((filter) => seesAll || !OF_EVERYBODY.includes(filter))
    .flatMap((filter) => (state[filter] ?? []).map((value) => ({ filter, value })));

export const nameQuery = ({ filter, value }: ChosenRecord) => recordNameQuery(NAMED[filter], value);
