import { fromMicroUsd } from "../../engine/money";
import { sortOrder } from "../../platform/http/pagination";
import type { RangeSpend } from "./spend-contract";

/** Sums of a key's or member's generations in a range. */
export interface SpendSums {
  spend: bigint;
  requests: bigint;
  unpriced: bigint;
}
export type Spends = ReadonlyMap<string, SpendSums>;

/** Reads the spend of some records, by id, or of all. Sums of generations belong to a later wing, which passes it. */
export type ReadSpends<Row> = (rows: readonly Row[] | "all") => Promise<Spends>;

export const NO_SPENDS = (): Promise<Spends> => Promise.resolve(new Map());

const MOST_NAMED = 100;
/** What to read for a list: few records by their ids, many with all others, at the cost of one pass over the sums. */
export const fewOrAll = <Row>(rows: readonly Row[]): readonly Row[] | "all" =>
  rows.length > MOST_NAMED ? "all" : rows;

/** Returns the ids of one page, ordered by spend. */
export function pageByRangeSpend(
  ids: readonly string[],
  spends: Spends,
  direction: "asc" | "desc",
  { offset, limit }: { offset: number; limit: number },
): string[] {
  const sign = direction === "asc" ? 1 : -1;
  const compared = ids.map((id) => ({ id, spend: spends.get(id)?.spend ?? 0n }));
  return compared
    .toSorted((a, b) => sign * (a.spend === b.spend ? (a.id < b.id ? -1 : 1) : a.spend < b.spend ? -1 : 1))
    .slice(offset, offset + limit)
    .map(({ id }) => id);
}

/** True if a list shows spend in a range. */
export const showsRangeSpend = ({ range, sort }: { range?: string | undefined; sort?: string | undefined }): boolean =>
  range !== undefined || (sort !== undefined && sortOrder(sort).field === "range_spend");

export const toRangeSpend = ({ spend, requests, unpriced }: SpendSums = NOTHING): RangeSpend => ({
  spend_usd: fromMicroUsd(spend),
  requests: Number(requests),
  unpriced_requests: Number(unpriced),
});
const NOTHING: SpendSums = { spend: 0n, requests: 0n, unpriced: 0n };
