import type { Detector } from "../detector";
import { numbersIn } from "./digits";
import { isFollowed, isPreceded } from "./surroundings";

const DIGITS = 9;
/** Excludes areas 000, 666 and 900 to 999, group 00 and serial 0000 (Social Security Administration). */
const SSN =
  /(?<![\p{Lu}\p{Ll}\d_]|\d[.:/]|[-/$€£.@][-/$€£.@]?|\d[ \u2010-\u2015])(?!000|666|9)\d{3}([-\u2010-\u2015 .]?)(?!00)\d{2}\1(?!0000)\d{4}(?![\p{Lu}\p{Ll}\d_]|[-\u2010-\u2015./:,]\d|[-/][\p{Lu}\p{Ll}]|[%°€£$])/gu;
const CUE =
  /(?:\bSSNs?|\bSS ?#|\bsocial(?: security)?(?: (?:number|num|no\.?|id|#))?|\bsocial insurance|\b(?:taxpayer|tax) id(?:entification)?(?: (?:number|no\.?))?|\bTIN)(?:["'’):#=,>|\s-]|\b(?:is|was|number|no|on|file|for|the|his|her|my|their|of|as|ending|reads?|listed|are|it|it's|and|to|applicant|patient|employee|member|claimant)\b){0,12}$/i;
const CUE_AFTER = /^["'’)\s,(:;-]{0,4}(?:is (?:my|his|her|the|their) )?(?:\(?(?:SSN|SS#|social\b))/i;
const OTHER_NUMBER =
  /(?:#|\b(?:orders?|invoice|ticket|case|ref(?:erence)?|tracking|sku|serial|parts?|model|item|catalog(?:ue)?|lot|batch|build|confirmation|booking|po|rma|quote|claim|policy|account|acct|patent|job|document|doc|form|stock|article|asset|locker|room|bin|shelf|code|phone|tel|fax|version))(?:[\s:#"'=-]|\b(?:number|num|no|is|id|code|of|was|the|nr|key)\b\.?){0,8}$/i;

/**
 * Detects US Social Security numbers in valid ranges that are separated by hyphens or spaces. Numbers without
 * separators or with points count only next to a cue such as "SSN".
 */
export const detectSsn: Detector = (text) =>
  numbersIn(text, SSN, DIGITS, ([number, separator], index) => {
    const end = index + number.length;
    const isCued = isPreceded(text, index, CUE, 60) || isFollowed(text, end, CUE_AFTER, 30);
    const isPlain = separator !== "" && separator !== "." && !isPreceded(text, index, OTHER_NUMBER, 40);
    return isCued || isPlain ? { start: index, end } : null;
  });
