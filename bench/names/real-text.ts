// Sentences that people wrote and labelled, under CC BY 4.0; lib/engine/filters/detectors/NOTICE.md names their authors.
import { namesIn, type Sentence } from "../public/sets";
import type { Random } from "./random";

/** The file, the column of its words, and how often it is used. */
const FILES = [
  ["wnut-17/wnut17train.conll", 0, 1],
  ["wnut-17/emerging.dev.conll", 0, 1],
  ["broad-twitter/a.conll", 0, 1],
  ["broad-twitter/b.conll", 0, 1],
  ["broad-twitter/e.conll", 0, 1],
  ["broad-twitter/f.conll", 0, 1],
  ["broad-twitter/g.conll", 0, 1],
  ["wikigold/wikigold.conll.txt", 0, 6],
  ["germeval-14/NER-de-dev.tsv", 1, 3],
] as const;

/** Labelled sentences, half of them with a space around each mark; some are joined to paragraphs. */
export function realSentences(random: Random): Sentence[] {
  const sentences: Sentence[] = [];
  for (const [file, column, times] of FILES)
    for (let time = 0; time < times; time++) {
      let open: Sentence | undefined;
      for (const sentence of namesIn(file, column, () => random.chance(0.7))) {
        if (!open) sentences.push((open = sentence));
        else {
          const from = open.text.length + 1;
          open.text += `${random.chance(0.3) ? "\n" : " "}${sentence.text}`;
          open.spans.push(...sentence.spans.map(({ start, end }) => ({ start: start + from, end: end + from })));
        }
        if (random.chance(0.6)) open = undefined;
      }
    }
  return sentences;
}
