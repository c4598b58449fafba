"use client";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { timeLeft } from "./exception-text";

const SECOND_MS = 1000;

const everySecond = (onChange: () => void) => {
  const timer = setInterval(onChange, SECOND_MS);
  return () => clearInterval(timer);
};
const currentSecond = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

/** Remaining time, updated every second at a fixed width. Only its end is announced to screen readers. */
export function Countdown({ until, onEnd }: { until: string; onEnd: () => void }) {
  const now = useSyncExternalStore(everySecond, currentSecond, currentSecond);
  const left = Date.parse(until) - now;
  const isOver = left <= 0;
  const announceEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) announceEnd();
  }, [isOver]);
  return (
    <time
      role="timer"
      dateTime={until}
      className="inline-block min-w-[8ch] text-right font-mono text-[13px] whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {timeLeft(left)}
    </time>
  );
}
