"use client";
import { useSyncExternalStore } from "react";
import { useNow } from "@/components/ui/use-now";

const never = () => () => undefined;
const DAY_MS = 24 * 60 * 60 * 1000;
const NEAR_MS = 6 * DAY_MS;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "Thursday 14:00", or "3 Dec 14:00" for more distant times. Local time; UTC during server rendering, and with its name if `isUtc`. */
export function Moment({ at, isUtc = false }: { at: string; isUtc?: boolean }) {
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const time = Date.parse(at);
  const day =
    Math.abs(time - useNow()) < NEAR_MS && !isUtc
      ? ({ weekday: "long" } as const)
      : ({ day: "numeric", month: "short" } as const);
  const zone = isInBrowser && !isUtc ? {} : { timeZone: "UTC" };
  const text = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, ...zone }).format(time);
  return (
    <time dateTime={at} title={text({ dateStyle: "medium", timeStyle: "long" })} className="whitespace-nowrap">
      {text(day)} {text(clock)}
      {isUtc && " UTC"}
    </time>
  );
}
