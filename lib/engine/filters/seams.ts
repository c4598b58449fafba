import type { Detection } from "./detector";
import type { Leaf } from "./leaves";
import { meeting, REACH } from "./view/joins";

type JoinedLeaf = Pick<Leaf, "text"> & Partial<Pick<Leaf, "turn">>;

/** A text beside another: a whole leaf, or its beginning or end. */
interface Piece {
  leaf: number;
  /** Offset of the piece in the leaf. */
  offset: number;
  text: string;
  turn: number;
  /** True when the leaf goes on after the piece. */
  isCut: boolean;
}

interface Part {
  leaf: number;
  start: number;
  end: number;
}

/** Characters between a label at the end of one text and its value in the next, such as a quotation mark. */
const MOST_BEFORE_VALUE = 8;

/** Texts that follow each other, joined so that a value split between them is found. */
export interface Seam {
  text: string;
  /** True when the texts belong to one message. */
  isOneTurn: boolean;
  /** Returns the parts of a match in each leaf; none when it lies within one. */
  partsOf: (match: Pick<Detection, "start" | "end">) => Part[];
  /** Returns a match at the start of a text that follows another of its message, whose end may label it; null for any other. */
  labelled: (match: Pick<Detection, "start" | "end">) => Part | null;
}

/** Cuts the texts of a conversation into runs of pieces; a long text ends one run and begins the next. */
function runsOf(leaves: readonly JoinedLeaf[]): Piece[][] {
  let run: Piece[] = [];
  const runs = [run];
  for (const [leaf, { text, turn = null }] of leaves.entries()) {
    if (turn === null || text === "") continue;
    const last = run.at(-1);
    const isApart = last !== undefined && last.turn !== turn && meeting(last.text, text) !== "value";
    if (isApart) runs.push((run = []));
    if (text.length <= 2 * REACH) run.push({ leaf, offset: 0, text, turn, isCut: false });
    else {
      run.push({ leaf, offset: 0, text: text.slice(0, REACH), turn, isCut: true });
      runs.push((run = [{ leaf, offset: text.length - REACH, text: text.slice(-REACH), turn, isCut: false }]));
    }
  }
  return runs.filter((pieces) => pieces.length > 1);
}

/** Returns the joined texts of adjacent leaves, with nothing and with a space between them. */
export const seamsOf = (leaves: readonly JoinedLeaf[]): Seam[] =>
  runsOf(leaves).flatMap((pieces) => ["", " "].map((separator) => seamOf(pieces, separator)));

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
      const parts = placed.flatMap(({ leaf, offset, start, end }) => {
        const [from, to] = [Math.max(start, match.start), Math.min(end, match.end)];
        return from < to ? [{ leaf, start: from - start + offset, end: to - start + offset }] : [];
      });
      return parts.length > 1 ? parts : [];
    },
    labelled: (match) => {
      const at = placed.findIndex(({ start, end }) => start <= match.start && match.end <= end);
      const [before, piece] = [placed[at - 1], placed[at]];
      if (!before || !piece || before.turn !== piece.turn || match.start - piece.start > MOST_BEFORE_VALUE) return null;
      // The rest of the value may be beyond the cut.
      if (piece.isCut && match.end === piece.end) return null;
      return { leaf: piece.leaf, start: match.start - piece.start, end: match.end - piece.start };
    },
  };
}
