import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;

const everyMinute = (onChange: () => void) => {
  const timer = setInterval(onChange, MINUTE_MS);
  return () => clearInterval(timer);
};
const currentMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Current time in milliseconds, rounded to the minute. Re-renders the component every minute. */
export const useNow = (): number => useSyncExternalStore(everyMinute, currentMinute, currentMinute);
