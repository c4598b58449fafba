import type { TextForm } from "../engine/filters/readings/text-form";

/** Returns the part of a text that a word of its form stands for. */
export function sourceOf(text: string, form: TextForm, word: string): string {
  const start = form.text.indexOf(word);
  if (start < 0) return `${form.text} lacks ${word}`;
  const span = form.span(start, start + word.length);
  return text.slice(span.start, span.end);
}
