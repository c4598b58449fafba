import { useSyncExternalStore } from "react";

/** The page's origin never changes, so there are no updates to subscribe to. */
const subscribe = () => () => undefined;

/** Returns the origin of the page; empty while rendered on the server. */
export const useOrigin = (): string =>
  useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => "",
  );
