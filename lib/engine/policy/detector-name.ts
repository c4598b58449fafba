import type { FilterRule } from "../filters/filter-rule";

/** Identifies a detector with its regions. */
export const detectorName = (detector: FilterRule["detector"]): string =>
  detector.kind === "pattern" ? `pattern ${detector.pattern}` : [detector.slug, ...(detector.regions ?? [])].join(" ");
