/** Characters around a line break that are looked at: for groups of digits, and for the digit next to it. */
const [NEAR, NEXT] = [160, 20];
const [LAST, FIRST] = [/[\d .()+/\u00a0\u2010-\u2015-]*$/, /^[\d .()+/\u00a0\u2010-\u2015-]*/];
const GROUPS = /\d+/g;
const SEPARATORS = /(?<=\d)\D+(?=\d)/g;
const ENDS_OPEN = /[-./(+\u2010-\u2015][ \u00a0]*$/;
const STARTS_OPEN = /^[-.)/\u2010-\u2015]/;
/** Longer ones are whole numbers, on their own and beside a group. */
const [LONGEST_SINGLE, LONGEST_GROUP] = [4, 6];

/** True when digits meet at a line break: a number, or two of a column. */
export function areNumbers(text: string, start: number, end: number): boolean {
  const [left, right] = [text.slice(Math.max(0, start - NEXT), start), text.slice(end, end + NEXT)];
  return /\d[-./(+) \u00a0\u2010-\u2015]*$/.test(left) && /^[-./() \u00a0\u2010-\u2015]*\d/.test(right);
}

/** Number of lines of numbers that make a column, with one group per line and with several. */
const [MOST_LINES, MOST_ROWS] = [5, 3];

/** Returns the number of lines of numbers that follow each other. */
const numericLines = (lines: readonly string[]) => {
  const other = lines.findIndex((line) => !/\d/.test(line) || FIRST.exec(line.trim())?.[0] !== line.trim());
  return other < 0 ? lines.length : other;
};

/** Returns the last lines of a text, the last one first, and as many as make a column. */
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
 * True when the digits before and after a line break are groups of one number: both have several groups with the same separator, or
 * groups of the same width, or the number is open at the break. Columns of a table aren't.
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
