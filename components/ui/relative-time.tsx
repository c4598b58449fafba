"use client";
import { relativeTime } from "./relative-text";
import { useNow } from "./use-now";
import { useZone } from "./use-zone";

/**
 * "3 hours ago", updated live, with the exact time on hover; more than a month away, the date. `at` is ISO 8601. In a table it has the
 * width of the longest text, so that columns don't move.
 */
export function RelativeTime({ at, isUpcoming = false }: { at: string; isUpcoming?: boolean }) {
  const now = useNow();
  const { text, exact } = relativeTime(Date.parse(at), now, useZone(), { isUpcoming });
  return (
    <time
      dateTime={at}
      title={exact}
      className="whitespace-nowrap md:in-[td]:inline-block md:in-[td]:min-w-26"
      suppressHydrationWarning
    >
      {text}
    </time>
  );
}
