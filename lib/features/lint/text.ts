import { count } from "../../platform/count";

const SHOWN_NAMES = 5;

/** Lists the first names and counts the rest. */
export const namesText = (names: readonly string[]): string =>
  names.length > SHOWN_NAMES
    ? `${names.slice(0, SHOWN_NAMES).join(", ")} and ${names.length - SHOWN_NAMES} more`
    : names.join(", ");

export const plural = (names: readonly string[], noun: string): string => count(names.length, noun);
