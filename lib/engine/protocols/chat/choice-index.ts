import type { JsonObject } from "../../../platform/json-values";

/** Returns the index of a choice; some upstreams leave out that of the only one. */
export const choiceIndexOf = ({ index }: JsonObject): number =>
  Number.isInteger(index) ? Math.max(0, Number(index)) : 0;
