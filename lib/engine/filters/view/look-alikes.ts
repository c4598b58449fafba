import { before, classAt, LETTER, MARK } from "../characters";

/** Cyrillic, Greek, Armenian, Cherokee and phonetic letters and the Latin letters they look like. */
const PAIRS =
  "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmвbтtнhӏlѵvүyАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԚQԜWҮYӀIηnιiοoτtκkνvχxγyρpαaυuεeΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXօoսuհhոnցgɡgɑaᎪAᏴBᏟCᎠDᎬEᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz";

/** Latin letters by the foreign letter that looks like them. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at): [string, string] => [
    PAIRS[2 * at] as string,
    PAIRS[2 * at + 1] as string,
  ]),
);

/** Length from which a word of look-alikes alone is disguised. */
const SHORTEST_WORD = 4;

const isLatin = (unit: number) => (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
const isOfWord = (text: string, at: number) => (classAt(text, at) & (LETTER | MARK)) !== 0;

/** True for a run of look-alikes beside a Latin letter, or on its own as a word of several letters. */
export function isDisguised(text: string, start: number, end: number): boolean {
  if (isLatin(text.charCodeAt(start - 1)) || isLatin(text.charCodeAt(end))) return true;
  if (end - start < SHORTEST_WORD || (end < text.length && isOfWord(text, end))) return false;
  return start === 0 || !isOfWord(text, before(text, start));
}
