"use client";
import { useNow } from "./use-now";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long" });

function describe(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : "just now";
}

/** "3 hours ago", updated live, with the exact time on hover. `at` is ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={absolute.format(time)} className="whitespace-nowrap" suppressHydrationWarning>
      {describe(time, now)}
    </time>
  );
}
