export const HOUR_MS = 60 * 60 * 1000;

/** A time range; `to` is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

export interface Spans {
  /** Whole hours or days in UTC, which rollups cover. */
  whole: Span[];
  /** Incomplete hours or days at both ends. */
  rest: Span[];
}

/** Splits a range into whole hours or days and the rest. All is rest if a bucket would end within an hour or day. */
export function spansOf({ from, to }: Span, bucketSeconds: number | null, unitMs: number): Spans {
  const first = Math.ceil(from.getTime() / unitMs) * unitMs;
  const end = Math.floor(to.getTime() / unitMs) * unitMs;
  if (first >= end || (bucketSeconds !== null && (bucketSeconds * 1000) % unitMs !== 0))
    return { whole: [], rest: [{ from, to }] };
  const whole = { from: new Date(first), to: new Date(end) };
  const rest = [
    { from, to: whole.from },
    { from: whole.to, to },
  ];
  return { whole: [whole], rest: rest.filter((span) => span.from < span.to) };
}
