import { parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Ranges that end now. */
const RELATIVE = {
  "15m": { label: "Last 15 minutes", length: 15 * MINUTE_MS },
  "1h": { label: "Last hour", length: HOUR_MS },
  "6h": { label: "Last 6 hours", length: 6 * HOUR_MS },
  "24h": { label: "Last 24 hours", length: DAY_MS },
  "7d": { label: "Last 7 days", length: 7 * DAY_MS },
  "30d": { label: "Last 30 days", length: 30 * DAY_MS },
  "90d": { label: "Last 90 days", length: 90 * DAY_MS },
} as const;
export type RelativeRange = keyof typeof RELATIVE;
export const RELATIVE_RANGES = ["15m", "1h", "6h", "24h", "7d", "30d", "90d"] as const satisfies RelativeRange[];

export const ZONES = ["local", "utc"] as const;
export type Zone = (typeof ZONES)[number];

/** URL state of a time range. `from` and `to`, in ISO 8601, take precedence over the relative range. */
export const TIME_RANGE_STATE = {
  range: parseAsStringLiteral(RELATIVE_RANGES),
  from: parseAsString,
  to: parseAsString,
  zone: parseAsStringLiteral(ZONES).withDefault("local"),
};
export interface TimeRange<Preset extends RelativeRange = RelativeRange> extends Omit<
  inferParserType<typeof TIME_RANGE_STATE>,
  "range"
> {
  range: Preset | null;
}

export const relativeLabel = (range: RelativeRange): string => RELATIVE[range].label;

export const isAbsolute = ({ from, to }: Pick<TimeRange, "from" | "to">): boolean => from !== null || to !== null;

/** The next longer relative range; null for the longest, and for absolute ones. */
export function widerThan({ range, ...ends }: Pick<TimeRange, "range" | "from" | "to">): RelativeRange | null {
  if (range === null || isAbsolute(ends)) return null;
  return RELATIVE_RANGES[RELATIVE_RANGES.indexOf(range) + 1] ?? null;
}

/** Start and end of a range in ISO 8601; null where it is open. A relative range starts at a full minute. */
export function endsOf(
  { range, from, to }: Omit<TimeRange, "zone">,
  now: number,
): { from: string | null; to: string | null } {
  if (isAbsolute({ from, to }) || range === null) return { from, to };
  const start = Math.floor((now - RELATIVE[range].length) / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(start).toISOString(), to: null };
}

const TO_THE_MINUTE = "yyyy-mm-ddThh:mm".length;

/** Converts ISO 8601 to the text of a `datetime-local` input; empty if it isn't a time. */
export function toInput(iso: string | null, zone: Zone): string {
  const time = new Date(iso ?? "");
  if (Number.isNaN(time.getTime())) return "";
  const offset = zone === "utc" ? 0 : time.getTimezoneOffset() * MINUTE_MS;
  return new Date(time.getTime() - offset).toISOString().slice(0, TO_THE_MINUTE);
}

/** Converts the text of a `datetime-local` input to ISO 8601; null if it is empty. */
export const fromInput = (text: string, zone: Zone): string | null =>
  text === "" ? null : new Date(zone === "utc" ? `${text}Z` : text).toISOString();

export interface RangeRules {
  /** True if a range may be open at one end. */
  isOptional: boolean;
  maxDays: number | null;
}

/** Errors of an absolute range, by input. */
export function problemsOf(
  { from, to }: { from: string; to: string },
  { isOptional, maxDays }: RangeRules,
): { from: string[]; to: string[] } {
  const length = Date.parse(`${to}Z`) - Date.parse(`${from}Z`);
  const isTooLong = maxDays !== null && length > maxDays * DAY_MS;
  return {
    from:
      from === "" && !isOptional ? ["Start is required"] : isTooLong ? [`At most ${maxDays} days before the end`] : [],
    to: to === "" && !isOptional ? ["End is required"] : length <= 0 ? ["Must be after the start"] : [],
  };
}

/** A range as a short text: "Last 24 hours", "Nov 3, 10:00 – Nov 4, 12:30 UTC". */
export function describeRange({ range, from, to, zone }: TimeRange, timeZone: string): string {
  if (!isAbsolute({ from, to })) return range === null ? "Any time" : relativeLabel(range);
  const format = new Intl.DateTimeFormat("en", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  const text = (iso: string) => (Number.isNaN(Date.parse(iso)) ? iso : format.format(new Date(iso)));
  const suffix = zone === "utc" ? " UTC" : "";
  if (from === null) return `Until ${text(to ?? "")}${suffix}`;
  return to === null ? `Since ${text(from)}${suffix}` : `${text(from)} – ${text(to)}${suffix}`;
}

/** The ends of a range, to the second and with the time zone: "from Nov 3, 2026, 10:00:00 UTC until Nov 4, 2026, 12:30:00 UTC". */
export function describeEnds({ from, to }: { from?: string | undefined; to?: string | undefined }, timeZone: string) {
  const format = new Intl.DateTimeFormat("en", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
    timeZoneName: "short",
  });
  const end = (word: string, iso: string | undefined) =>
    iso === undefined ? [] : [`${word} ${format.format(new Date(iso))}`];
  return [...end("from", from), ...end("until", to)].join(" ");
}
