"use client";
import { exactTime } from "@/components/ui/relative-text";
import { useNow } from "@/components/ui/use-now";
import { useZone } from "@/components/ui/use-zone";

const DAY_MS = 24 * 60 * 60 * 1000;
const NEAR_MS = 6 * DAY_MS;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "Thursday 14:00", or "Dec 3, 14:00" for more distant times, with the year if it is another one. Local time; UTC during server rendering, or with its name if `isUtc`. */
export function Moment({ at, isUtc = false }: { at: string; isUtc?: boolean }) {
  const ownZone = useZone();
  const time = Date.parse(at);
  const now = useNow();
  const isNear = Math.abs(time - now) < NEAR_MS && !isUtc;
  const timeZone = isUtc ? "UTC" : ownZone;
  const text = (options: Intl.DateTimeFormatOptions, of = time) =>
    new Intl.DateTimeFormat("en", { ...options, timeZone }).format(of);
  const year = { year: "numeric" } as const;
  const isOtherYear = text(year) !== text(year, now);
  return (
    <time dateTime={at} title={exactTime(time, timeZone)} className="whitespace-nowrap">
      {isNear
        ? `${text({ weekday: "long" })} `
        : `${text({ day: "numeric", month: "short", ...(isOtherYear && year) })}, `}
      {text(clock)}
      {isUtc && " UTC"}
    </time>
  );
}
