"use client";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { timeLeft } from "./exception-words";

const SECOND_MS = 1000;

const everySecond = (onChange: () => void) => {
  const timer = setInterval(onChange, SECOND_MS);
  return () => clearInterval(timer);
};
const currentSecond = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

/** How long is left, second by second and in the same place; only its end is told. */
export function Countdown({ until, onEnd }: { until: string; onEnd: () => void }) {
  const now = useSyncExternalStore(everySecond, currentSecond, currentSecond);
  const left = Date.parse(until) - now;
  const isOver = left <= 0;
  const tellEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) tellEnd();
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
