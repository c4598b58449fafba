import { before, classAt, isSurrogate, LETTER, MARK } from "../characters";
import { CONFUSABLES } from "./confusables";

/** Look-alikes that Unicode doesn't list, or lists with another Latin letter, such as capitals and small capitals. */
const PAIRS =
  "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmвbтtнhӏlѵvүyАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԚQԜWҮYӀIηnιiοoτtκkνvχxγyρpαaυuεeΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXօoսuհhոnցgɡgɑaᎪAᏴBᏟCᎠDᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzꭺaᏼbꮯcꭰdꭼeꮋhꭻjꮶkꮮlꮇmꮲpꮢrꮪsꭲtꮩvꮤwꮓzꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUⲁaⲃbⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭxⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX";

/** Latin letters by the foreign letter that looks like them. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...CONFUSABLES.flatMap(([latin, letters]) => Array.from(letters, (letter): [string, string] => [letter, latin])),
  ...Array.from({ length: PAIRS.length / 2 }, (_, at): [string, string] => [
    PAIRS[2 * at] as string,
    PAIRS[2 * at + 1] as string,
  ]),
]);

/** First halves of look-alikes of two code units. */
const FIRST_HALVES = new Set(
  Array.from(LOOK_ALIKES.keys())
    .filter(({ length }) => length > 1)
    .map((letter) => letter[0]),
);

/** True for a code unit that can start a look-alike. */
export const mayBeLookAlike = (unit: string) => LOOK_ALIKES.has(unit) || FIRST_HALVES.has(unit);

/** Returns the number of code units of the look-alike at a place; 0 for another character. */
export function lookAlikeAt(text: string, at: number): number {
  if (!isSurrogate(text.charCodeAt(at))) return LOOK_ALIKES.has(text.charAt(at)) ? 1 : 0;
  return LOOK_ALIKES.has(text.slice(at, at + 2)) ? 2 : 0;
}

/** Length from which a word of look-alikes counts as disguised. */
const SHORTEST_WORD = 4;
const UNDERSCORE = 95;

/** Number of characters of a word that are looked at for a Latin letter. */
const MOST_BETWEEN = 16;

const isLatin = (unit: number) => (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
const isDigit = (unit: number) => unit > 47 && unit < 58;

const isSecondHalf = (text: string, at: number) => at > 0 && lookAlikeAt(text, at - 1) === 2;

/** True when digits, underscores or other look-alikes from a place on lead to a Latin letter. */
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

/** True for a run of look-alikes in a word with a Latin letter, or on its own as a word of several letters. */
export function isDisguised(text: string, start: number, end: number): boolean {
  if (leadsToLatin(text, start - 1, -1) || leadsToLatin(text, end, 1)) return true;
  if (end - start < SHORTEST_WORD || (end < text.length && isOfWord(text, end))) return false;
  return start === 0 || !isOfWord(text, before(text, start));
}
