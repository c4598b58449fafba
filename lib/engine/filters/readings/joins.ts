import { classOf, isSurrogate, SPACE as SPACES } from "../characters";
import { unitsOf } from "../code-units";
import { areGroups, areNumbers } from "./number-lines";
import { edited, Edits, lazy, type TextForm } from "./text-form";

/** Maximum number of characters on each side of a join that a value may extend over. */
export const REACH = 160;
/** Number of characters on each side of a join that show whether a value may be split there. */
export const NEAR = 32;

/**
 * Inline Markdown and HTML, without underscores that are escaped or alone in their emphasis: `sk\_live`, `sk**_**live`.
 * More repetitions would overflow V8's stack.
 */
const MARKUP =
  /(?:[*`~]{1,3}|(?<!\\)(?:(?<![*`~>])_{1,3}|_{1,3}(?![*`~<_]))|\\(?=[!-/:-@[-`{-~])|<\/?[A-Za-z][^<>\n]{0,80}>|<!--[^<>]{0,80}-->){1,1000}/y;
const HAS_SITE = /[*`~_\\<\n]/;
const WORD = /[\p{L}\p{N}]/u;
const UNDERSCORES = /^_+$/;
/** The end of the first part of a split value, and the start of its second part. */
const BEFORE = /[\p{L}\p{N})][@._+%/:*`~\\-]{0,6}[ \t]{0,4}$/u;
const AFTER = /^ ?[@._+%/:*`~\\(-]{0,6}[\p{L}\p{N}]/u;
const TAG = /<\/?[A-Za-z][^<>]*>/g;
/** Text that is likely a value rather than prose. */
const VALUE = /\d|[@_]|[\p{L}\d]-|-[\p{L}\d]|\p{Lu}{2}/u;

/** Markup or a line break that may split a word or a value. */
interface Site {
  start: number;
  end: number;
  isBreak: boolean;
  isValue: boolean;
}

const withoutTags = (text: string) => (text.includes("<") ? text.replace(TAG, "") : text);
const SPACE = /\s/;

function lastWord(text: string): string {
  const trimmed = text.trimEnd();
  let start = trimmed.length;
  while (start > 0 && !SPACE.test(trimmed.charAt(start - 1))) start -= 1;
  return trimmed.slice(start);
}

function firstWord(text: string): string {
  const from = text.startsWith(" ") ? 1 : 0;
  let end = from;
  while (end < text.length && !SPACE.test(text.charAt(end))) end += 1;
  return text.slice(from, end);
}

/** Classes of characters; they replace the patterns in most cases. */
const [PLAIN_LETTER, CAPITAL, DIGIT, HYPHEN, SIGN, BLANK, NUMERAL, OTHER] = [1, 2, 3, 4, 5, 6, 7, 8];
const CLASS = 15;
/** Bits of characters that may be between a word and a site, before the site and after it. */
const [MARK_BEFORE, MARK_AFTER] = [16, 32];
const KNOWN = 64;
/** Bit of characters that a site can start with. */
const START = 128;
/** Kinds by code unit, computed on first use beyond ASCII. */
const KINDS = new Uint8Array(65536);

function kindOf(unit: number): number {
  const known = KINDS[unit] as number;
  return known === 0 ? classified(unit) : known;
}

function classified(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind =
    KNOWN |
    classIn(character, unit) |
    ("@._+%/:*`~\\-".includes(character) ? MARK_BEFORE : 0) |
    ("@._+%/:*`~\\(-".includes(character) ? MARK_AFTER : 0) |
    ("*`~_\\<\n\r".includes(character) ? START : 0);
  KINDS[unit] = kind;
  return kind;
}

/** Returns the class of a character; 0 for angle brackets and surrogates, which only the patterns can classify. */
function classIn(character: string, unit: number): number {
  if (character === "<" || character === ">" || isSurrogate(unit)) return 0;
  if (/\p{Lu}/u.test(character)) return CAPITAL;
  if (/\p{L}/u.test(character)) return PLAIN_LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (/\p{N}/u.test(character)) return NUMERAL;
  if (/\s/.test(character)) return BLANK;
  return character === "-" ? HYPHEN : /[@_]/.test(character) ? SIGN : OTHER;
}

for (let unit = 0; unit < 128; unit += 1) classified(unit);

/** True if the words around a site look like a value, as `VALUE` defines it; null if only the pattern can decide. */
function isValueBeside(units: Uint16Array, start: number, end: number, length: number): boolean | null {
  const low = Math.max(0, start - NEAR);
  const high = Math.min(length, end + NEAR);
  let last = start;
  while (last > low && (kindOf(units[last - 1] as number) & CLASS) === BLANK) last -= 1;
  let from = last;
  while (from > low && (kindOf(units[from - 1] as number) & CLASS) !== BLANK) from -= 1;
  let before = 0;
  let isValue = false;
  for (let at = from; at < last; at += 1) {
    const kind = kindOf(units[at] as number) & CLASS;
    if (kind === 0) return null;
    isValue ||= isValuePair(before, kind);
    before = kind;
  }
  for (let at = units[end] === 32 ? end + 1 : end; at < high; at += 1) {
    const kind = kindOf(units[at] as number) & CLASS;
    if (kind === 0) return null;
    if (kind === BLANK) break;
    isValue ||= isValuePair(before, kind);
    before = kind;
  }
  return isValue;
}

const ANGLE = 60;

/** True when a character, or a pair of adjacent characters, indicates a value. */
const isValuePair = (before: number, kind: number) =>
  kind === DIGIT ||
  kind === SIGN ||
  (kind === HYPHEN && (before === PLAIN_LETTER || before === CAPITAL)) ||
  (before === HYPHEN && (kind === PLAIN_LETTER || kind === CAPITAL)) ||
  (kind === CAPITAL && before === CAPITAL);

/** Applies `meeting` to the text around a site, in most cases without copying it. */
function meetingAt(
  text: string,
  units: Uint16Array,
  start: number,
  end: number,
  isTagged: boolean,
): ReturnType<typeof meeting> {
  const isValue = isTagged ? null : isValueBeside(units, start, end, text.length);
  if (isValue !== null) return isValue ? "value" : "words";
  return meeting(text.slice(Math.max(0, start - NEAR), start), text.slice(end, end + NEAR));
}

/** True for classes of characters in words, and for characters that only the patterns can classify. */
const mayBeWord = (kind: number) => kind <= DIGIT || kind === NUMERAL;

/** True when the characters around a site exclude that words meet: `BEFORE` and `AFTER` without a regex. */
function isApart(units: Uint16Array, start: number, end: number, length: number): boolean {
  let at = start - 1;
  for (let spaces = 0; spaces < 4 && at >= 0 && isBlank(units[at] as number); spaces += 1) at -= 1;
  for (let marks = 0; marks < 6 && at >= 0 && (kindOf(units[at] as number) & MARK_BEFORE) !== 0; marks += 1) at -= 1;
  if (at < 0) return true;
  const left = units[at] as number;
  // A `>` may end a tag between the words.
  if (!(mayBeWord(kindOf(left) & CLASS) ? left !== ANGLE : left === 41)) return true;
  at = units[end] === 32 ? end + 1 : end;
  for (let marks = 0; marks < 6 && at < length && (kindOf(units[at] as number) & MARK_AFTER) !== 0; marks += 1) at += 1;
  if (at >= length) return true;
  const right = units[at] as number;
  return !mayBeWord(kindOf(right) & CLASS) || right === 62;
}

/** Code units around the place where two texts meet; the array is reused. */
const around = new Uint16Array(2 * NEAR + 1);

/**
 * Returns "value" if two texts meet within what looks like a value, "words" if they meet within other words or between
 * them, and null if no words meet.
 */
export function meeting(left: string, right: string): "value" | "words" | null {
  const [end, start] = [left.slice(-NEAR), right.slice(0, NEAR)];
  if (end.includes("<") || start.includes("<")) return meetingBy(withoutTags(end), withoutTags(start));
  const middle = end.length;
  const length = middle + start.length;
  for (let at = 0; at < middle; at += 1) around[at] = end.charCodeAt(at);
  for (let at = middle; at < length; at += 1) around[at] = start.charCodeAt(at - middle);
  around[length] = 0;
  if (isApart(around, middle, middle, length)) return null;
  const isValue = isValueBeside(around, middle, middle, length);
  if (isValue !== null) return isValue ? "value" : "words";
  return meetingBy(end, start);
}

/** Applies the patterns, which classify every character. */
const meetingBy = (end: string, start: string): "value" | "words" | null => {
  if (!BEFORE.test(end) || !AFTER.test(start)) return null;
  return VALUE.test(lastWord(end) + firstWord(start)) ? "value" : "words";
};

const isBlank = (code: number) => code === 32 || code === 9;

/** Returns the end of inline markup, or of a line break with the indentation after it; `at` if there is none. */
function endOfSite(text: string, units: Uint16Array, at: number, unit: number): number {
  if (unit !== LINE && unit !== RETURN) {
    let past = at;
    for (MARKUP.lastIndex = at; MARKUP.test(text);) past = MARKUP.lastIndex;
    return past;
  }
  let end = unit === RETURN && units[at + 1] === LINE ? at + 1 : at;
  if (units[end] !== LINE) return at;
  for (let next = LINE; isIndent(next); next = units[end] as number) end += 1;
  return end;
}

const [LINE, RETURN, UNDERSCORE] = [10, 13, 95];
const isSpace = (unit: number) => !isSurrogate(unit) && (classOf(unit) & SPACES) !== 0;
const isIndent = (unit: number) => unit === 62 || isSpace(unit);

function hasLineIn(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (units[at] === LINE) return true;
  return false;
}

/** True when a site separates paragraphs, or a line in it is indented. */
function isParagraph(units: Uint16Array, start: number, end: number): boolean {
  let hasLine = false;
  for (let at = start; at < end; at += 1) {
    const unit = units[at] as number;
    if (unit === LINE) {
      if (hasLine || (at + 1 < end && isBlank(units[at + 1] as number))) return true;
      hasLine = true;
    } else if (!isSpace(unit)) hasLine = false;
  }
  return false;
}

function siteOf(text: string, units: Uint16Array, start: number, end: number, isTagged: boolean): Site | null {
  const met = meetingAt(text, units, start, end, isTagged);
  if (!met) return null;
  const isBreak = hasLineIn(units, start, end);
  const isValue = met === "value" && !(isBreak && areNumbers(text, start, end) && !areGroups(text, start, end));
  // Paragraphs aren't joined, except where a value is likely.
  if (isBreak && !isValue && isParagraph(units, start, end)) return null;
  // An underscore within a word is part of it.
  if (
    units[start] === UNDERSCORE &&
    UNDERSCORES.test(text.slice(start, end)) &&
    WORD.test(text.charAt(start - 1)) &&
    WORD.test(text.charAt(end))
  )
    return null;
  let trimmed = start;
  const lowest = Math.max(0, start - NEAR);
  while (isBreak && trimmed > lowest && isBlank(units[trimmed - 1] as number)) trimmed -= 1;
  return { start: trimmed, end, isBreak, isValue };
}

/** A text, or part of it, without the markup and line breaks that could split a value. */
export interface Joined {
  form: TextForm;
  /** True when a span of the text covers removed markup or a removed line break. */
  isJoined: (span: { start: number; end: number }) => boolean;
}

/** Replacement of a line break between words. */
const BREAK = " ";

/** Returns a function that returns true if a span covers a site. */
const covering =
  (sites: Edits): Joined["isJoined"] =>
  (span) => {
    const next = sites.lastFrom(span.start) + 1;
    return next < sites.length && sites.end(next) < span.end;
  };

/** Returns the parts around likely values, each with line breaks replaced by spaces and with them removed. */
function windows(text: string, sites: Edits): Joined[] {
  const groups: Edits[] = [];
  let past = -Infinity;
  for (let index = 0; index < sites.length; index += 1) {
    const [start, end] = [sites.start(index), sites.end(index)];
    if (start - past >= 2 * REACH) groups.push(new Edits());
    groups.at(-1)?.add(start, end, sites.texts[index] as string);
    past = end;
  }
  return groups.flatMap((group) => {
    const from = Math.max(0, group.start(0) - REACH);
    const to = Math.min(text.length, group.end(group.length - 1) + REACH);
    const isJoined = covering(group);
    const joined = (isSpaced: boolean): Joined => {
      const form = lazy(() => {
        const within = new Edits();
        for (let index = 0; index < group.length; index += 1)
          within.add(
            group.start(index) - from,
            group.end(index) - from,
            isSpaced ? (group.texts[index] as string) : "",
          );
        const inner = edited(text.slice(from, to), within);
        const span = (start: number, end: number) => {
          const place = inner.span(start, end);
          return { start: place.start + from, end: place.end + from };
        };
        return { text: inner.text, span };
      });
      return { form, isJoined };
    };
    return group.texts.includes(BREAK) ? [joined(true), joined(false)] : [joined(false)];
  });
}

interface Joins {
  whole: Joined | null;
  values: readonly Joined[];
}

const NONE: Joins = { whole: null, values: [] };

/** Returns the text without inline markup and single line breaks, and the parts of it that are likely values. */
export function joinsOf(text: string): Joins {
  if (!HAS_SITE.test(text)) return NONE;
  const sites = new Edits();
  const likely = new Edits();
  /** The end of the last site. */
  let past = 0;
  /** Offsets of the last opening angle bracket before a site and of the next one; -1 if there is none. */
  let [angle, nextAngle] = [-1, text.indexOf("<")];
  const units = unitsOf(text);
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at] as number;
    if (((KINDS[unit] as number) & START) === 0) continue;
    const end = endOfSite(text, units, at, unit);
    if (end === at) continue;
    if (isApart(units, at, end, text.length)) {
      at = end - 1;
      continue;
    }
    for (; nextAngle >= 0 && nextAngle < at; nextAngle = text.indexOf("<", nextAngle + 1)) angle = nextAngle;
    let beyond = nextAngle;
    while (beyond >= 0 && beyond < end) beyond = text.indexOf("<", beyond + 1);
    const isTagged = (angle >= 0 && angle >= at - NEAR) || (beyond >= 0 && beyond < end + NEAR);
    const site = siteOf(text, units, at, end, isTagged);
    if (site && site.start >= past) {
      const by = site.isBreak ? BREAK : "";
      sites.add(site.start, site.end, by);
      if (site.isValue) likely.add(site.start, site.end, by);
      past = site.end;
    }
    at = end - 1;
  }
  if (sites.length === 0) return NONE;
  return {
    whole: { form: lazy(() => edited(text, sites)), isJoined: covering(sites) },
    values: windows(text, likely),
  };
}
