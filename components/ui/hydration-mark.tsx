import { useIsHydrated } from "./use-browser-value";

/** An element that a part of the page contains until React has hydrated the part: its controls do nothing before. */
export const HydrationMark = () => (useIsHydrated() ? null : <template data-hydrating="" />);
