import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** A value that only the browser knows; `onServer` until React has hydrated the page. */
export const useBrowserValue = <Value>(read: () => Value, onServer: Value): Value =>
  useSyncExternalStore(never, read, () => onServer);

/** False on the server and until React has hydrated the page: controls that need scripts do nothing before. */
export const useIsHydrated = (): boolean => useBrowserValue(() => true, false);
