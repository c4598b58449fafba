import { useBrowserValue } from "@/components/ui/use-browser-value";
import type { Zone } from "./time-range";

const ofBrowser = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name of the chosen time zone. The server doesn't know the browser's, so the first render is in UTC. */
export function useTimeZone(zone: Zone): string {
  const local = useBrowserValue(ofBrowser, "UTC");
  return zone === "utc" ? "UTC" : local;
}
