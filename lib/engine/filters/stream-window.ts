import { redact, type LabelledSpan } from "./redact";
import { SHORTEST_RUN } from "./readings/base64";
import { condensedForm } from "./readings/readings";

/** A match in a streamed text, as offsets in UTF-16 code units of the whole text. */
export interface WindowMatch {
  start: number;
  end: number;
  /** The replacement; null when the match is only recorded. */
  replacement: Pick<LabelledSpan, "label" | "action"> | null;
}

/** Number of characters around a match that decide it; see `reachOf`. */
export interface Reach {
  /** Before the start of the match. */
  before: number;
  /** From the start of the match on, including it; counted in the condensed form of the text. */
  after: number;
  /** Returns where a match that more text may complete starts in the condensed form; Infinity without one. */
  openFrom?: (text: string) => number;
}

/** New characters between two scans: the text's length divided by `GROWTH`, from `STEP` to `MAX_STEP`. */
const STEP = 128;
const MAX_STEP = 1024;
const GROWTH = 8;
const WORD = /[\w+/=-]/;

/** A part of the text to scan. */
export interface Slice {
  text: string;
  /** Offset in the whole text. */
  offset: number;
}

/**
 * Holds back the end of a text that arrives in chunks, so that no match is released before it is complete. Scans take
 * place at positions that depend on the text alone, not on its chunks: any chunking releases the same text with the
 * same matches.
 *
 * A match that starts before `edge` (the scanned end minus the reach) lies entirely in the scanned text. Text is
 * released up to the edge, or up to the start of a match that crosses it.
 */
export class StreamWindow {
  /** The text from `#base` on: left context of the next scan, then the held part. */
  #text = "";
  #base = 0;
  #released = 0;
  #next: number;
  /** Ends of earlier releases. No match crosses them, so a scan that starts at one of them finds the same matches. */
  #boundaries: number[] = [];

  constructor(private readonly reach: Reach) {
    this.#next = reach.after + STEP;
  }

  get held(): number {
    return this.#base + this.#text.length - this.#released;
  }

  push(text: string): void {
    this.#text += text;
  }

  /** Returns the next part to scan; null until more text arrives. `isEnd` is true when no more text will follow. */
  slice(isEnd: boolean): Slice | null {
    const length = this.#base + this.#text.length;
    if (this.#next <= length) return { text: this.#text.slice(0, this.#next - this.#base), offset: this.#base };
    return isEnd && this.#released < length ? { text: this.#text, offset: this.#base } : null;
  }

  /** Applies the matches of a slice; returns the redacted text to release, its end, and the matches in it. */
  settle<Match extends WindowMatch>(
    slice: Slice,
    matches: readonly Match[],
    isEnd: boolean,
  ): { text: string; end: number; matches: Match[] } {
    const start = this.#released;
    const scanned = slice.offset + slice.text.length;
    const isLast = isEnd && scanned === this.#base + this.#text.length;
    const open = matches.filter(({ end }) => end > start);
    const byStart = open.toSorted((a, b) => b.start - a.start);
    let edge = isLast ? scanned : Math.max(start, this.#edge(slice));
    for (let before = Infinity; edge < before;) {
      before = edge;
      for (const match of byStart) if (match.start < edge && match.end > edge) edge = Math.max(start, match.start);
      if (!isLast) edge = Math.max(start, outsideWord(slice, edge));
    }
    const settled = open.filter(({ end }) => end <= edge);
    const spans = settled.flatMap(({ replacement, ...match }) =>
      replacement ? [{ start: Math.max(0, match.start - start), end: match.end - start, ...replacement }] : [],
    );
    const text = redact(slice.text.slice(start - slice.offset, edge - slice.offset), spans);
    this.#release(edge, scanned);
    return { text, end: edge, matches: settled };
  }

  /** Returns the position whose reach ends at the end of the slice, but never one within a surrogate pair. */
  #edge({ text, offset }: Slice): number {
    if (this.reach.after === Infinity) return offset;
    const form = condensedForm(text);
    const place = Math.min(form.text.length - this.reach.after, this.reach.openFrom?.(form.text) ?? Infinity);
    if (place <= 0) return offset;
    const { start } = form.span(place, place + 1);
    return offset + start - (/[\udc00-\udfff]/.test(text[start] ?? "") ? 1 : 0);
  }

  #release(edge: number, scanned: number): void {
    // A long match is rescanned after its length has doubled, so that all scans together take linear time.
    const growth = Math.min(MAX_STEP, Math.floor(scanned / GROWTH));
    this.#next = scanned + Math.max(STEP, growth, scanned - edge - this.reach.after);
    if (edge === this.#released) return;
    this.#released = edge;
    this.#boundaries.push(edge);
    let base = this.#base;
    while ((this.#boundaries[0] ?? Infinity) <= edge - this.reach.before) base = this.#boundaries.shift() ?? base;
    this.#text = this.#text.slice(base - this.#base);
    this.#base = base;
  }
}

/**
 * Returns the start of the word around a position if the word may be base64, which must be decoded as a whole;
 * otherwise the position.
 */
function outsideWord({ text, offset }: Slice, position: number): number {
  let [start, end] = [position - offset, position - offset];
  while (start > 0 && WORD.test(text[start - 1] ?? "")) start -= 1;
  while (end < text.length && end - start < SHORTEST_RUN && WORD.test(text[end] ?? "")) end += 1;
  return end - start < SHORTEST_RUN ? position : start + offset;
}
