import { parseRegExpLiteral, type AST } from "@eslint-community/regexpp";

/** Frequent words, most frequent first: poor cues. */
const COMMON = new Map(
  "the of a to and in is for if on output input instruction that he with as it are return be not at from this has you by how will was an i his name have or total she task id said each none instances string can path one we all file more they two first there after err use number so false day new had user data get time than but were year which up per her your when else their value out given much make hours type default what my no cost set week raise int true people then who text format years list does three would line error been try only message days into second used class should header help some last find other old also about action them group over version because write b do code need world needs its any add except read content amount may while take third like part record month function final same off re every before run using could start now books join object close work open point option result current me must go next match these during down see both means rule since just bought home made back most case required following between where him sentence check based possible another source got therefore command"
    .split(" ")
    .map((word, rank) => [word, 300 / (rank + 4)]),
);
/** Largest number of strings that a part of a phrase is expanded to. */
const MOST = 200;

/** A part of a phrase: literal text, which begins a word if it begins with a space, or another element. */
type Part = AST.Element | string;

/** Joins literal characters to words. */
function partsOf(elements: readonly AST.Element[]): Part[] {
  const parts: Part[] = [];
  for (const element of elements) {
    const last = parts.at(-1);
    if (element.type !== "Character") parts.push(element);
    else if (element.raw === " " || typeof last !== "string") parts.push(element.raw);
    else parts[parts.length - 1] = last + element.raw;
  }
  return parts;
}

const product = (left: readonly string[], right: readonly string[] | null): string[] | null =>
  right && left.length * right.length <= MOST ? left.flatMap((before) => right.map((after) => before + after)) : null;

/** Returns every string that matches a sequence; null when they are too many. */
function expanded(elements: readonly AST.Element[]): string[] | null {
  let strings: string[] | null = [""];
  for (const part of partsOf(elements)) {
    strings = product(strings, stringsOf(part));
    if (!strings) return null;
  }
  return strings;
}

/** Strings of groups, which phrases share. */
const groups = new Map<string, string[] | null>();

function stringsOf(part: Part): string[] | null {
  if (typeof part === "string") return [part];
  if (part.type !== "Group" && part.type !== "Quantifier") return stringsIn(part);
  const known = groups.get(part.raw);
  if (known !== undefined) return known;
  const strings = stringsIn(part);
  groups.set(part.raw, strings);
  return strings;
}

function stringsIn(element: AST.Element): string[] | null {
  if (element.type === "Character") return [element.raw];
  if (element.type === "Assertion") return [""];
  if (element.type === "Group") {
    const all = element.alternatives.map(({ elements }) => expanded(elements));
    return all.every((strings) => strings !== null) ? all.flat() : null;
  }
  if (element.type === "CharacterClass")
    return !element.negate && element.elements.every(({ type }) => type === "Character")
      ? element.elements.map(({ raw }) => raw)
      : null;
  if (element.type !== "Quantifier" || element.max > 3) return null;
  const times = Array.from({ length: element.max - element.min + 1 }, (_, more) =>
    expanded(Array.from({ length: element.min + more }, () => element.element)),
  );
  return times.every((strings) => strings !== null) ? times.flat() : null;
}

/** True when what matches the parts from `at` on begins with a space. */
function isSpaceAt(parts: readonly Part[], at: number): boolean {
  const part = parts[at];
  if (part === undefined) return false;
  if (typeof part === "string") return part.startsWith(" ");
  if (part.type === "Character") return part.raw === " ";
  if (part.type === "Assertion") return isSpaceAt(parts, at + 1);
  if (part.type === "Group")
    return part.alternatives.every(({ elements }) => isSpaceAt([...elements, ...parts.slice(at + 1)], 0));
  if (part.type === "Quantifier") return isSpaceAt([part.element], 0) && (part.min > 0 || isSpaceAt(parts, at + 1));
  return false;
}

/** Marks count as words. */
const costOf = (word: string) => (/^[.:]$/.test(word) ? 100 : (COMMON.get(word) ?? 1));

/** The words beside a cue, each at its distance. */
export type Neighbors = readonly (readonly [distance: number, word: string])[];

/** The cues of some strings, each with the words beside it in every string that it stands for. */
type CueWords = ReadonlyMap<string, readonly Neighbors[]>;

/** Returns the words of which one must be in each string, the rarest of each; null when one has no complete word. */
function cuesIn(strings: readonly string[], isClosed: boolean): CueWords | null {
  const cues = new Map<string, Neighbors[]>();
  for (const string of strings) {
    const words = string
      .split(" ")
      .slice(1, isClosed ? undefined : -1)
      .filter((word) => word !== "");
    const best = words.toSorted((a, b) => costOf(a) - costOf(b))[0];
    if (best === undefined) return null;
    const place = words.indexOf(best);
    const neighbors = words.flatMap((word, at) => (at === place ? [] : [[at - place, word] as const]));
    cues.set(best, [...(cues.get(best) ?? []), neighbors]);
  }
  return cues;
}

interface Run {
  cues: CueWords;
  cost: number;
  from: number;
  to: number;
}

interface Cued {
  cues: CueWords;
  /** Words of which every match contains one beside the cue; null when there is no such set. */
  others: ReadonlySet<string> | null;
  /** Largest numbers of words in a match before and after a cue. */
  before: number;
  after: number;
}

/** Returns words of which every match of a phrase contains at least one, the rarest there are. */
function cued({ elements }: AST.Alternative): Cued | null {
  const parts: Part[] = [" ", ...partsOf(elements), " "];
  const runs: Run[] = [];
  for (let from = 0; from < parts.length; from += 1) {
    if (!isSpaceAt(parts, from)) continue;
    let strings: string[] | null = [""];
    for (let to = from + 1; to <= parts.length; to += 1) {
      strings = product(strings, stringsOf(parts[to - 1] as Part));
      if (!strings) break;
      const cues = cuesIn(strings, isSpaceAt(parts, to));
      if (!cues) continue;
      const cost = [...cues.keys()].reduce((sum, word) => sum + costOf(word), 0);
      runs.push({ cues, cost, from, to });
    }
  }
  const rarest = (some: readonly Run[]) =>
    some.reduce<Run | null>((best, run) => (best && best.cost <= run.cost ? best : run), null);
  const best = rarest(runs);
  if (!best) return null;
  const words = (some: readonly Part[]) =>
    some.reduce((sum, part) => sum + (typeof part === "string" ? Number(part.startsWith(" ")) : mostWords(part)), 0);
  const others = rarest(runs.filter(({ from, to }) => to <= best.from || from >= best.to));
  return {
    cues: best.cues,
    others: others && new Set(others.cues.keys()),
    before: words(parts.slice(0, best.to)),
    after: words(parts.slice(best.from)) + 2,
  };
}

const isLoop = (part: AST.Quantifier) => part.max === Infinity;

/** Returns the largest number of words in a match, without those of unbounded repetitions. */
function mostWords(element: AST.Element | AST.Alternative): number {
  if (element.type === "Character") return element.raw === " " ? 1 : 0;
  if (element.type === "Alternative") return element.elements.reduce((sum, each) => sum + mostWords(each), 0);
  if (element.type === "Group" || (element.type === "Assertion" && element.kind === "lookahead"))
    return Math.max(...element.alternatives.map(mostWords));
  if (element.type === "Quantifier") return isLoop(element) ? 0 : element.max * mostWords(element.element);
  return 0;
}

function loopsIn(element: AST.Element | AST.Alternative): string[] {
  if (element.type === "Alternative") return element.elements.flatMap(loopsIn);
  if (element.type === "Group") return element.alternatives.flatMap(loopsIn);
  if (element.type !== "Quantifier") return [];
  return isLoop(element)
    ? (expanded([element.element]) ?? []).flatMap((text) => text.trim().split(" "))
    : loopsIn(element.element);
}

/** A phrase that a word indicates, within some words around it. */
export interface Cue {
  /** Index of the phrase. */
  phrase: number;
  pattern: RegExp;
  /** Words beside the cue, of which one row must be there; none when there is no condition. */
  neighbors: readonly Neighbors[];
  /** Words of which one must be near the cue; null when none is needed. */
  others: ReadonlySet<string> | null;
  before: number;
  after: number;
}

export interface PhraseCues {
  /** The phrases that each word indicates. */
  cues: ReadonlyMap<string, readonly Cue[]>;
  /** Words that phrases repeat without a limit; they don't count as words around a cue. */
  loops: ReadonlySet<string>;
  /** Phrases without a cue. */
  uncued: readonly string[];
}

/** Returns the alternatives of a phrase; a group that is a whole alternative counts as several. */
const alternativesOf = (alternatives: readonly AST.Alternative[]): AST.Alternative[] =>
  alternatives.flatMap((alternative) => {
    const [only, ...others] = alternative.elements;
    return only?.type === "Group" && others.length === 0 ? alternativesOf(only.alternatives) : [alternative];
  });

/** Parses phrases one by one, each of them with its index. */
function* parsing(phrases: readonly string[]): Generator<readonly [phrase: number, AST.Alternative]> {
  for (const [index, phrase] of phrases.entries())
    for (const alternative of alternativesOf(parseRegExpLiteral(new RegExp(phrase, "u")).pattern.alternatives))
      yield [index, alternative];
}

/**
 * Finds for every phrase a set of words of which each match contains one, so that a text without them needs no search.
 * Phrases begin and end at the boundary of words.
 */
export function cuesOf(phrases: readonly string[]): PhraseCues {
  const steps = findingCues(phrases);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Finds the cues of phrases in steps that each take a few milliseconds. */
export function* findingCues(phrases: readonly string[]): Generator<void, PhraseCues> {
  const cues = new Map<string, Cue[]>();
  const uncued: string[] = [];
  const loops = new Set<string>();
  for (const [phrase, alternative] of parsing(phrases)) {
    for (const word of loopsIn(alternative)) loops.add(word);
    const found = cued(alternative);
    if (!found) uncued.push(alternative.raw);
    else {
      const { others, before, after } = found;
      const pattern = new RegExp(` (?:${alternative.raw})(?= )`, "u");
      for (const [word, rows] of found.cues) {
        const neighbors = rows.some(({ length }) => length === 0) ? [] : distinct(rows);
        cues.set(word, [...(cues.get(word) ?? []), { phrase, pattern, neighbors, others, before, after }]);
      }
    }
    yield;
  }
  return { cues, loops, uncued };
}

const distinct = (rows: readonly Neighbors[]): Neighbors[] => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
];
