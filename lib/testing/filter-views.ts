import type { View } from "../engine/filters/view/view";

/** Returns the part of a text that a word of its view stands for. */
export function sourceOf(text: string, view: View, word: string): string {
  const start = view.text.indexOf(word);
  if (start < 0) return `${view.text} lacks ${word}`;
  const span = view.span(start, start + word.length);
  return text.slice(span.start, span.end);
}
