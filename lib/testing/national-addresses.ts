import { readFileSync } from "node:fs";
import type { Detector } from "../engine/filters/detector";
import type { Half } from "./filter-accuracy";

/** Forms in which an address is tested. */
export const ADDRESS_FORMS = ["as written", "lower case", "no punctuation", "both"] as const;

const withoutMarks = (address: string) => address.replace(/[,.]/g, "").replaceAll(" - ", " ");
const inForm = {
  "as written": (address: string) => address,
  "lower case": (address: string) => address.toLowerCase(),
  "no punctuation": withoutMarks,
  both: (address: string) => withoutMarks(address).toLowerCase(),
} satisfies Record<(typeof ADDRESS_FORMS)[number], (address: string) => string>;

/** Addresses of invented people in real formats, by country. */
export const nationalAddresses = (half: Half): [country: string, addresses: string[]][] =>
  Object.entries(
    JSON.parse(
      readFileSync(new URL(`../engine/filters/corpora/national-address.${half}.json`, import.meta.url), "utf8"),
    ) as Record<string, string[]>,
  );

/** True when at least half of the address is found within a sentence, and in separate lines. */
function isFound(detect: Detector, address: string): boolean {
  return [`Hello, this is Mara Lindqvist: ${address}. Thanks!`, `Mara Lindqvist\n${address}\n`].every((text) => {
    const from = text.indexOf(address);
    const to = from + address.length;
    const covered = detect(text).reduce(
      (sum, { start, end }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
      0,
    );
    return covered * 2 >= address.length;
  });
}

/** Returns the addresses that aren't found in a form. */
export const missedAddresses = (
  detect: Detector,
  addresses: readonly string[],
  form: (typeof ADDRESS_FORMS)[number],
): string[] => addresses.map(inForm[form]).filter((address) => !isFound(detect, address));
