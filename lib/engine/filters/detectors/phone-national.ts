import parsePhoneNumber, { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";

/** A possible national number: one group of digits or several with separators, not in code or a longer list. */
export const NATIONAL =
  /(?<![\p{Lu}\p{Ll}\d_+#$€£%]|\d[ \u00a0\t]{1,4}|[\p{Lu}\p{Ll}\d][-._:/+=,]|=[-.]?)\(?\d{1,12}(?:[ \u00a0./()\u2010-\u2015-]{1,3}\d{1,8}){0,5}(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_%€$£]|[-./:,]\d|[ \u00a0\t]{1,4}\d))/gu;

/** Common lengths of the groups of numbers without a leading zero, besides those of the national format. */
const GROUPS = new Set([
  "4 4",
  "2 2 2 2",
  "3 2 3",
  "2 3 3",
  "3 3 3",
  "3 2 2 2",
  "2 3 2 2",
  "5 5",
  "3 3 4",
  "2 4 4",
  "3 3 2 2",
  "4 3 3",
  "3 6",
  "3 7",
  "3 4 4",
  "2 5 4",
]);
/** Lengths that count only if the numbering plan has them, too. */
const OWN_GROUPS = new Set(["3 4", "3 5", "2 6", "2 5"]);
/** Common lengths for numbers without the prefix that the national format has. */
const SHORT_GROUPS = new Set(["5 5", "3 3 2 2"]);
const DATE_LIKE =
  /^(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}|\d{2}[.:]\d{2}[.:]\d{2})(?:\D|$)/;
/** A year followed by four digits, which are another year or a day, or a decimal number below 1. */
const FIGURES = /^(?:(?:19|20)\d{2}\D{1,3}\d{4}|0\.\d+)$/;

const groupsOf = (number: string) => number.match(/\d+/g) ?? [];
const shapeOf = (groups: readonly string[]) => groups.map(({ length }) => length).join(" ");

/** True for digits in the form of a phone number; a cheap test before numbering plans are consulted. */
export function mayBeNational(number: string): boolean {
  const groups = groupsOf(number);
  const length = groups.join("").length;
  if (length < 7 || length > 13 || DATE_LIKE.test(number) || FIGURES.test(number)) return false;
  const [first = "", ...rest] = groups;
  const isZero = first.startsWith("0");
  if (rest.length === 0) return isZero && length >= 10;
  if (isZero) return rest.every((group, place) => group.length > 1 || place === 0) && first.length < 7;
  return rest.length > 1 || GROUPS.has(shapeOf(groups)) || OWN_GROUPS.has(shapeOf(groups)) || number.startsWith("(");
}

/**
 * True when the digits are a valid number of the region in a usual form: with a leading zero in any groups or none,
 * otherwise in the groups of the numbering plan or in common ones.
 */
export function isNational(number: string, region: string): boolean {
  if (!isSupportedCountry(region)) return false;
  const parsed = parsePhoneNumber(number, { defaultCountry: region, extract: false });
  if (!parsed?.isValid() || parsed.countryCallingCode !== getCountryCallingCode(region)) return false;
  const groups = groupsOf(number);
  const digits = groups.join("");
  const own = parsed.formatNational();
  const ownGroups = groupsOf(own);
  const shape = shapeOf(groups);
  if (digits.startsWith("0") && digits.length >= 9) return true;
  if (!isSpaced(number, own)) return false;
  return ownGroups.join("") === digits ? shape === shapeOf(ownGroups) || GROUPS.has(shape) : SHORT_GROUPS.has(shape);
}

/** True unless the separators are typical of amounts, versions and codes. */
const isSpaced = (number: string, own: string): boolean =>
  number.startsWith("0") ||
  number.startsWith("(") ||
  (!/\/| {2}/.test(number) &&
    (!number.includes(".") || groupsOf(number).length > 3) &&
    (!/[-\u2010-\u2015]/.test(number) || own.includes("-") || groupsOf(number).length > 2));
