const DAY_S = 86_400;
const UNITS = [
  ["day", DAY_S],
  ["hour", 3_600],
  ["minute", 60],
] as const;
/** Older times are shown as a date. */
const FAR_S = 30 * DAY_S;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

type Zone = "UTC" | undefined;

const formats = (timeZone: Zone) => ({
  date: new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone }),
  exact: new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long", hourCycle: "h23", timeZone }),
});
const inZone = new Map<Zone, ReturnType<typeof formats>>();

function formatsOf(zone: Zone): ReturnType<typeof formats> {
  const known = inZone.get(zone) ?? formats(zone);
  inZone.set(zone, known);
  return known;
}

/** Returns the exact time, "Nov 3, 2026, 10:00:00 UTC". */
export const exactTime = (at: number, zone: Zone): string => formatsOf(zone).exact.format(at);

interface RelativeTimeOptions {
  /** True for a future event, even if its time has just passed: "in less than a minute" instead of "just now". */
  isUpcoming?: boolean;
}

/** Returns "3 hours ago", or the date if it is a month or more away; and the exact time. Times are in milliseconds. */
export function relativeTime(
  at: number,
  now: number,
  zone: Zone,
  { isUpcoming = false }: RelativeTimeOptions = {},
): { text: string; exact: string } {
  const difference = Math.round((at - now) / 1000);
  const seconds = isUpcoming ? Math.max(difference, 0) : difference;
  const exact = exactTime(at, zone);
  if (Math.abs(seconds) >= FAR_S) return { text: formatsOf(zone).date.format(at), exact };
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit) return { text: relative.format(Math.trunc(seconds / unit[1]), unit[0]), exact };
  return { text: isUpcoming ? "in less than a minute" : "just now", exact };
}
