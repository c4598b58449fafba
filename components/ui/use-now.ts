import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;

const everyMinute = (onChange: () => void) => {
  const timer = setInterval(onChange, MINUTE_MS);
  return () => clearInterval(timer);
};
const currentMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Milliseconds since the epoch, to the minute; the component is shown anew when a minute has passed. */
export const useNow = (): number => useSyncExternalStore(everyMinute, currentMinute, currentMinute);
