// How exact the content filters are on the held-out half of their corpora, beside two packages each; then how fast they are.
import { BUILTIN_SLUGS } from "../lib/engine/filters/vocabulary";
import { accuracyOf, detectionsOf, sentencesOf, type Accuracy } from "../lib/testing/filter-accuracy";
import { packagesFor } from "./detection-packages";
import { benchAddresses } from "./addresses";
import { benchPublicSets } from "./public/measure";
import { benchCost } from "./filters-cost";
import { benchThroughput } from "./filters-throughput";

const TARGETS: Record<string, readonly [precision: number, recall: number]> = {
  "regex-prompt-injection": [0.97, 0.9],
  "person-name": [0.9, 0.85],
  address: [0.9, 0.85],
};
const STRUCTURED = [0.99, 0.99] as const;

const say = (line: string) => process.stdout.write(`${line}\n`);
const f1 = ({ precision, recall }: Accuracy) => (2 * precision * recall) / (precision + recall || 1);
const shown = (accuracy: Accuracy | undefined) =>
  accuracy ? `${accuracy.precision.toFixed(3)} / ${accuracy.recall.toFixed(3)}` : "–";

say(
  "Precision / recall on the held-out half: a detection is right when it and a label overlap by at least half of each; an injection counts per text.\n",
);
say(
  "| Builtin | sentences | labels | Signalbox | target | package | its figures | package | its figures |\n|---|---:|---:|---|---|---|---|---|---|",
);
for (const slug of BUILTIN_SLUGS) {
  const sentences = sentencesOf(slug, "held-out");
  const isPerText = slug === "regex-prompt-injection";
  const own = await accuracyOf(sentences, detectionsOf(slug), isPerText);
  const others = [];
  for (const { name, setups } of packagesFor(slug)) {
    const measured = [];
    for (const find of setups) measured.push(await accuracyOf(sentences, find, isPerText));
    others.push(`${name} | ${shown(measured.sort((a, b) => f1(b) - f1(a))[0])}`);
  }
  const target = (TARGETS[slug] ?? STRUCTURED).map((figure) => figure.toFixed(2)).join(" / ");
  say(
    `| ${slug} | ${sentences.length} | ${sentences.reduce((sum, { spans }) => sum + spans.length, 0)} | ${shown(own)} | ${target} | ${others.join(" | ")} |`,
  );
}
say("");
benchAddresses();
await benchPublicSets();
benchCost();
await benchThroughput();
