/** Number of characters examined on each side of a line break: for groups of digits, and for the nearest digit. */
const [NEAR, NEXT] = [160, 20];
const [LAST, FIRST] = [/[\d .()+/\u00a0\u2010-\u2015-]*$/, /^[\d .()+/\u00a0\u2010-\u2015-]*/];
const GROUPS = /\d+/g;
const SEPARATORS = /(?<=\d)\D+(?=\d)/g;
const ENDS_OPEN = /[-./(+\u2010-\u2015][ \u00a0]*$/;
const STARTS_OPEN = /^[-.)/\u2010-\u2015]/;
/** Maximum width of a group, if no line has several groups and otherwise. Wider groups are whole numbers. */
const [LONGEST_SINGLE, LONGEST_GROUP] = [4, 6];

/** True when a digit precedes and follows a line break: of one number, or of two numbers in a column. */
export function areNumbers(text: string, start: number, end: number): boolean {
  const [left, right] = [text.slice(Math.max(0, start - NEXT), start), text.slice(end, end + NEXT)];
  return /\d[-./(+) \u00a0\u2010-\u2015]*$/.test(left) && /^[-./() \u00a0\u2010-\u2015]*\d/.test(right);
}

/** Minimum number of lines of a column of numbers, with one group per line and with several. */
const [MOST_LINES, MOST_ROWS] = [5, 3];

/** Returns the number of lines before the first one that doesn't consist of numbers. */
const numericLines = (lines: readonly string[]) => {
  const other = lines.findIndex((line) => !/\d/.test(line) || FIRST.exec(line.trim())?.[0] !== line.trim());
  return other < 0 ? lines.length : other;
};

/** Returns the last lines of a text, last line first; at most as many as make a column. */
function lastLines(text: string): string[] {
  const lines: string[] = [];
  for (let end = text.length; end >= 0 && lines.length < MOST_LINES;) {
    const start = text.lastIndexOf("\n", end - 1);
    lines.push(text.slice(start + 1, end));
    end = end > 0 ? start : -1;
  }
  return lines;
}

/**
 * True when the digits before and after a line break are groups of one number: the number has a separator at the break,
 * both sides have the same separator, or the groups at the break have the same width. False for columns of a table.
 */
export function areGroups(text: string, start: number, end: number): boolean {
  const before = lastLines(text.slice(Math.max(0, start - NEAR), start));
  const after = text.slice(end, end + NEAR).split("\n", MOST_LINES);
  const last = LAST.exec(before[0] ?? "")?.[0] ?? "";
  const first = FIRST.exec(after[0] ?? "")?.[0] ?? "";
  const [groups, others] = [last.match(GROUPS) ?? [], first.match(GROUPS) ?? []];
  const isSingle = groups.length < 2 && others.length < 2;
  const lines = numericLines(before) + numericLines(after);
  if (lines >= (isSingle ? MOST_LINES : MOST_ROWS)) return false;
  if (ENDS_OPEN.test(last) || STARTS_OPEN.test(first)) return true;
  const [by] = last.match(SEPARATORS)?.slice(-1) ?? [];
  const [otherBy] = first.match(SEPARATORS) ?? [];
  if (by !== undefined && otherBy !== undefined) return by === otherBy;
  const width = groups.at(-1)?.length;
  const longest = isSingle ? LONGEST_SINGLE : LONGEST_GROUP;
  return by === " " || (width !== undefined && width <= longest && others.at(0)?.length === width);
}
