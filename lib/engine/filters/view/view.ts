/** A derived text whose spans map to the original text, in UTF-16 code units. */
export interface View {
  text: string;
  /** Returns the span of the original text for a span of this view. */
  span: (start: number, end: number) => { start: number; end: number };
}

/** A replacement of `start`–`end` in a text. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export const identity = (text: string): View => ({ text, span: (start, end) => ({ start, end }) });

/** Creates a view when it is first read. */
export function lazy(create: () => View): View {
  let view: View | undefined;
  const created = () => (view ??= create());
  return {
    get text() {
      return created().text;
    },
    span: (start, end) => created().span(start, end),
  };
}

/** Returns the index of the last number that is at most `value`; -1 when all are greater. */
export function lastAtMost(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Applies ascending edits that don't overlap; a span that touches a replacement covers the whole replaced text. */
export function edited(text: string, edits: readonly Edit[]): View {
  if (edits.length === 0) return identity(text);
  const pieces: string[] = [];
  /** Start of each replacement in the view. */
  const places: number[] = [];
  let [from, length] = [0, 0];
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.start), edit.text);
    length += edit.start - from;
    places.push(length);
    length += edit.text.length;
    from = edit.end;
  }
  pieces.push(text.slice(from));
  /** Returns the original characters that a character of the view stands for. */
  const origin = (place: number): { start: number; end: number } => {
    const index = lastAtMost(places, place);
    const edit = edits[index];
    if (!edit) return { start: place, end: place + 1 };
    const after = place - (places[index] as number) - edit.text.length;
    return after < 0 ? edit : { start: edit.end + after, end: edit.end + after + 1 };
  };
  return {
    text: pieces.join(""),
    span: (start, end) => ({
      start: Math.min(origin(start).start, text.length),
      end: end > start ? origin(end - 1).end : Math.min(origin(start).start, text.length),
    }),
  };
}

/** Maps a view of a view to the original text. */
export const composed = (outer: View, inner: View): View =>
  outer.text === inner.text
    ? outer
    : {
        text: inner.text,
        span: (start, end) => {
          const span = inner.span(start, end);
          return outer.span(span.start, span.end);
        },
      };
