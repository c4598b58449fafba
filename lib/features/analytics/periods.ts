import { addUp, toSums } from "./sums";
import type { Sums } from "./usage-contract";
import type { BucketRow, LatencyRow } from "./usage-store";

export type Period = "current" | "previous";

/** Returns the sums of a whole period. */
export const sumsOfPeriod = (rows: readonly BucketRow[], period: Period): Sums =>
  toSums(addUp(rows.filter(({ bucket }) => (bucket !== null) === (period === "current"))));

/** Returns the latencies of a whole period, without its buckets. */
export const latenciesOfPeriod = (rows: readonly LatencyRow[], period: Period): LatencyRow[] =>
  rows.filter(({ is_current, bucket }) => is_current === (period === "current") && bucket === null);
