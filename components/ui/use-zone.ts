import { useBrowserValue } from "./use-browser-value";

/** Time zone for formats: "UTC" on the server and during hydration, then undefined, the browser's own. */
export const useZone = (): "UTC" | undefined => useBrowserValue<"UTC" | undefined>(() => undefined, "UTC");
