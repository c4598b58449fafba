import type { JsonObject } from "../../../platform/json-values";

/** Returns the index of a choice, which some upstreams leave out if there is one choice. */
export const choiceIndexOf = ({ index }: JsonObject): number =>
  Number.isInteger(index) ? Math.max(0, Number(index)) : 0;
