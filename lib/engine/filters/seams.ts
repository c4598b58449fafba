import type { Detection } from "./detector";
import type { Leaf } from "./leaves";
import { meeting, REACH } from "./readings/joins";

type JoinedLeaf = Pick<Leaf, "text"> & Partial<Pick<Leaf, "turn" | "callTurn">>;

/** A leaf's text, or its beginning or end, as it is joined with adjacent texts. */
interface Piece {
  leaf: number;
  /** Index of the fragment within the leaf; 0 for texts, which have only one. */
  fragment: number;
  /** Offset of the piece within the fragment, in UTF-16 code units. */
  offset: number;
  text: string;
  turn: number;
  /** True when the leaf may continue after the piece. */
  isCut: boolean;
}

interface Part {
  leaf: number;
  fragment: number;
  start: number;
  end: number;
}

/** Maximum number of characters, such as quotation marks, before a value whose label ends the previous text. */
const MOST_BEFORE_VALUE = 8;

/** Adjacent texts, joined so that a value split between them is found. */
export interface Seam {
  text: string;
  /** True when the texts belong to one message. */
  isOneTurn: boolean;
  /** Returns the part of a match in each leaf; an empty list when it lies within one leaf. */
  partsOf: (match: Pick<Detection, "start" | "end">) => Part[];
  /** Returns the part of a match at a text's start that the end of the previous text may label; null for others. */
  labelled: (match: Pick<Detection, "start" | "end">) => Part | null;
}

/** Groups adjacent texts into runs of pieces; a text longer than twice `REACH` ends one run and begins the next. */
function runsOf(leaves: readonly JoinedLeaf[]): Piece[][] {
  let run: Piece[] = [];
  const runs = [run];
  for (const [leaf, { text, turn = null }] of leaves.entries()) {
    if (turn === null || text === "") continue;
    const last = run.at(-1);
    const isApart = last !== undefined && last.turn !== turn && meeting(last.text, text) !== "value";
    if (isApart) runs.push((run = []));
    if (text.length <= 2 * REACH) run.push({ leaf, fragment: 0, offset: 0, text, turn, isCut: false });
    else {
      run.push({ leaf, fragment: 0, offset: 0, text: text.slice(0, REACH), turn, isCut: true });
      runs.push(
        (run = [{ leaf, fragment: 0, offset: text.length - REACH, text: text.slice(-REACH), turn, isCut: false }]),
      );
    }
  }
  return runs.filter((pieces) => pieces.length > 1);
}

/** Joins adjacent leaves twice: with nothing and with a space between them. */
export const seamsOf = (leaves: readonly JoinedLeaf[]): Seam[] =>
  runsOf(leaves).flatMap((pieces) => ["", " "].map((separator) => seamOf(pieces, separator)));

/** Maximum number of argument values of a message that are joined with texts, and of texts joined with each. */
const [MOST_VALUES, MOST_TEXTS] = [32, 4];

/**
 * Joins the ends of a message's texts with each value in the arguments of its tool calls. The calls of a message
 * without texts are joined with the last text before them.
 */
export function callSeamsOf(
  leaves: readonly JoinedLeaf[],
  fragmentsAt: (leaf: number) => readonly { text: string }[],
): Seam[] {
  if (!leaves.some(({ callTurn }) => callTurn !== undefined)) return [];
  const saidIn = textsByTurn(leaves);
  const read = new Map<number, number>();
  let last: readonly number[] = [];
  return leaves.flatMap(({ turn = null, callTurn }, leaf) => {
    if (callTurn === undefined) {
      if (turn !== null) last = [leaf];
      return [];
    }
    const count = read.get(callTurn) ?? 0;
    const values = fragmentsAt(leaf).slice(0, Math.max(0, MOST_VALUES - count));
    read.set(callTurn, count + values.length);
    return (saidIn.get(callTurn)?.slice(-MOST_TEXTS) ?? last).flatMap((said) =>
      values.flatMap(({ text }, fragment) => valueSeamsOf(leaves, said, { leaf, fragment, text })),
    );
  });
}

/** Returns the indexes of each message's texts, without the arguments of its tool calls, by turn. */
function textsByTurn(leaves: readonly JoinedLeaf[]): Map<number, number[]> {
  const texts = new Map<number, number[]>();
  for (const [leaf, { turn = null, callTurn }] of leaves.entries())
    if (turn !== null && callTurn === undefined) {
      const known = texts.get(turn);
      if (known) known.push(leaf);
      else texts.set(turn, [leaf]);
    }
  return texts;
}

/** Joins a text's end with a value of a tool call if a sensitive value may be split between them. */
function valueSeamsOf(
  leaves: readonly JoinedLeaf[],
  said: number,
  { text, ...value }: Pick<Piece, "leaf" | "fragment" | "text">,
): Seam[] {
  const before = leaves[said]?.text ?? "";
  if (meeting(before, text) !== "value") return [];
  const offset = Math.max(0, before.length - REACH);
  const end = { leaf: said, fragment: 0, offset, text: before.slice(offset), turn: SAID, isCut: false };
  const start = { ...value, offset: 0, text: text.slice(0, REACH), turn: CALLED, isCut: true };
  return ["", " "].map((separator) => seamOf([end, start], separator));
}

/** Turns of a text and of call arguments; they differ, since arguments don't continue a sentence. */
const [SAID, CALLED] = [0, 1];

function seamOf(pieces: readonly Piece[], separator: string): Seam {
  let length = 0;
  const placed = pieces.map((piece) => {
    const start = length;
    length += piece.text.length + separator.length;
    return { ...piece, start, end: start + piece.text.length };
  });
  return {
    text: pieces.map(({ text }) => text).join(separator),
    isOneTurn: new Set(pieces.map(({ turn }) => turn)).size === 1,
    partsOf: (match) => {
      const parts = placed.flatMap(({ leaf, fragment, offset, start, end }) => {
        const [from, to] = [Math.max(start, match.start), Math.min(end, match.end)];
        return from < to ? [{ leaf, fragment, start: from - start + offset, end: to - start + offset }] : [];
      });
      return parts.length > 1 ? parts : [];
    },
    labelled: (match) => {
      const at = placed.findIndex(({ start, end }) => start <= match.start && match.end <= end);
      const [before, piece] = [placed[at - 1], placed[at]];
      if (!before || !piece || before.turn !== piece.turn || match.start - piece.start > MOST_BEFORE_VALUE) return null;
      // The rest of the value may be beyond the cut.
      if (piece.isCut && match.end === piece.end) return null;
      return { leaf: piece.leaf, fragment: 0, start: match.start - piece.start, end: match.end - piece.start };
    },
  };
}
