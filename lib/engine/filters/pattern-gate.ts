import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** Returns false only if the text has no match. */
export type Gate = (text: string) => boolean;

/** Maximum number of characters of a run. */
const LONGEST = 24;
/** `ſ` and the Kelvin sign, which only the linear-time engine treats as `s` and `k` when it ignores case. */
const FOLDED = /[\u017f\u212a]/;
const FLAGS = /^\(\?([imsU]+)\)/;

/** A sequence of consecutive characters. `source` is the regular expression of one of them. */
type Run = readonly { source: string; isLiteral: boolean }[];

const escaped = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Returns a native regular expression for an element of one character; null if the engines may read it differently. */
function oneOf(element: AST.Element): Run[number] | null {
  if (element.type === "Character")
    return element.value < 128 ? { source: escaped(String.fromCharCode(element.value)), isLiteral: true } : null;
  if (element.type === "CharacterSet")
    return (element.kind === "digit" || element.kind === "word") && !element.negate
      ? { source: element.raw, isLiteral: false }
      : null;
  if (element.type !== "CharacterClass" || element.negate) return null;
  const parts = element.elements.map((part) => {
    if (part.type === "Character") return part.value < 128 ? escaped(String.fromCharCode(part.value)) : null;
    if (part.type === "CharacterClassRange")
      return part.max.value < 128
        ? `${escaped(String.fromCharCode(part.min.value))}-${escaped(String.fromCharCode(part.max.value))}`
        : null;
    return part.type === "CharacterSet" && (part.kind === "digit" || part.kind === "word") && !part.negate
      ? part.raw
      : null;
  });
  return parts.length > 0 && parts.every((part) => part !== null)
    ? { source: `[${parts.join("")}]`, isLiteral: false }
    : null;
}

/** Returns how many texts a run excludes, as a score. A literal character excludes more texts than a character set. */
const worth = (run: Run) => run.reduce((sum, { isLiteral }) => sum + (isLiteral ? 4 : 1), 0);
const least = (runs: readonly Run[]) => Math.min(...runs.map(worth));

/** Returns runs such that every match contains at least one of them; null when there are none. */
function required(alternatives: readonly AST.Alternative[]): Run[] | null {
  const all = alternatives.map(({ elements }) => requiredBy(elements));
  return all.every((runs) => runs !== null) ? all.flat() : null;
}

function requiredBy(elements: readonly AST.Element[]): Run[] | null {
  const found: Run[][] = [];
  let run: Run = [];
  const close = () => {
    if (run.length > 0) found.push([run]);
    run = [];
  };
  for (const element of elements) {
    if (element.type === "Assertion") continue;
    const repeated = element.type === "Quantifier" ? element : null;
    const inner = repeated ? repeated.element : element;
    const one = oneOf(inner);
    if (one) {
      const times = Math.min(repeated?.min ?? 1, LONGEST - run.length);
      run = [...run, ...Array.from({ length: times }, () => one)];
      // After a variable or truncated repetition, the next element isn't necessarily adjacent.
      if ((repeated && repeated.max !== repeated.min) || run.length >= LONGEST || times < (repeated?.min ?? 1)) close();
      continue;
    }
    close();
    if (repeated?.min === 0) continue;
    const within = inner.type === "Group" || inner.type === "CapturingGroup" ? required(inner.alternatives) : null;
    if (within) found.push(within);
  }
  close();
  return found.reduce<Run[] | null>((best, runs) => (best && least(best) >= least(runs) ? best : runs), null);
}

/**
 * Returns a cheap necessary condition for matches of a linear-time pattern: certain consecutive characters. Null if no
 * characters are necessary, or if the engines may read the pattern differently. With few patterns, it saves about 20%
 * of the scan time.
 */
export function patternGate(pattern: string): Gate | null {
  const flags = FLAGS.exec(pattern);
  const isFolded = flags?.[1]?.includes("i") ?? false;
  const source = pattern.slice(flags?.[0].length ?? 0);
  let parsed: AST.Pattern;
  try {
    parsed = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch {
    return null;
  }
  const runs = required(parsed.alternatives);
  if (!runs) return null;
  // A run has no repetition, so searching for it takes linear time on any engine.
  const rows = runs.map((run) => new RegExp(run.map((one) => one.source).join(""), isFolded ? "i" : ""));
  return (text) => rows.some((row) => row.test(text)) || (isFolded && FOLDED.test(text));
}
