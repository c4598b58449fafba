import type { Detection, Detector } from "../detector";
import { numbersIn } from "./digits";
import { isPreceded } from "./surroundings";

/** Issuer prefixes and the lengths they issue, in digits (ISO/IEC 7812). */
const ISSUERS: readonly (readonly [prefix: RegExp, ...lengths: number[]])[] = [
  [/^4/, 13, 16, 19],
  [/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 16],
  [/^3[47]/, 15],
  [/^3(?:0[0-5]|095|[689])/, 14, 16, 17, 18, 19],
  [/^(?:35(?:2[89]|[3-8])|62|81|220[0-5])/, 16, 17, 18, 19],
  [/^(?:50|5[6-9]|6)/, 13, 14, 15, 16, 17, 18, 19],
  [/^(?:82|9792)/, 16],
];

/** Number of digits of the shortest card number. */
const FEWEST = 12;
/** A candidate: consecutive digits, or groups of three to seven with a uniform separator. */
const CANDIDATE =
  /(?<![\p{Lu}\p{Ll}\d_]|_-|\d[./:])(?:\d{12,19}|\d{3,7}(?:([ \u00a0.\u2010-\u2015-])\d{3,7}(?:\1\d{1,7}){1,3}))(?![\p{Lu}\p{Ll}\d_]|\.\d)/gu;
const CARD_CUE =
  /\b(?:card|cc|pan|visa|master ?card|amex|american express|discover|diners|jcb|maestro|union ?pay|karte|kreditkarte|carte|tarjeta|carta|cart[ãa]o)\b[^.\n]{0,30}$/iu;

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits);
}

const isIssued = (digits: string) =>
  ISSUERS.some(([prefix, ...lengths]) => lengths.includes(digits.length) && prefix.test(digits));
/** Maestro numbers of 12 digits, which count only after a word for a card. */
const SHORT = /^(?:50|5[6-9]|6|0604)\d{8,10}$/;
/** Lengths of the groups of digits as printed on cards. */
const PRINTED = /^(?:(?:4 ){3}[1-7]|(?:4 ){4}[1-3]|4 6 [45]|4 4 5|6 \d{1,2}|\d{2})$/;

const isCard = (digits: string, isCued: boolean) =>
  (digits.length === 12
    ? isCued && SHORT.test(digits)
    : digits.length >= 13 && digits.length <= 19 && (isCued || isIssued(digits))) && isLuhn(digits);

/** True when the group before or after four groups has four digits as well, as in the row of a table. */
const isInRow = (groups: readonly { digits: string }[], first: number, last: number) =>
  last - first === 4 && (groups[first - 1]?.digits.length === 4 || groups[last]?.digits.length === 4);

/**
 * Returns the first, longest run of whole groups that is a card number; another number may precede it and a security
 * code follow it.
 */
function cardWithin(candidate: string, isCued: boolean): Detection | null {
  const groups = Array.from(candidate.matchAll(/\d+/g), ({ 0: digits, index }) => ({
    digits,
    start: index,
    end: index + digits.length,
  }));
  for (const [first, { start }] of groups.entries())
    for (let last = groups.length; last > first; last -= 1) {
      const run = groups.slice(first, last);
      const printed = run.map(({ digits }) => digits.length).join(" ");
      if (
        (isCued || (PRINTED.test(printed) && !isInRow(groups, first, last))) &&
        isCard(run.map(({ digits }) => digits).join(""), isCued)
      )
        return { start, end: run.at(-1)?.end ?? start };
    }
  return null;
}

/**
 * Detects payment card numbers: 13 to 19 digits that pass the Luhn check and have an issuer prefix in the usual groups,
 * or 12 to 19 that follow a word for a card.
 */
export const detectCreditCard: Detector = (text) =>
  numbersIn(text, CANDIDATE, FEWEST, ([candidate], index) => {
    const card = cardWithin(candidate, isPreceded(text, index, CARD_CUE, 50));
    return card && { start: index + card.start, end: index + card.end };
  });
