/** A derived text whose spans map to the original text, in UTF-16 code units. */
export interface TextForm {
  text: string;
  /** Returns the span of the original text for a span of this form. */
  span: (start: number, end: number) => { start: number; end: number };
}

/** Initial value of a list of numbers that `withRoom` grows. */
export const NO_NUMBERS = new Int32Array(0);

/** Returns an array with room for `count` numbers: the given one, or a larger copy. */
export function withRoom(numbers: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> {
  if (count <= numbers.length) return numbers;
  const larger = new Int32Array(Math.max(16, 2 * count));
  larger.set(numbers);
  return larger;
}

/** Replacements in a text, ascending and without overlaps; stored compactly, since a text may have millions. */
export class Edits {
  readonly texts: string[] = [];
  /** Start and end of each replacement. */
  #places = NO_NUMBERS;

  get length(): number {
    return this.texts.length;
  }

  add(start: number, end: number, text: string): void {
    const at = 2 * this.texts.length;
    this.#places = withRoom(this.#places, at + 2);
    this.#places[at] = start;
    this.#places[at + 1] = end;
    this.texts.push(text);
  }

  start(index: number): number {
    return this.#places[2 * index] as number;
  }

  end(index: number): number {
    return this.#places[2 * index + 1] as number;
  }

  /** Returns the index of the last edit that starts at or before a position; -1 when all start after it. */
  lastFrom(place: number): number {
    return lastAtMost(this.length, (index) => this.start(index), place);
  }
}

/** Returns the edits that replace every match with its plain form. */
export function editsOf(text: string, pattern: RegExp, plain: (match: string) => string): Edits {
  const edits = new Edits();
  for (const { 0: match, index: start } of text.matchAll(pattern)) {
    const replacement = plain(match);
    if (replacement !== match) edits.add(start, start + match.length, replacement);
  }
  return edits;
}

export const identity = (text: string): TextForm => ({ text, span: (start, end) => ({ start, end }) });

/** Returns a form that is computed on first use. */
export function lazy(create: () => TextForm): TextForm {
  let form: TextForm | undefined;
  const created = () => (form ??= create());
  return {
    get text() {
      return created().text;
    },
    span: (start, end) => created().span(start, end),
  };
}

/** Returns the index of the last of `count` ascending numbers that is at most `value`; -1 when all are greater. */
export function lastAtMost(count: number, numberAt: (index: number) => number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Number of pieces of a text that are joined in one batch. */
const MOST_PIECES = 4096;

/** Applies edits; a span that touches a replacement covers the whole replaced text. */
export function edited(text: string, edits: Edits): TextForm {
  const count = edits.length;
  if (count === 0) return identity(text);
  const joined: string[] = [];
  let pieces: string[] = [];
  /** Start of each replacement in the form. */
  const places = new Int32Array(count);
  let [from, length] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const [start, by] = [edits.start(index), edits.texts[index] as string];
    pieces.push(text.slice(from, start), by);
    length += start - from;
    places[index] = length;
    length += by.length;
    from = edits.end(index);
    if (pieces.length < MOST_PIECES) continue;
    joined.push(pieces.join(""));
    pieces = [];
  }
  pieces.push(text.slice(from));
  joined.push(pieces.join(""));
  /** Returns the original span of the code unit at `place` of the form. */
  const origin = (place: number): { start: number; end: number } => {
    const index = lastAtMost(count, (at) => places[at] as number, place);
    if (index < 0) return { start: place, end: place + 1 };
    const end = edits.end(index);
    const after = place - (places[index] as number) - (edits.texts[index] as string).length;
    return after < 0 ? { start: edits.start(index), end } : { start: end + after, end: end + after + 1 };
  };
  return {
    text: joined.join(""),
    span: (start, end) => ({
      start: Math.min(origin(start).start, text.length),
      end: end > start ? origin(end - 1).end : Math.min(origin(start).start, text.length),
    }),
  };
}

/** Composes two forms: `inner` is a form of the text of `outer`; the result maps to the original text. */
export const composed = (outer: TextForm, inner: TextForm): TextForm =>
  outer.text === inner.text
    ? outer
    : {
        text: inner.text,
        span: (start, end) => {
          const span = inner.span(start, end);
          return outer.span(span.start, span.end);
        },
      };
