import type { Detection } from "../detector";
import type { AddressOutline } from "./address-outline";
import { isPreceded, matchesAt } from "./surroundings";

/** Military mail: PSC 1437, Box 3833, APO AA 66791; USNS Bergman, FPO AP 93757. */
const MILITARY =
  /\b(?:(?:psc|cmr|unit)\s\d{1,5},?\s(?:box\s\d{1,5},?\s)?|(?:uss|usns|usnv|uscgc)\s[^\s,]{2,20},?\s)?(?:apo|fpo|dpo),?\s(?:aa|ae|ap)\s\d{5}(?!\d)/gi;

/** A flat or office, between the street and the town. */
const UNIT = /\b(?<!-)(?:apt|apartment|suite)\.?\s#?\d{1,4}(?![A-Za-z\d]|\.\d)/iy;
/** A house number and words, up to the unit; lines may start with the `>` of quoted email. */
const STREET_BEFORE =
  /(?<![\d.\p{L}])\d{1,6}(?:[ \t]\d{1,6})?[ \t]+[\p{L}\p{M}][^\n:;!?]{1,60}[,.]?\s{0,2}\n?[ \t>?]{0,8}$/u;
/** Towns and countries on the same or the following lines, up to a postcode. */
const TO_POSTCODE = /^[\p{L}\p{M}\s,.()'’>?*∆-]{1,90}\d{3,6}(?![\p{L}\d])/u;

/** Words that introduce an address. After those outside the capturing group, it must be a `CLEAR_STREET`. */
const CUE =
  /\b(?:(address(?:es)?(?: (?:is|to|with|of [^\n:,]{1,30} is))?|addresses,? here they are|(?:lives?|located|situated|drops you off) (?:at|on)|(?:station|stop|restaurant|shop|office|store) is (?:located )?(?:at|on))|(?:sent|shipped|ship|deliver|delivered|return|send it|moved?) to|(?:meet|see|visit) (?:me|us|you) at|(?:it is|it's) (?:in|at|on)|user(?=:)|billing address with)(?::| -)?\s{1,5}/iy;
const OTHER_ADDRESS = /(?:e-?mail|ip|mac|web|memory|url|return|base|start|bus|http|wallet|bitcoin) $/i;
/** A possible street: a number and a word, or words and a number. */
const STREET =
  /^(?:\d{1,6}(?: \d{1,5})?[ \t]\p{L}[\p{L}\p{M}.'’-]{1,24}(?: [\p{L}\p{M}.'’-]{1,20}){0,3}(?: \d{1,5}(?![\p{L}\d%:]))?|\p{Lu}[\p{L}\p{M}.'’-]{1,24}(?: [\p{L}\p{M}.'’-]{1,20}){0,3} \d{1,5}(?![\p{L}\d%:]))/u;
const CLEAR_STREET = /^\d{1,6} (?:\p{L}+ ){1,3}\d|^\d{1,6} \d|^\p{Lu}/u;
const NO_STREET =
  /^\d+\s(?:am|pm|a\.m|p\.m|o'?clock|minutes?|hours?|days?|weeks?|months?|years?|percent|miles?|km|kilomet\p{L}+|met\p{L}+|people|times|dollars|euros|degrees|of|to|and|or|in|on|at|for|is|was|are|different|more|other|new|bytes?|bits?)(?![\p{L}])|^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|room|level|floor|page|chapter|version|port|line|step|least)(?![\p{L}])/iu;
const CORNER =
  /(?<![\p{L}])the corner of (?:\d{1,5} )?[\p{L}\p{M}.'’-]{2,24}(?: [\p{L}\p{M}\d.'’-]{1,20}){0,3} and \p{Lu}[\p{L}\p{M}.'’-]{1,20}(?: \p{Lu}[\p{L}\p{M}.'’-]{1,20}){0,2}(?: \d{1,4})?/gu;

const lengthOf = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].length ?? 0;

/** Returns the end of an address that continues with towns, countries and a postcode; `end` for other addresses. */
function afterTowns(text: string, end: number): number {
  const more = TO_POSTCODE.exec(text.slice(end, end + 100))?.[0] ?? "";
  const isList = /[\n,]/.test(more) && more.split("\n").length <= 6;
  const isYear = /(?:^|\D)(?:19|20)\d\d$/.test(more) && !more.includes("\n");
  return isList && !isYear ? end + more.length : end;
}

/** Finds addresses by a unit, a military postcode, a street corner, or words that introduce one. */
export function blocksIn(
  text: string,
  { cues, units, hasMilitary }: Pick<AddressOutline, "cues" | "units" | "hasMilitary">,
): Detection[] {
  const found: Detection[] = [];
  const add = (start: number, end: number) => found.push({ start, end: afterTowns(text, end) });
  if (hasMilitary)
    for (const { 0: mail, index } of text.matchAll(MILITARY)) found.push({ start: index, end: index + mail.length });
  if (text.includes("the corner of "))
    for (const { 0: crossing, index } of text.matchAll(CORNER)) add(index, index + crossing.length);
  for (const { 0: unit, index } of matchesAt(UNIT, text, units)) {
    const before = lengthOf(STREET_BEFORE, text.slice(Math.max(0, index - 90), index));
    const end = index + unit.length;
    if (before > 0) add(index - before, end);
    else if (afterTowns(text, end) > end && /^\s*[\n,]/.test(text.slice(end, end + 4))) add(index, end);
  }
  for (const { 0: cue, 1: strong, index } of matchesAt(CUE, text, cues)) {
    const start = index + cue.length;
    const street = STREET.exec(text.slice(start, start + 130))?.[0];
    if (street === undefined || NO_STREET.test(street)) continue;
    if (strong === undefined ? CLEAR_STREET.test(street) : !isPreceded(text, index, OTHER_ADDRESS, 12))
      add(start, start + street.length);
  }
  return found;
}
