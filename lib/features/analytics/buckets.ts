const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY] as const;
const MAX_BUCKETS = 100;

/** A Monday, 00:00 UTC. Buckets are aligned to it, so that they are full minutes, hours, days and weeks. */
export const BUCKET_ORIGIN = new Date("1970-01-05T00:00:00Z");

export interface Buckets {
  seconds: number;
  /** Start of each bucket; the first contains `from`. */
  starts: Date[];
}

/** Returns the shortest buckets with which at most a hundred cover the range from `from` to before `to`. */
export function bucketsOf(from: Date, to: Date): Buckets {
  const ranges = STEPS.map((seconds) => ({
    seconds,
    first: bucketNumber(from, seconds),
    last: bucketNumber(new Date(to.getTime() - 1), seconds),
  }));
  const chosen = ranges.find(({ first, last }) => last - first < MAX_BUCKETS) ?? ranges.at(-1);
  if (!chosen) throw new Error("no bucket sizes");
  const { seconds, first, last } = chosen;
  return {
    seconds,
    starts: Array.from(
      { length: last - first + 1 },
      (_, index) => new Date(BUCKET_ORIGIN.getTime() + (first + index) * seconds * 1000),
    ),
  };
}

const bucketNumber = (at: Date, seconds: number): number =>
  Math.floor((at.getTime() - BUCKET_ORIGIN.getTime()) / (seconds * 1000));
