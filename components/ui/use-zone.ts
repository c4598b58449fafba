import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Time zone for formats: undefined, the browser's own; "UTC" while the page is rendered on the server and hydrated. */
export const useZone = (): "UTC" | undefined =>
  useSyncExternalStore(
    never,
    () => undefined,
    () => "UTC" as const,
  );
