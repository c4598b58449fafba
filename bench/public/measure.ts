// How exact the content filters are on public data sets, for those that are stored: bench/README.md#public-sets.
import { BUILTIN_DETECTORS } from "../../lib/engine/filters/builtin-detectors";
import type { BuiltinFilter } from "../../lib/engine/filters/contract";
import { accuracyOf } from "../../lib/testing/filter-accuracy";
import { phoneSentences } from "./phones";
import { NAME_SETS, csvRows, deepset, filesOf, isStored, namesIn, presidio, textOf, type Judged } from "./sets";

type Slug = BuiltinFilter["slug"];
interface Place {
  start: number;
  end: number;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (...cells: (string | number)[]) => say(`| ${cells.join(" | ")} |`);
const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole).toFixed(3);
const isFound = (slug: Slug, text: string) => BUILTIN_DETECTORS[slug](text).length > 0;

async function spans(slug: Slug, name: string, sentences: readonly { text: string; spans: Place[] }[]) {
  const { precision, recall } = await accuracyOf(sentences, BUILTIN_DETECTORS[slug], false);
  const labels = sentences.reduce((sum, { spans: places }) => sum + places.length, 0);
  row(slug, name, sentences.length, labels, `${precision.toFixed(3)} / ${recall.toFixed(3)}`);
}

/** Precision and recall when any overlap counts. */
function partly(slug: Slug, name: string, sentences: readonly { text: string; spans: Place[] }[]) {
  let [found, right, labels, hit] = [0, 0, 0, 0];
  const meets = (a: Place, b: Place) => a.start < b.end && b.start < a.end;
  for (const { text, spans: places } of sentences) {
    const detections = BUILTIN_DETECTORS[slug](text);
    found += detections.length;
    right += detections.filter((detection) => places.some((place) => meets(detection, place))).length;
    labels += places.length;
    hit += places.filter((place) => detections.some((detection) => meets(detection, place))).length;
  }
  row(slug, `${name}, partial overlap`, sentences.length, labels, `${share(right, found)} / ${share(hit, labels)}`);
}

function judged(slug: Slug, name: string, texts: readonly Judged[]) {
  const attacks = texts.filter(({ isAttack }) => isAttack);
  const benign = texts.filter(({ isAttack }) => !isAttack);
  const count = (of: readonly Judged[]) => of.filter(({ text }) => isFound(slug, text)).length;
  const outcome = [
    ...(attacks.length > 0 ? [`recall ${share(count(attacks), attacks.length)}`] : []),
    ...(benign.length > 0 ? [`false positives ${count(benign)} of ${benign.length}`] : []),
  ];
  row(slug, name, texts.length, attacks.length, outcome.join(", "));
}

const GERMAN = /\b(?:und|der|die|das|ist|ich|ein|eine|nicht|Sie|auf|mit|für|wie|was|du|mir|von|den|im|zu)\b/g;
const ENGLISH = /\b(?:the|and|is|of|to|in|you|what|that|for|are|with|now|all)\b/gi;
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const isGerman = (text: string) => count(text, GERMAN) > count(text, ENGLISH);

type Json = Record<string, unknown>;
const lines = (file: string) =>
  textOf(file)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
const instruction = (task: Json) => ({
  text: `${String(task.instruction)}\n${typeof task.input === "string" ? task.input : ""}`,
  isAttack: false,
});

async function injections() {
  const slug = "regex-prompt-injection";
  if (isStored("deepset")) {
    const texts = await deepset();
    judged(
      slug,
      "deepset/prompt-injections, English",
      texts.filter(({ text }) => !isGerman(text)),
    );
    judged(
      slug,
      "deepset/prompt-injections, German",
      texts.filter(({ text }) => isGerman(text)),
    );
  }
  if (isStored("qualifire/test.csv"))
    judged(
      slug,
      "qualifire/prompt-injections-benchmark",
      csvRows(textOf("qualifire/test.csv"))
        .slice(1)
        .map(([text = "", label]) => ({ text, isAttack: label === "jailbreak" })),
    );
  if (isStored("bipia")) {
    const attacks = ["text_attack_test", "code_attack_test"].flatMap((name) =>
      Object.values(JSON.parse(textOf(`bipia/${name}.json`)) as Record<string, string[]>).flat(),
    );
    const contexts = ["email", "table", "code"].flatMap((name) => lines(`bipia/${name}-test.jsonl`));
    judged(slug, "BIPIA", [
      ...attacks.map((text) => ({ text, isAttack: true })),
      ...contexts.map(({ context }) => ({ text: String(context), isAttack: false })),
    ]);
  }
  if (isStored("alpaca"))
    for (const file of filesOf("alpaca")) {
      const tasks = file.endsWith(".jsonl")
        ? lines(`alpaca/${file}`)
        : (JSON.parse(textOf(`alpaca/${file}`)) as Json[]);
      judged(slug, `benign instructions, ${file}`, tasks.map(instruction));
    }
}

interface Case {
  text: string;
  kind?: string;
  ranges?: [number, number][];
}

/** Fixtures of secret scanners, as JSON with the text and what the scanner says of it. */
function secrets() {
  if (isStored("gitleaks/cases.json"))
    judged(
      "secrets",
      "gitleaks' own examples",
      (JSON.parse(textOf("gitleaks/cases.json")) as Case[]).map(({ text, kind }) => ({
        text,
        isAttack: kind === "tp",
      })),
    );
  if (isStored("secretlint/cases.json"))
    partly(
      "secrets",
      "secretlint's snapshots",
      (JSON.parse(textOf("secretlint/cases.json")) as Case[]).map(({ text, ranges = [] }) => ({
        text,
        spans: ranges.map(([start, end]) => ({ start, end })),
      })),
    );
}

/** Regions of which five are measured at a time. */
const REGIONS = ["DE FR GB ES US", "AT CH NL SE TR", "PL DK IN BR IT", "NO PT MX SG CZ", "IS KW CY HK MV"];

function falseAlarms() {
  say("\nDetections per 10 kB of text that is hardly about people:\n");
  row("Builtin", "code", "JSON", "logs");
  row("---", "---:", "---:", "---:");
  const rowOf = (slug: Slug, regions: readonly string[] = []) =>
    row(
      [slug, ...regions].join(" "),
      ...["code", "json", "loghub"].map((folder) => {
        if (!isStored(folder)) return "–";
        const texts = filesOf(folder).map((name) => textOf(folder, name));
        const found = texts.reduce((sum, text) => sum + BUILTIN_DETECTORS[slug](text, regions).length, 0);
        return ((found * 10_000) / texts.reduce((sum, { length }) => sum + length, 0)).toFixed(2);
      }),
    );
  for (const slug of Object.keys(BUILTIN_DETECTORS) as Slug[]) rowOf(slug);
  for (const regions of REGIONS) rowOf("phone", regions.split(" "));
}

export async function benchPublicSets(): Promise<void> {
  if (!process.env.SIGNALBOX_PUBLIC_SETS) {
    say("Public sets: SIGNALBOX_PUBLIC_SETS isn't set (bench/README.md#public-sets).");
    return;
  }
  say("Public sets: precision / recall, or recall and false positives per text.\n");
  row("Builtin", "set", "texts", "labels", "figures");
  row("---", "---", "---:", "---:", "---");
  for (const [name, [file, column]] of Object.entries(NAME_SETS))
    if (isStored(file)) await spans("person-name", name, namesIn(file, column));
  if (isStored("presidio/synth_dataset_v2.json")) {
    const samples = presidio();
    const labelled = (...types: string[]) => samples.map(({ text, of }) => ({ text, spans: of(...types) }));
    await spans("person-name", "presidio-research v2", labelled("PERSON"));
    partly("address", "presidio-research v2", labelled("STREET_ADDRESS"));
    await spans("phone", "presidio-research v2", labelled("PHONE_NUMBER"));
    await spans("credit-card", "presidio-research v2", labelled("CREDIT_CARD"));
    await spans("email", "presidio-research v2", labelled("EMAIL_ADDRESS"));
    await spans("ssn", "presidio-research v2", labelled("US_SSN"));
    await spans("ip-address", "presidio-research v2", labelled("IP_ADDRESS"));
  }
  if (isStored("presidio/templates.txt"))
    await spans("phone", "presidio-research's templates with our own numbers", phoneSentences(1000));
  secrets();
  await injections();
  falseAlarms();
}
