"use client";
import type { Zone } from "@/components/time-range/time-range";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { relativeTime } from "@/components/ui/relative-text";
import { useNow } from "@/components/ui/use-now";
import { useZone } from "@/components/ui/use-zone";
import { clockText } from "./clock-text";

interface ClockTimeProps {
  /** ISO 8601. */
  at: string;
  zone?: Zone;
  /** False in a list of a single day. */
  hasDate?: boolean;
}

/** "Nov 3, 14:03:07", with "3 hours ago" and the exact time on hover. */
export function ClockTime({ at, zone = "local", hasDate = true }: ClockTimeProps) {
  const local = useZone();
  const { text, exact } = relativeTime(Date.parse(at), useNow(), zone === "utc" ? "UTC" : local);
  return (
    <time
      dateTime={at}
      title={`${text} · ${exact}`}
      className="whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {clockText(at, useTimeZone(zone), hasDate)}
    </time>
  );
}
