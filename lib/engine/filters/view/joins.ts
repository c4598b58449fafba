import { edited, lastAtMost, type Edit, type View } from "./view";

/** Characters around a join that a value may extend over. */
export const REACH = 160;
/** Characters of a word that tell whether a value may be split there. */
const NEAR = 32;

/** Inline Markdown and HTML, or a line break with the indentation of the next line. */
const SITE = /(?:[*`~]{1,3}|_{1,3}|\\(?=[!-/:-@[-`{-~])|<\/?[A-Za-z][^<>\n]{0,80}>|<!--[^<>]{0,80}-->)+|\r?\n[\s>]*/g;
const WORD = /[\p{L}\p{N}]/u;
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
  const [end, start] = [left.slice(-NEAR).replace(TAG, ""), right.slice(0, NEAR).replace(TAG, "")];
  if (!BEFORE.test(end) || !AFTER.test(start)) return null;
  const near = `${/\S*\s*$/.exec(end)?.[0].trimEnd() ?? ""}${/^ ?\S*/.exec(start)?.[0].trimStart() ?? ""}`;
  return VALUE.test(near) ? "value" : "words";
}

const before = (text: string, place: number) => text.slice(Math.max(0, place - NEAR), place);

function siteOf(text: string, match: string, start: number): Site[] {
  const isBreak = match.includes("\n");
  const end = start + match.length;
  const [left, right] = [before(text, start), text.slice(end, end + NEAR)];
  const met = meeting(left, right);
  if (!met) return [];
  // An underscore within a word is part of it.
  if (/^_+$/.test(match) && WORD.test(left.slice(-1)) && WORD.test(right.slice(0, 1))) return [];
  const isValue = met === "value";
  // Paragraphs aren't joined, except where a value is likely.
  if (isBreak && !isValue && /\n\s*\n|\n[\t ]/.test(match)) return [];
  const trimmed = isBreak ? start - (/[ \t]*$/.exec(left)?.[0].length ?? 0) : start;
  return [{ start: trimmed, end, text: isBreak ? " " : "", isBreak, isValue }];
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
      const inner = edited(
        part,
        given.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
      );
      const span = (start: number, end: number) => {
        const place = inner.span(start, end);
        return { start: place.start + from, end: place.end + from };
      };
      return { view: { text: inner.text, span }, isJoined };
    };
    const tight = joined(group.map((site) => ({ ...site, text: "" })));
    return group.some(({ isBreak }) => isBreak) ? [joined(group), tight] : [tight];
  });
}

/** Returns the text without inline markup and single line breaks, and the parts of it that are likely values. */
export function joinsOf(text: string): { whole: Joined | null; values: Joined[] } {
  const sites: Site[] = [];
  for (const { 0: match, index } of text.matchAll(SITE))
    for (const site of siteOf(text, match, index)) if (site.start >= (sites.at(-1)?.end ?? 0)) sites.push(site);
  if (sites.length === 0) return { whole: null, values: [] };
  return {
    whole: { view: edited(text, sites), isJoined: covering(sites) },
    values: windows(
      text,
      sites.filter(({ isValue }) => isValue),
    ),
  };
}
