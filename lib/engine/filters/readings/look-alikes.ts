import { before, classAt, isSurrogate, LETTER, MARK } from "../characters";
import { CONFUSABLES } from "./confusables";

/** Pairs of look-alike and Latin letter that Unicode lacks or lists otherwise, such as small capitals. */
const PAIRS =
  "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmвbтtнhӏlѵvүyАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԚQԜWҮYӀIηnιiοoτtκkνvχxγyρpαaυuεeΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXօoսuհhոnցgɡgɑaᎪAᏴBᏟCᎠDᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzꭺaᏼbꮯcꭰdꭼeꮋhꭻjꮶkꮮlꮇmꮲpꮢrꮪsꭲtꮩvꮤwꮓzꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUⲁaⲃbⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭxⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX";

/** Latin letters by look-alike. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...CONFUSABLES.flatMap(([latin, letters]) => Array.from(letters, (letter): [string, string] => [letter, latin])),
  ...Array.from({ length: PAIRS.length / 2 }, (_, at): [string, string] => [
    PAIRS[2 * at] as string,
    PAIRS[2 * at + 1] as string,
  ]),
]);

/** High surrogates of look-alikes outside the Basic Multilingual Plane. */
const FIRST_HALVES = new Set(
  Array.from(LOOK_ALIKES.keys())
    .filter(({ length }) => length > 1)
    .map((letter) => letter[0]),
);

/** True for a code unit that can start a look-alike. */
export const mayBeLookAlike = (unit: string) => LOOK_ALIKES.has(unit) || FIRST_HALVES.has(unit);

/** Returns the number of code units of the look-alike at an offset; 0 for another character. */
export function lookAlikeAt(text: string, at: number): number {
  if (!isSurrogate(text.charCodeAt(at))) return LOOK_ALIKES.has(text.charAt(at)) ? 1 : 0;
  return LOOK_ALIKES.has(text.slice(at, at + 2)) ? 2 : 0;
}

/** Minimum number of code units of a word that consists of look-alikes only and counts as disguised. */
const SHORTEST_WORD = 4;
const UNDERSCORE = 95;

/** Maximum number of code units on each side that are searched for a Latin letter. */
const MOST_BETWEEN = 16;

const isLatin = (unit: number) => (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
const isDigit = (unit: number) => unit > 47 && unit < 58;

const isSecondHalf = (text: string, at: number) => at > 0 && lookAlikeAt(text, at - 1) === 2;

/** True when only digits, underscores and look-alikes precede a Latin letter in the direction of `step`. */
function leadsToLatin(text: string, from: number, step: 1 | -1): boolean {
  for (let at = from; Math.abs(at - from) < MOST_BETWEEN; at += step) {
    const unit = text.charCodeAt(at);
    if (isLatin(unit)) return true;
    const isOther = !isDigit(unit) && unit !== UNDERSCORE && !mayBeLookAlike(text.charAt(at));
    if (isOther && !isSecondHalf(text, at)) return false;
  }
  return false;
}

const isOfWord = (text: string, at: number) => (classAt(text, at) & (LETTER | MARK)) !== 0;

/** True for look-alikes in a word with a Latin letter, or that are a whole word of at least `SHORTEST_WORD`. */
export function isDisguised(text: string, start: number, end: number): boolean {
  if (leadsToLatin(text, start - 1, -1) || leadsToLatin(text, end, 1)) return true;
  if (end - start < SHORTEST_WORD || (end < text.length && isOfWord(text, end))) return false;
  return start === 0 || !isOfWord(text, before(text, start));
}
