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

const FOREIGN = [...LOOK_ALIKES.keys()].join("");

/** Matches a run of look-alikes beside a Latin letter, or on its own as a word of several letters. */
export const DISGUISED = new RegExp(
  `(?<=[A-Za-z])[${FOREIGN}]+|[${FOREIGN}]+(?=[A-Za-z])|(?<![\\p{L}\\p{M}])[${FOREIGN}]{4,}(?![\\p{L}\\p{M}])`,
  "gu",
);
