import type { FilterRule } from "../filters/filter-rule";

/** Identifies a detector with its regions. */
export const detectorName = (detector: FilterRule["detector"]): string =>
  detector.kind === "pattern" ? `pattern ${detector.pattern}` : nameOf(detector);

const nameOf = ({ slug, regions = [] }: Extract<FilterRule["detector"], { kind: "builtin" }>) =>
  regions.length === 0 ? slug : [slug, ...regions].join(" ");
