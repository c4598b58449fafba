import type { Measured } from "./measure";

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export interface Spread {
  median: number;
  min: number;
  max: number;
}

const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Ratios of requests per second, round by round: rounds of the same number ran within seconds of each other. */
export const ratio = (of: Measured, against: Measured): Spread =>
  spread(of.rounds.map((round, index) => round.requestsPerSecond / (against.rounds[index]?.requestsPerSecond ?? NaN)));

/** Ratio of processor time per request, that of the database included: 2 if `of` needs half as much as `against`. */
export const cpuRatio = (of: Measured, against: Measured): number => cpuMicros(against) / cpuMicros(of);

const cpuMicros = ({ rounds }: Measured): number =>
  median(rounds.map(({ cpuMicros, databaseCpuMicros }) => (cpuMicros ?? NaN) + (databaseCpuMicros ?? NaN)));
