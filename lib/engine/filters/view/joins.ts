import { edited, lastAtMost, lazy, type Edit, type View } from "./view";

/** Characters around a join that a value may extend over. */
export const REACH = 160;
/** Characters of a word that tell whether a value may be split there. */
export const NEAR = 32;

/** Inline Markdown and HTML, or a line break with the indentation of the next line. */
const SITE = /(?:[*`~]{1,3}|_{1,3}|\\(?=[!-/:-@[-`{-~])|<\/?[A-Za-z][^<>\n]{0,80}>|<!--[^<>]{0,80}-->)+|\r?\n[\s>]*/g;
const WORD = /[\p{L}\p{N}]/u;
const UNDERSCORES = /^_+$/;
/** The end of a value's first half, and the start of its second. */
const BEFORE = /[\p{L}\p{N})][@._+%/:*`~\\-]{0,6}[ \t]{0,4}$/u;
const AFTER = /^ ?[@._+%/:*`~\\(-]{0,6}[\p{L}\p{N}]/u;
const TAG = /<\/?[A-Za-z][^<>]*>/g;
/** Text that is likely a value rather than prose. */
const VALUE = /\d|[@_]|[\p{L}\d]-|-[\p{L}\d]|\p{Lu}{2}/u;

interface Site extends Edit {
  isBreak: boolean;
  isValue: boolean;
}

/** Tells whether a value may be split between two texts: words meet, and whether they look like a value. */
export function meeting(left: string, right: string): "value" | "words" | null {
  const [end, start] = [withoutTags(left.slice(-NEAR)), withoutTags(right.slice(0, NEAR))];
  if (!BEFORE.test(end) || !AFTER.test(start)) return null;
  return VALUE.test(lastWord(end) + firstWord(start)) ? "value" : "words";
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

/** Classes of the characters of a word that may be a value. */
const [PLAIN_LETTER, CAPITAL, DIGIT, HYPHEN, SIGN, BLANK, OTHER] = [1, 2, 3, 4, 5, 6, 7];
/** By code unit; zero where only the patterns can tell: tags and characters beyond ASCII. */
const VALUE_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === "<" || character === ">") return 0;
  if (/[a-z]/.test(character)) return PLAIN_LETTER;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/\d/.test(character)) return DIGIT;
  if (/\s/.test(character)) return BLANK;
  return character === "-" ? HYPHEN : /[@_]/.test(character) ? SIGN : OTHER;
});

/**
 * Tells whether the words beside a site look like a value, as `VALUE` does; null when only the patterns can tell. Words
 * meet there.
 */
function isValueBeside(text: string, start: number, end: number): boolean | null {
  const low = Math.max(0, start - NEAR);
  const high = Math.min(text.length, end + NEAR);
  for (let at = low; at < start; at += 1) if (!(VALUE_CLASSES[text.charCodeAt(at)] as number)) return null;
  for (let at = end; at < high; at += 1) if (!(VALUE_CLASSES[text.charCodeAt(at)] as number)) return null;
  let last = start;
  while (last > low && VALUE_CLASSES[text.charCodeAt(last - 1)] === BLANK) last -= 1;
  let from = last;
  while (from > low && VALUE_CLASSES[text.charCodeAt(from - 1)] !== BLANK) from -= 1;
  let before = 0;
  for (let at = from; at < last; at += 1) {
    const kind = VALUE_CLASSES[text.charCodeAt(at)] as number;
    if (isValuePair(before, kind)) return true;
    before = kind;
  }
  for (let at = text.charCodeAt(end) === 32 ? end + 1 : end; at < high; at += 1) {
    const kind = VALUE_CLASSES[text.charCodeAt(at)] as number;
    if (kind === BLANK) break;
    if (isValuePair(before, kind)) return true;
    before = kind;
  }
  return false;
}

/** True when a character, or two in a row, mark a value. */
const isValuePair = (before: number, kind: number) =>
  kind === DIGIT ||
  kind === SIGN ||
  (kind === HYPHEN && (before === PLAIN_LETTER || before === CAPITAL)) ||
  (before === HYPHEN && (kind === PLAIN_LETTER || kind === CAPITAL)) ||
  (kind === CAPITAL && before === CAPITAL);

/** Tells what `meeting` tells of the texts beside a site; `isApart` has excluded most. */
function meetingAt(text: string, start: number, end: number): ReturnType<typeof meeting> {
  const isValue = isValueBeside(text, start, end);
  if (isValue !== null) return isValue ? "value" : "words";
  return meeting(text.slice(Math.max(0, start - NEAR), start), text.slice(end, end + NEAR));
}

const MARKS = codesOf("@._+%/:*`~\\-");
const MARKS_AFTER = codesOf("@._+%/:*`~\\(-");

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}

const isWordCode = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** True when the characters beside a site exclude that words meet there; reads `BEFORE` and `AFTER` without a regex. */
function isApart(text: string, start: number, end: number): boolean {
  let at = start - 1;
  for (let spaces = 0; spaces < 4 && isBlank(text.charCodeAt(at)); spaces += 1) at -= 1;
  for (let marks = 0; marks < 6 && MARKS[text.charCodeAt(at)] === 1; marks += 1) at -= 1;
  const left = text.charCodeAt(at);
  // A tag may stand between the words.
  if (!(isWordCode(left) || left === 41 || left === 62 || left > 127)) return true;
  at = text.charCodeAt(end) === 32 ? end + 1 : end;
  for (let marks = 0; marks < 6 && MARKS_AFTER[text.charCodeAt(at)] === 1; marks += 1) at += 1;
  const right = text.charCodeAt(at);
  return !(isWordCode(right) || right === 60 || right > 127);
}

const isBlank = (code: number) => code === 32 || code === 9;

function siteOf(text: string, match: string, start: number): Site | null {
  const isBreak = match.includes("\n");
  const end = start + match.length;
  const met = meetingAt(text, start, end);
  if (!met) return null;
  // An underscore within a word is part of it.
  if (UNDERSCORES.test(match) && WORD.test(text.charAt(start - 1)) && WORD.test(text.charAt(end))) return null;
  const isValue = met === "value";
  // Paragraphs aren't joined, except where a value is likely.
  if (isBreak && !isValue && match !== "\n" && /\n\s*\n|\n[\t ]/.test(match)) return null;
  let trimmed = start;
  const lowest = Math.max(0, start - NEAR);
  while (isBreak && trimmed > lowest && isBlank(text.charCodeAt(trimmed - 1))) trimmed -= 1;
  return { start: trimmed, end, text: isBreak ? " " : "", isBreak, isValue };
}

/** A part of a text with markup and line breaks removed, where a value could be split by them. */
export interface Joined {
  view: View;
  /** True when a span of the text covers a removed place. */
  isJoined: (span: { start: number; end: number }) => boolean;
}

/** Tells whether a span covers a site, which are ascending. */
function covering(sites: readonly Edit[]): Joined["isJoined"] {
  const starts = sites.map(({ start }) => start);
  return (span) => (sites[lastAtMost(starts, span.start) + 1]?.end ?? Infinity) < span.end;
}

/** Cuts the text around places where a value is likely, each with line breaks as spaces, and without them. */
function windows(text: string, sites: readonly Site[]): Joined[] {
  const groups: Site[][] = [];
  for (const site of sites) {
    const last = groups.at(-1);
    if (last && site.start - (last.at(-1)?.end ?? 0) < 2 * REACH) last.push(site);
    else groups.push([site]);
  }
  return groups.flatMap((group) => {
    const from = Math.max(0, (group[0]?.start ?? 0) - REACH);
    const part = text.slice(from, (group.at(-1)?.end ?? 0) + REACH);
    const isJoined = covering(group);
    const joined = (given: readonly Edit[]): Joined => {
      const view = lazy(() => {
        const inner = edited(
          part,
          given.map(({ start, end, text: by }) => ({ start: start - from, end: end - from, text: by })),
        );
        const span = (start: number, end: number) => {
          const place = inner.span(start, end);
          return { start: place.start + from, end: place.end + from };
        };
        return { text: inner.text, span };
      });
      return { view, isJoined };
    };
    const tight = joined(group.map(({ start, end }) => ({ start, end, text: "" })));
    return group.some(({ isBreak }) => isBreak) ? [joined(group), tight] : [tight];
  });
}

interface Joins {
  whole: Joined | null;
  values: readonly Joined[];
}

const NONE: Joins = { whole: null, values: [] };

/** Returns the text without inline markup and single line breaks, and the parts of it that are likely values. */
export function joinsOf(text: string): Joins {
  // Most texts have none: matchAll would copy the expression.
  if (text.search(SITE) < 0) return NONE;
  const sites: Site[] = [];
  for (const { 0: match, index } of text.matchAll(SITE)) {
    if (isApart(text, index, index + match.length)) continue;
    const site = siteOf(text, match, index);
    if (site && site.start >= (sites.at(-1)?.end ?? 0)) sites.push(site);
  }
  if (sites.length === 0) return NONE;
  return {
    whole: { view: lazy(() => edited(text, sites)), isJoined: covering(sites) },
    values: windows(
      text,
      sites.filter(({ isValue }) => isValue),
    ),
  };
}
