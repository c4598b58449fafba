import { mergeSpans, type LabelledSpan } from "./redact";
import { meeting, NEAR, REACH } from "./readings/joins";

/** A text of a response; a value may be split between its end and the next text. */
export interface SaidText {
  /** The text received so far. */
  received: string;
  /** Texts of one turn are joined; texts of different turns only where a value is likely. */
  turn: string;
  /** Matches to replace. */
  spans: LabelledSpan[];
}

/** A contiguous part of a text; interleaved texts have several. */
interface Segment<Text> {
  text: Text;
  from: number;
  /** End of the scanned part. */
  to: number;
  sent: number;
  isOpen: boolean;
  /** True when the segment isn't joined with later ones. */
  isLast: boolean;
  /** True when matches across the end of the segment needn't be searched any more. */
  isJoined: boolean;
}

interface Piece<Text> {
  text: Text;
  from: number;
  to: number;
}

/** The text around the end of a segment, scanned for a value that continues in the next one. */
export interface TextSeam<Text> {
  pieces: readonly Piece<Text>[];
  /** Index of the first piece after the end of the segment. */
  middle: number;
  isOneTurn: boolean;
}

type Entry<Text, Item> = { segment: Segment<Text>; to: number } | { item: Item; size: number };
export type Released<Text, Item> = Piece<Text> | { item: Item };

const lengthOf = ({ from, to }: Piece<unknown>) => to - from;
const textOf = <Text extends SaidText>({ text, from, to }: Piece<Text>): string => text.received.slice(from, to);

/** Joins the texts of a seam. `partsOf` returns a match's part in each text; null if it doesn't cross the seam. */
export function joinedSeam<Text extends SaidText>({ pieces, middle }: TextSeam<Text>, separator: string) {
  let length = 0;
  const placed = pieces.map((piece) => {
    const start = length;
    length += lengthOf(piece) + separator.length;
    return { ...piece, start };
  });
  const partsOf = (match: { start: number; end: number }): Piece<Text>[] | null => {
    const parts = placed.flatMap(({ text, from, to, start }, index) => {
      const [first, last] = [Math.max(from, match.start - start + from), Math.min(to, match.end - start + from)];
      return first < last ? [{ text, from: first, to: last, isLeft: index < middle }] : [];
    });
    return parts.some(({ isLeft }) => isLeft) && parts.some(({ isLeft }) => !isLeft) ? parts : null;
  };
  return { text: pieces.map(textOf).join(separator), partsOf };
}

/**
 * Queues the scanned texts and the other parts of a response in order. Holds back the end of a text until the beginning
 * of the next one is known, so that a value split between them is found. The decisions depend on the texts alone, not
 * on the chunks in which they arrive.
 */
export class SeamQueue<Text extends SaidText, Item> {
  #segments: Segment<Text>[] = [];
  readonly #entries: Entry<Text, Item>[] = [];

  /** @param isWhole True to release every text in one piece. */
  constructor(private readonly isWhole: boolean) {}

  /** The number of characters held back. */
  get held(): number {
    return this.#entries.reduce(
      (sum, entry) => sum + ("item" in entry ? entry.size : Math.max(0, entry.to - entry.segment.sent)),
      0,
    );
  }

  /** Opens a segment of a text that starts at `from`, the end of the text's scanned part, unless one is open. */
  open(text: Text, from: number): void {
    if (this.#openOf(text)) return;
    this.#segments.push({ text, from, to: from, sent: from, isOpen: true, isLast: false, isJoined: false });
  }

  /** Extends the open segment of a text to `to`, the end of the text's scanned part. */
  append(text: Text, to: number): void {
    const segment = this.#openOf(text);
    if (!segment || to === segment.to) return;
    segment.to = to;
    const last = this.#entries.at(-1);
    if (last && "segment" in last && last.segment === segment) last.to = to;
    else this.#entries.push({ segment, to });
  }

  close(text: Text): void {
    const segment = this.#openOf(text);
    if (segment) segment.isOpen = false;
  }

  /** Adds an item that isn't joined with texts, after everything queued so far. */
  add(item: Item, size: number): void {
    this.#entries.push({ item, size });
  }

  /** Prevents the last text from being joined with texts that follow. */
  part(): void {
    const last = this.#segments.at(-1);
    if (last) last.isLast = true;
  }

  /** Returns the next seam to scan; null if more text is needed. `isEnd` is true when no more text will follow. */
  seam(isEnd: boolean): TextSeam<Text> | null {
    for (;;) {
      const index = this.#segments.findIndex(({ isJoined }) => !isJoined);
      const segment = this.#segments[index];
      if (!segment || segment.isOpen) return null;
      segment.isJoined = segment.isLast;
      if (segment.isLast) continue;
      const left = this.#before(index);
      const right = this.#after(index + 1);
      const [end, start] = [left.at(-1), right.pieces[0]];
      const isOneTurn = end?.text.turn === start?.text.turn;
      const isKnown = right.isComplete || (isEnd && this.#segments.every(({ isOpen }) => !isOpen));
      const isApart =
        end !== undefined &&
        start !== undefined &&
        !isOneTurn &&
        (isKnown || lengthOf(start) >= NEAR || right.pieces.length > 1) &&
        meeting(textOf(end), textOf(start)) !== "value";
      if (!isKnown && !isApart) return null;
      segment.isJoined = true;
      if (end && start && !isApart) {
        const pieces = [...left, ...right.pieces];
        return { pieces, middle: left.length, isOneTurn: pieces.every(({ text }) => text.turn === start.text.turn) };
      }
    }
  }

  /** Yields the texts and items that can be released, in order. */
  *released(): Generator<Released<Text, Item>, void> {
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      if ("item" in entry) {
        this.#entries.shift();
        yield { item: entry.item };
        continue;
      }
      const { segment } = entry;
      const limit = this.#limitOf(segment);
      const from = segment.sent;
      segment.sent = Math.max(from, outsideSpan(segment.text, Math.min(entry.to, limit), limit));
      if (segment.sent > from) yield { text: segment.text, from, to: segment.sent };
      if (segment.sent < entry.to) return;
      this.#entries.shift();
      this.#forget();
    }
  }

  #openOf(text: Text): Segment<Text> | undefined {
    return this.#segments.find((segment) => segment.isOpen && segment.text === text);
  }

  /** Returns the end of the part to release; up to `REACH` characters before an unscanned seam are held back. */
  #limitOf(segment: Segment<Text>): number {
    const place = this.#segments.indexOf(segment);
    const open = this.#segments.findIndex(({ isJoined }) => !isJoined);
    if (open < 0 || place < 0) return segment.to;
    if (place > open) return segment.from;
    const between = this.#segments.slice(place + 1, open + 1).reduce((sum, one) => sum + lengthOf(one), 0);
    const held = Math.max(0, REACH - between);
    return this.isWhole && held > 0 ? segment.from : Math.max(segment.from, segment.to - held);
  }

  /** Returns the last `REACH` characters up to the end of a segment. */
  #before(index: number): Piece<Text>[] {
    const pieces: Piece<Text>[] = [];
    let missing = REACH;
    const first = this.#segments.slice(0, index).findLastIndex(({ isLast }) => isLast) + 1;
    for (const { text, from, to } of this.#segments.slice(first, index + 1).toReversed()) {
      if (to > from && missing > 0) pieces.unshift({ text, from: Math.max(from, to - missing), to });
      missing -= to - from;
    }
    return pieces;
  }

  /** Returns the first `REACH` characters from a segment on; complete when later text doesn't change them. */
  #after(index: number): { pieces: Piece<Text>[]; isComplete: boolean } {
    const pieces: Piece<Text>[] = [];
    let missing = REACH;
    let isEnd = false;
    for (const { text, from, to, isOpen, isLast } of this.#segments.slice(index)) {
      if (to > from) pieces.push({ text, from, to: Math.min(to, from + missing) });
      missing -= to - from;
      isEnd = isLast && !isOpen;
      if (isOpen || isEnd || missing <= 0) break;
    }
    return { pieces, isComplete: isEnd || missing <= 0 };
  }

  /** Drops segments that no later seam reaches. */
  #forget(): void {
    const open = this.#segments.findIndex(({ isJoined }) => !isJoined);
    const kept = open < 0 ? this.#segments.length - 1 : open;
    let length = 0;
    for (let place = kept; place > 0; place -= 1) {
      const segment = this.#segments[place] as Segment<Text>;
      length += lengthOf(segment);
      const isDone = this.#segments.slice(0, place).every(({ sent, to, isOpen }) => sent >= to && !isOpen);
      if (length >= REACH && isDone) {
        this.#segments = this.#segments.slice(place);
        return;
      }
    }
  }
}

/** Moves a position out of the span to replace around it: to the span's end if that can be released, or its start. */
function outsideSpan({ spans }: SaidText, position: number, limit: number): number {
  const around = mergeSpans(spans).find(({ start, end }) => start < position && position < end);
  if (!around) return position;
  return around.end <= limit ? around.end : around.start;
}
