import type { Detection } from "../detector";
import { leadsTo, type AddressOutline } from "./address-outline";

/**
 * A house number: 12, 12a, 12-14, 263/2/14. Neither part of a word, value or decimal, nor a percentage.
 */
const HOUSE =
  /(?<![\p{L}\d.:=_#$€£+@/\\-]|\d,)\d{1,5}(?: ?[a-d](?![\p{L}\p{M}\d]))?(?:[-/]\d{1,4}[a-z]?){0,2}(?![\p{L}\d_%=]|[.:]\d)/iuy;

/** A word directly before or after the house number, which is replaced by `0`. */
const BESIDE = /\p{L}\p{M}?[\s,.:º°#]{1,3}0|0[,\s]{1,2}\p{L}/u;

/** Text that may be a postcode after the number, or before the street. */
const CODE = /\d{3}|[a-z]\d[a-z\d]|\d[a-z]{2}(?![a-z])/i;
const YEAR_OR_CODE = /\d{4}\s\p{L}/u;

/** Street types after a name. */
const AFTER_NAME =
  "street|str|st|road|rd|avenue|ave|av|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|tce|crescent|cres|close|parkway|pkwy|highway|hwy|way|gardens|gdns|grove|mews|row|walk|quay|hill|parade|esplanade|circle|cir|trail|trl|marg|nagar|chowk|alley|ro|gil";
/** Street types between the house number and the name. */
const AFTER_HOUSE = "rue|avenue|av|boulevard|bd|place|quai|chemin|allée|impasse|cours|route|square|jalan";
const KOREAN_TYPES = "ro|gil|daero";
/** Street types before a name that the house number follows. */
const BEFORE_NAME =
  "calle|avenida|avda|av|paseo|plaza|ronda|carrer|camino|carrera|via|viale|corso|piazza|piazzale|largo|vicolo|strada|str|bulevardul|calea|aleea|rua|r|travessa|praça|alameda|estrada|ul|ulica|al|aleja|rue|avenue|boulevard|place|chaussée|chemin|leoforos|odos|jalan|náměstí|nám";
const PREPOSITIONS = "am|an der|im|zum|zur|na|nad|pod|u";
/** Suffixes of street names, and street types after a name; the house number follows both. */
const ENDINGS =
  "straße|strasse|gasse|weg|allee|platz|ring|ufer|damm|steig|chaussee|markt|gracht|straat|laan|plein|singel|kade|dijk|steenweg|vej|vejen|gade|boulevarden|gatan|vägen|gata|gaten|veien|vegen|katu|tie|kuja|polku|utca|ská|cká|ova|ná|ského";
const LAST_WORDS =
  "straße|strasse|weg|platz|allee|markt|straat|laan|plein|utca|út|tér|körút|gate|gata|vei|vägen|vej|allé|plads|katu|caddesi|cad|sokak|sokağı|sok|bulvarı|ulice|třída|cesta";

const NUMBER_FIRST = new RegExp(
  `^,?\\s(?:(?:[\\p{L}\\p{M}\\d][\\p{L}\\p{M}\\d.'’-]{0,20}\\s){1,4}(?:${AFTER_NAME})|(?:(?:bis|ter)\\s)?(?:${AFTER_HOUSE})\\.?\\s[\\p{L}\\p{M}][\\p{L}\\p{M}.'’-]{1,24}(?:\\s[\\p{L}\\p{M}][\\p{L}\\p{M}.'’-]{0,24}){0,4}?|[\\p{L}\\p{M}-]{3,20}-(?:${KOREAN_TYPES})(?:\\s\\d{1,3}-gil)?)(?![\\p{L}\\p{M}\\d])\\.?`,
  "iu",
);
const TYPE_FIRST = new RegExp(
  `(?<![\\p{L}\\p{M}\\d_./-])(?:${BEFORE_NAME}|(?:${PREPOSITIONS})(?=\\s\\p{L})|c\\/|[c]\\b)\\.?\\s(?:[\\p{L}\\p{M}\\d][\\p{L}\\p{M}\\d.'’-]{0,24}[\\s,]\\s?){1,5}(?:n[ºo°r]?[.:]{0,2}\\s?)?$|(?<![\\p{L}\\p{M}\\d_./-])sector\\s$`,
  "iu",
);
const COMPOUND = new RegExp(
  `(?<![\\p{L}\\p{M}\\d_./-])(?:(?:[a-z]{1,3}|[\\p{L}\\p{M}]{3,20}-)?[\\p{L}\\p{M}-]{1,24}(?:${ENDINGS})|(?:[\\p{L}\\p{M}][\\p{L}\\p{M}.'’-]{1,20}\\s){1,3}(?:${LAST_WORDS}))[.,]?\\s(?:(?:no|nr|č)[.:]{0,2}\\s?)?$`,
  "iu",
);

/** Necessary conditions for the patterns, which are cheaper to test. */
const asciiWords = (...lists: string[]) =>
  lists.flatMap((list) => list.split(/[| ]/)).filter((word) => /^[a-z]+$/.test(word));
const HAS_TYPE_AFTER = new Set(asciiWords(AFTER_NAME, AFTER_HOUSE, KOREAN_TYPES));
const HAS_TYPE_BEFORE = new Set([...asciiWords(BEFORE_NAME, PREPOSITIONS), "c", "sector"]);
const lastLetters = new Set(asciiWords(ENDINGS, LAST_WORDS).map((word) => word.slice(-3)));
const MAY_BE_COMPOUND = new RegExp(
  `(?:${[...lastLetters].join("|")})[.,]?\\s(?:n[or][.:]{0,2}\\s?)?$|[^\\x00-\\x7f\\u2010-\\u2027\\u2030-\\u205e]`,
  "i",
);
const BEFORE_NUMBER = /[\s,°]$/;
const AFTER_NUMBER = /^,?\s/;

/** A street without a type, such as 14 The Paddock, which only its postcode identifies. */
const NAMED = /^,?\s[\p{L}\p{M}][\p{L}\p{M}.'’-]{1,20}(?:\s[\p{L}\p{M}][\p{L}\p{M}.'’-]{1,20}){0,3}/iu;

const OF_LETTERS =
  "[a-z]{1,2}\\d[a-z\\d]?\\s\\d[abd-hjlnp-uw-z]{2}|[a-z]\\d[a-z]\\s?\\d[a-z]\\d|[ac-fhknprtv-y]\\d[\\dw]\\s?[acdefhknprtv-y\\d]{4}";
const STATES =
  "al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|dc";
/** Text between street and postcode: units, floors, districts and towns. */
const BETWEEN =
  "[\\p{L}\\p{M}\\d ,.'’°ºª#:/()-]{0,70}?\\n?[\\p{L}\\p{M}\\d ,.'’°ºª#:/()-]{0,40}?(?<![\\p{L}\\p{M}\\d])";
const TOWN = "(?:\\s[\\p{L}\\p{M}][\\p{L}\\p{M}.'’/-]{2,24})";
const END = "(?![\\p{L}\\p{M}\\d]|[.:,]\\d)";

/** Postcodes in the form of one country, or with a state or country code. */
const CERTAIN = new RegExp(
  `^${BETWEEN}(?:(?:${OF_LETTERS}|(?:${STATES})\\s\\d{5}(?:-\\d{4})?|(?:nsw|vic|qld|sa|wa|tas|act|nt)\\s\\d{4}|[a-z]\\d{4}[a-z]{3}|\\d{5}-\\d{3})${END}|(?:a|b|ch|d|dk|f|fl|l|nl|s)-\\d{4,5}${END}${TOWN}|(?:\\d{2}-\\d{3}|\\d{4}-\\d{3}|\\d{3}-\\d{4}|\\d{3}\\s\\d{2})${END}${TOWN}?)`,
  "iu",
);
const LETTERED = new RegExp(`^[\\p{L}\\p{M} ,.'’-]{0,40}?(?<![\\p{L}\\p{M}\\d])(?:${OF_LETTERS})${END}`, "iu");
/** Necessary condition for `LETTERED`: a digit near the beginning. */
const CODE_NEAR = /^\D{1,44}\d/;
/** Five or six digits after or before a town. */
const LONG = new RegExp(`^${BETWEEN}(?:[a-z]{1,3}-)?\\d{5,6}${END}${TOWN}?`, "iu");
/** Four digits right after the street or its unit, with a town; or after a town at the end of a line or phrase. */
const SHORT = new RegExp(
  `^(?:[ ,]{1,2}(?:\\d{1,3}[.°ºa-z]?|[a-d]|bus|top|lok|tv|th|mf|st|app?t|d)[.:]?){0,4},?[ \\n]\\s?(?:[a-z]{1,2}-)?\\d{4}(?:\\s[a-z]{2})?(?![\\p{L}\\d])${TOWN}`,
  "iu",
);
const BEFORE_TOWN = new RegExp(
  `^(?:\\s[\\p{L}\\p{M}][\\p{L}\\p{M}.'’-]{1,20}){0,4},?\\s(?!19|20)\\d{4}${TOWN}${END}`,
  "iu",
);
const AFTER_TOWN =
  /^(?:[, \n]{1,2}[\p{L}\p{M}][\p{L}\p{M}.'’-]{1,20}){1,4},?\s(?!19|20)\d{4}(?![\p{L}\d]|[.:,]\d| [\p{L}\d])/iu;

/** Words of sentences, which don't occur between street and postcode. */
const SENTENCE =
  /(?<![\p{L}\p{M}])(?:is|was|pages?|rows?|lines?|people|meters|metres|feet|miles|were|are|be|has|have|had|and|or|with|for|from|to|at|by|that|this|it|we|i|you|they|he|she|not|will|would|can|could|when|then|than|about|after|before|und|ist|war|mit|est|était|avec|pour|es|fue|con|para|och|jest|był|on|if|but|so|per|als|wie|took|error|of\s(?:a|an|its|this|that))(?![\p{L}\p{M}])/iu;
const FIRST_WORDS = /^(?:[\p{L}\p{M}]{1,5}\s)?(?:in|at|on|to|from|near|the|is|by|nach|bei|aus|à|au|en|i|på|w|we)\s/iu;

/** Addresses in Chinese, Japanese and Korean script, from the largest part to the number. */
const EAST_ASIAN =
  /(?:〒?\s?\d{3}-\d{4}\s?)?(?:東京都|北海道|京都府|大阪府|\p{Script=Han}{2,3}県)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,24}\d{1,4}(?:[-‐−丁目番地号の]{1,2}\d{1,4}){0,3}(?:号|番地|番)?|(?:\p{Script=Han}{2,8}(?:省|自治区))?\p{Script=Han}{2,5}市\p{Script=Han}{1,6}[区县區縣]\p{Script=Han}{1,14}[路街道巷弄]\d{1,5}[号號](?:[\p{Script=Han}A-Z\d]{0,6}[座楼室栋樓])?|[가-힣]{2,6}(?:특별시|광역시|특별자치시|도|시)\s?[가-힣]{1,5}[시구군]\s?(?:[가-힣]{1,5}구\s?)?[가-힣\d]{1,12}[로길](?:\s?\d{1,3}번?길)?\s?\d{1,5}(?:-\d{1,4})?(?:,?\s?\d{1,4}[층호동]){0,2}/gu;
/** Three and two digits with a town, after a street of any name: Ermou 56, 105 63 Athina. */
const SPACED = new RegExp(`^(?:[/ ]\\d{1,4}[a-z]?)?,?\\s\\d{3}\\s\\d{2}${TOWN}${END}`, "iu");
const ANY_NAME = /(?<![\p{L}\p{M}\d_./-])(?:[\p{L}\p{M}]{2,20}\s)?[\p{L}\p{M}]{4,24}\s$/iu;
/** A postcode and town before the street: 1052 Budapest, Váci utca 22. */
const TOWN_FIRST = /(?<![\p{L}\d.:-]|\d )(?!19|20)\d{4}\s[\p{L}\p{M}-]{3,20},?\s$/iu;
/** Japanese blocks in Latin letters: 2-11-3 Meguro, Meguro-ku, Tokyo 153-0063. */
const JAPANESE =
  /^(?:[, ]{1,2}[\p{L}-]{2,20}){1,4}-(?:ku|shi|cho|gun|machi|mura)(?:[, ]{1,2}[\p{L}-]{3,20}){0,2}(?:\s\d{3}-\d{4})?(?![\p{L}\d])/iu;
const HAS_EAST_ASIAN = /[\p{Script=Han}\uac00-\ud7af]/u;
/** The districts of Korean road names: 27 Teheran-ro 4-gil, Gangnam-gu, Seoul 06232. */
const KOREAN = /^[, ]{1,2}[\p{L}-]{2,20}-(?:gu|gun|si|dong|eup)(?:[, ]{1,2}[\p{L}-]{3,20}){0,2}(?:\s\d{5}(?!\d))?/iu;
/** Argentine postcodes: X5000 Córdoba. */
const ARGENTINE =
  /^(?:,?\s\d{1,2}[°º]?\s?[A-Z]?)?,\s[A-HJ-NP-Z]\d{4}(?:[A-Z]{3})?\s\p{Lu}\p{L}{2,20}(?:\s\p{Lu}\p{L}{2,20}){0,2}/u;
const CAPITALIZED = /(?<![\p{L}\p{M}])(?:\p{Lu}[\p{L}\p{M}.]{1,20}\s){1,4}$/u;

/** A street, and the position from which its postcode is searched. */
interface Street {
  start: number;
  end: number;
  isNumberFirst: boolean;
}

/** Returns the street around a house number. */
function streetAround(text: string, start: number, end: number): Street | null {
  const isBefore =
    AFTER_NUMBER.test(text.slice(end, end + 2)) && leadsTo(HAS_TYPE_AFTER, text, end, Math.min(text.length, end + 100));
  const after = isBefore ? NUMBER_FIRST.exec(text.slice(end, end + 100))?.[0] : undefined;
  if (after !== undefined && !SENTENCE.test(after)) return { start, end: end + after.length, isNumberFirst: true };
  if (!BEFORE_NUMBER.test(text.slice(Math.max(0, start - 1), start))) return null;
  const from = Math.max(0, start - 70);
  const before = text.slice(from, start);
  const typed = leadsTo(HAS_TYPE_BEFORE, text, from, start) ? TYPE_FIRST.exec(before)?.[0] : undefined;
  const named = typed ?? (MAY_BE_COMPOUND.test(before.slice(-12)) ? COMPOUND.exec(before)?.[0] : undefined);
  if (named === undefined || SENTENCE.test(named)) return null;
  const skipped = FIRST_WORDS.exec(named)?.[0].length ?? 0;
  return { start: start - named.length + skipped, end, isNumberFirst: false };
}

function lengthOf(pattern: RegExp, text: string): number {
  const found = pattern.exec(text)?.[0] ?? "";
  return SENTENCE.test(found) ? 0 : found.length;
}

/**
 * Finds addresses in lower case or without punctuation (a street with its type and number, followed by a postcode), and
 * addresses in East Asian scripts.
 */
export function nationalAddressesIn(
  text: string,
  { houses, isFar }: Pick<AddressOutline, "houses" | "isFar">,
): Detection[] {
  const found: Detection[] =
    isFar && HAS_EAST_ASIAN.test(text)
      ? Array.from(text.matchAll(EAST_ASIAN), ({ 0: whole, index }) => ({ start: index, end: index + whole.length }))
      : [];
  for (const index of houses) {
    HOUSE.lastIndex = index;
    const house = HOUSE.exec(text)?.[0];
    if (house === undefined) continue;
    const end = index + house.length;
    if (!BESIDE.test(`${text.slice(Math.max(0, index - 4), index)}0${text.slice(end, end + 3)}`)) continue;
    if (!CODE.test(text.slice(end, end + 130)) && !YEAR_OR_CODE.test(text.slice(Math.max(0, index - 110), index)))
      continue;
    const street = streetAround(text, index, end);
    const address = street ? withTown(text, street) : unnamed(text, house, index);
    if (address) found.push(address);
  }
  return found;
}

/** Returns the address of a street with its postcode, if it has one. */
function withTown(text: string, { start, end, isNumberFirst }: Street): Detection | null {
  const rest = text.slice(end, end + 130);
  const before = text.slice(Math.max(0, start - 40), start);
  const first = isNumberFirst ? null : TOWN_FIRST.exec(before);
  if (first) return { start: start - first[0].length, end };
  const length =
    lengthOf(CERTAIN, rest) ||
    lengthOf(LONG, rest) ||
    (isNumberFirst
      ? lengthOf(KOREAN, rest) || lengthOf(AFTER_TOWN, rest) || lengthOf(BEFORE_TOWN, rest)
      : lengthOf(SHORT, rest));
  return length > 0 ? { start, end: end + length } : argentine(text, start, end);
}

/** Returns the address around a house number without a street's type. */
function unnamed(text: string, house: string, index: number): Detection | null {
  const end = index + house.length;
  const rest = text.slice(end, end + 130);
  const before = text.slice(Math.max(0, index - 60), index);
  const lettered = CODE_NEAR.test(rest) && NAMED.test(rest) ? lengthOf(LETTERED, rest) : 0;
  if (lettered > 0) return { start: index, end: end + lettered };
  const japanese = house.includes("-") ? lengthOf(JAPANESE, rest) : 0;
  if (japanese > 0) return { start: index, end: end + japanese };
  const spaced = lengthOf(SPACED, rest);
  const name = spaced > 0 ? (ANY_NAME.exec(before)?.[0] ?? "") : "";
  if (name !== "" && !SENTENCE.test(name)) return { start: index - name.length, end: end + spaced };
  const capitalized = lengthOf(ARGENTINE, text.slice(end, end + 100)) > 0 ? CAPITALIZED.exec(before)?.[0] : undefined;
  return capitalized === undefined ? null : argentine(text, index - capitalized.length, end);
}

function argentine(text: string, start: number, end: number): Detection | null {
  const length = lengthOf(ARGENTINE, text.slice(end, end + 100));
  return length > 0 ? { start, end: end + length } : null;
}
