import { before, classAt, LETTER, MARK } from "../characters";

/** Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic and phonetic letters and the Latin letters they look like. */
const PAIRS =
  "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmвbтtнhӏlѵvүyАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԚQԜWҮYӀIηnιiοoτtκkνvχxγyρpαaυuεeΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXօoսuհhոnցgɡgɑaᎪAᏴBᏟCᎠDᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzꭺaᏼbꮯcꭰdꭼeꮋhꭻjꮶkꮮlꮇmꮲpꮢrꮪsꭲtꮩvꮤwꮓzꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUⲁaⲃbⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭxⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX";

/** Latin letters by the foreign letter that looks like them. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at): [string, string] => [
    PAIRS[2 * at] as string,
    PAIRS[2 * at + 1] as string,
  ]),
);

/** Length from which a word of look-alikes alone is disguised. */
const SHORTEST_WORD = 4;
const UNDERSCORE = 95;

/** Number of characters of a word that are looked at for a Latin letter. */
const MOST_BETWEEN = 16;

const isLatin = (unit: number) => (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
const isDigit = (unit: number) => unit > 47 && unit < 58;

/** True when digits, underscores or other look-alikes from a place on lead to a Latin letter. */
function leadsToLatin(text: string, from: number, step: 1 | -1): boolean {
  for (let at = from; Math.abs(at - from) < MOST_BETWEEN; at += step) {
    const unit = text.charCodeAt(at);
    if (isLatin(unit)) return true;
    if (!isDigit(unit) && unit !== UNDERSCORE && !LOOK_ALIKES.has(text.charAt(at))) return false;
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
