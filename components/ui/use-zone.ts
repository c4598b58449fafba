import { useBrowserValue } from "./use-browser-value";

/** Time zone for formats: undefined, the browser's own; "UTC" while the page is rendered on the server and hydrated. */
export const useZone = (): "UTC" | undefined => useBrowserValue<"UTC" | undefined>(() => undefined, "UTC");
