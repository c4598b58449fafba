// Public data sets, read from the folder that SIGNALBOX_PUBLIC_SETS names. bench/README.md lists its files; none is in this repository.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";

interface Span {
  start: number;
  end: number;
}
export interface Sentence {
  text: string;
  spans: Span[];
}

export const PUBLIC_SETS = process.env.SIGNALBOX_PUBLIC_SETS ?? "";

export const isStored = (...path: string[]) => PUBLIC_SETS !== "" && existsSync(join(PUBLIC_SETS, ...path));
export const textOf = (...path: string[]) => readFileSync(join(PUBLIC_SETS, ...path), "utf8");
export const filesOf = (folder: string) => readdirSync(join(PUBLIC_SETS, folder)).sort();

const isAttached = (word: string) => /^(?:[.,!?;:%)\]}…”]|['’]\w{1,2}|n't|'s|\.\.\.)$/.test(word);
const isOpening = (word: string) => /^[([{“$#@]$/.test(word);

/** Joins words as text is written, or by single spaces, with the spans of the names. */
function joined(words: readonly string[], isName: readonly (false | "B" | "I")[], isWritten: boolean): Sentence {
  let text = "";
  const spans: Span[] = [];
  let isQuoted = false;
  for (const [at, word] of words.entries()) {
    const quote = word === '"';
    const left = words[at - 1] ?? "";
    const isClosing = quote && isQuoted;
    const isGlued =
      at === 0 || (isWritten && (isAttached(word) || isOpening(left) || isClosing || (left === '"' && isQuoted)));
    if (quote) isQuoted = !isQuoted;
    if (!isGlued) text += " ";
    const start = text.length;
    text += word;
    const last = spans.at(-1);
    if (isName[at] === "I" && last && isName[at - 1]) last.end = text.length;
    else if (isName[at]) spans.push({ start, end: text.length });
  }
  return { text, spans };
}

/** Reads sentences of one word per line; `columns` are the places of the word and its label, from the left or right. */
export function labelledWords(
  content: string,
  isPerson: (label: string) => boolean,
  isWritten: (sentence: number) => boolean,
  columns: readonly [word: number, label: number] = [0, -1],
): Sentence[] {
  const sentences: Sentence[] = [];
  for (const block of content.split(/\n\s*\n/)) {
    const rows = block.split("\n").flatMap((line) => {
      const cells = line.trim().split(/\t|\s+/);
      const [word, label] = columns.map((column) => cells.at(column) ?? "");
      return word && label && cells.length > 1 && !line.startsWith("#") && word !== "-DOCSTART-"
        ? [{ word, label }]
        : [];
    });
    if (rows.length === 0) continue;
    // Older files write I- for a name's first word, unless another name precedes it.
    // Account names are labelled as people in tweets.
    for (const [at, row] of rows.entries()) if (row.word.startsWith("@") || rows[at - 1]?.word === "@") row.label = "O";
    const names = rows.map(({ label }, at): false | "B" | "I" =>
      !isPerson(label) ? false : label.startsWith("B") || !isPerson(rows[at - 1]?.label ?? "O") ? "B" : "I",
    );
    sentences.push(
      joined(
        rows.map(({ word }) => word),
        names,
        isWritten(sentences.length),
      ),
    );
  }
  return sentences;
}

const isPerson = (label: string) => /^[BI]-(?:PER|person)$/.test(label);

/** Name sets by title: the file, whether its columns are numbered, and its terms. */
export const NAME_SETS = {
  "CoNLL-2003 English, test b": ["conll-2003/eng.testb", 0],
  "WNUT-17, test": ["wnut-17/emerging.test.annotated", 0],
  "Broad Twitter Corpus, h": ["broad-twitter/h.conll", 0],
  "GermEval 2014, test": ["germeval-14/NER-de-test.tsv", 1],
} as const;

export function namesIn(
  file: string,
  column: number,
  isWritten: (sentence: number) => boolean = () => true,
): Sentence[] {
  return labelledWords(
    textOf(file),
    isPerson,
    isWritten,
    column === 0 ? [0, file.startsWith("conll-2003") ? -1 : 1] : [1, 2],
  );
}

interface PresidioSample {
  full_text: string;
  spans: { entity_type: string; start_position: number; end_position: number }[];
}

export const presidio = (): { text: string; of: (...types: string[]) => Span[] }[] =>
  (JSON.parse(textOf("presidio/synth_dataset_v2.json")) as PresidioSample[]).map(({ full_text: text, spans }) => ({
    text,
    of: (...types) =>
      spans
        .filter(({ entity_type }) => types.includes(entity_type))
        .map(({ start_position: start, end_position: end }) => ({ start, end })),
  }));

export interface Judged {
  text: string;
  isAttack: boolean;
}

export async function deepset(): Promise<Judged[]> {
  const halves = await Promise.all(
    filesOf("deepset").map(async (name) => {
      const bytes = readFileSync(join(PUBLIC_SETS, "deepset", name));
      return parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      });
    }),
  );
  return halves.flat().map((row) => ({ text: String(row.text), isAttack: Number(row.label) === 1 }));
}

/** Reads rows of a CSV file with quoted cells. */
export function csvRows(content: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of content.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
    if (end === "") break;
  }
  return rows;
}
