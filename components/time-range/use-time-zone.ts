import { useSyncExternalStore } from "react";
import type { Zone } from "./time-range";

const never = () => () => undefined;
const ofBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const ofServer = () => "UTC";

/** IANA name of the chosen time zone. The server doesn't know the browser's, so the first render is in UTC. */
export function useTimeZone(zone: Zone): string {
  const local = useSyncExternalStore(never, ofBrowser, ofServer);
  return zone === "utc" ? "UTC" : local;
}
