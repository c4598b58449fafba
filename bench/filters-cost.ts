// Processor time of scanning: each builtin and all together on texts with few hits, a chat body of 1 kB, and a stream of 50 chunks.
// Part of npm run bench:filters; alone: node --conditions=react-server --import tsx bench/filters-cost.ts
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BUILTIN_DETECTORS } from "../lib/engine/filters/builtin-detectors";
import { leavesOf } from "../lib/engine/filters/leaves";
import { compilePatterns } from "../lib/engine/filters/pattern-set";
import { patternsOf, scan, type ScanLeaf, type ScanRule } from "../lib/engine/filters/scan";
import { reachOf } from "../lib/engine/filters/reach";
import { StreamWindow } from "../lib/engine/filters/stream-window";
import { ChatCompletionsBody } from "../lib/engine/protocols/contracts/chat-request-contract";
import { BUILTIN_LABELS, BUILTIN_SLUGS } from "../lib/engine/filters/vocabulary";
import { PATTERNS } from "./patterns";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Folder of the public sets of bench/README.md. */
const sets = process.env["SIGNALBOX_PUBLIC_SETS"] ?? "";

/** Length of the texts that a set is cut into. */
const PART = 8_000;
const MOST = 400_000;

const read = (folder: string, ends = "") =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(ends) && /\.[a-z]+$/.test(name) && !name.includes("test"))
        .sort()
        .map((name) => readFileSync(join(folder, name), "utf8"))
    : [];

const stored = (folder: string) => (sets === "" ? [] : read(join(sets, folder)));

/** Prompts to a model, one task per paragraph. */
const tasks = () =>
  stored("alpaca")
    .filter((text) => text.includes("user_oriented_task_0"))
    .join("\n")
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { instruction, instances } = JSON.parse(line) as {
        instruction: string;
        instances: { input: string; output: string }[];
      };
      return [instruction, ...instances.flatMap(({ input, output }) => [input, output])].join("\n");
    });

const orElse = (texts: readonly string[], other: () => readonly string[]) => (texts.length > 0 ? texts : other());

/** Texts with few hits, from the public sets if they are stored (bench/README.md), else from this repository. */
function texts(): [name: string, parts: string[]][] {
  const kinds: [string, readonly string[]][] = [
    ["prose", orElse(tasks(), () => read(join(root, "docs"), ".md"))],
    ["code", orElse(stored("code"), () => read(join(root, "lib/gateway"), ".ts"))],
    ["JSON", [readFileSync(join(root, "package-lock.json"), "utf8")]],
    ["logs", stored("loghub")],
  ];
  return kinds.flatMap(([name, all]): [string, string[]][] => {
    const text = all.join("\n").slice(0, MOST);
    return text === ""
      ? []
      : [
          [
            name,
            Array.from({ length: Math.ceil(text.length / PART) }, (_, at) => text.slice(at * PART, (at + 1) * PART)),
          ],
        ];
  });
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Returns the lowest of several CPU times in microseconds. */
function cpuOf(work: () => unknown, rounds = 5): number {
  let lowest = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    lowest = Math.min(lowest, user + system);
  }
  return lowest;
}

const BUILTINS: ScanRule[] = BUILTIN_SLUGS.map((slug) => ({
  detector: { kind: "builtin", slug },
  action: "redact",
  label: BUILTIN_LABELS[slug],
  scanScope: "all_messages" as const,
}));
const EIGHT = BUILTINS.filter(({ detector }) => detector.kind !== "builtin" || detector.slug !== "secrets");
const CUSTOM: ScanRule[] = PATTERNS.map((pattern) => ({
  detector: { kind: "pattern", pattern },
  action: "redact",
  label: "[REDACTED]",
  scanScope: "all_messages" as const,
}));

function scanner(rules: readonly ScanRule[]) {
  const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns(patternsOf(rules)) };
  return (leaves: readonly ScanLeaf[]) => scan(rules, leaves, finders, () => undefined);
}

const leafOf = (text: string): ScanLeaf => ({ text, form: "text", isUser: true, turn: 0 });

function throughput(): void {
  const kinds = texts();
  say(`MB/s of one core, texts of ${PART / 1000} kB`.padEnd(40) + kinds.map(([name]) => name.padStart(9)).join(""));
  const rows: [string, readonly ScanRule[]][] = [
    ...BUILTINS.map((rule, at): [string, ScanRule[]] => [BUILTIN_SLUGS[at] ?? "", [rule]]),
    ["20 patterns", CUSTOM],
    ["eight builtins (without secrets)", EIGHT],
    ["nine builtins", BUILTINS],
    ["nine builtins and 20 patterns", [...BUILTINS, ...CUSTOM]],
    ["no rule: the readings alone", []],
  ];
  for (const [name, rules] of rows) {
    const run = scanner(rules);
    const speeds = kinds.map(([, parts]) => {
      const all = () => parts.forEach((part) => run([leafOf(part)]));
      all();
      return parts.join("").length / cpuOf(all);
    });
    say(name.padEnd(40) + speeds.map((speed) => speed.toFixed(1).padStart(9)).join(""));
  }
}

/** A chat of about a kilobyte: instructions, a question with some code, an answer, another question. */
const chat = (at: number) =>
  ChatCompletionsBody.parse({
    model: "m",
    temperature: 0.2,
    messages: [
      { role: "system", content: "You are a concise assistant for the engineering team. Answer in plain English." },
      {
        role: "user",
        content: `Please summarise the meeting of last Tuesday (${at}). The team agreed that the new importer reads 42 files per minute, and that the old one stays until March. Customers asked twice for a dark mode; nobody had an estimate. The next release is planned for the end of the quarter, if tests pass.`,
      },
      {
        role: "assistant",
        content:
          "The importer is ready; the old one is retired in March. Dark mode has no estimate yet. The release follows at the end of the quarter.",
      },
      {
        role: "user",
        content: `Thanks. What does this function return for an empty list?\n\nfunction total(rows) {\n  return rows.filter((row) => row.open).reduce((sum, row) => sum + row.amount, ${at});\n}\n\nAnd how would you write it with a loop, so that a reader who doesn't know reduce understands it at once? Keep the names of the variables, and explain each step in a sentence or two.`,
      },
    ],
  });

function small(): void {
  const bodies = Array.from({ length: 300 }, (_, at) => chat(at));
  const walked = bodies.map((body) => [...leavesOf("chat_completions", body)].flatMap((leaf) => leaf ?? []));
  say(`\nµs of CPU for a chat body of ${JSON.stringify(bodies[0]).length} characters`);
  const row = (name: string, work: () => unknown) => {
    work();
    work();
    say(name.padEnd(40) + (cpuOf(work, 9) / bodies.length).toFixed(1).padStart(9));
  };
  row("walking the body", () => bodies.map((body) => [...leavesOf("chat_completions", body)]));
  for (const [name, rules] of [
    ["no rule", []],
    ["one pattern", CUSTOM.slice(0, 1)],
    ["20 patterns", CUSTOM],
    ["eight builtins", EIGHT],
    ["eight builtins and 20 patterns", [...EIGHT, ...CUSTOM]],
    ["nine builtins and 20 patterns", [...BUILTINS, ...CUSTOM]],
  ] as const) {
    const run = scanner(rules);
    row(`scanning: ${name}`, () => walked.map(run));
  }
}

function strings(): void {
  const count = 1000;
  const names = Array.from({ length: count }, (_, at) => leafOf(`Option ${at}: sort the rows by date`));
  const run = scanner(EIGHT);
  const leaves = names.map((leaf) => ({ ...leaf, turn: null }));
  run(leaves);
  say(
    `\nµs of CPU per short string, eight builtins`.padEnd(41) +
      (cpuOf(() => run(leaves)) / count).toFixed(1).padStart(9),
  );
}

function streams(): void {
  const answer = "The importer reads every file once, and keeps the rows that are still open. "
    .repeat(30)
    .slice(0, 50 * 40);
  const chunks = Array.from({ length: 50 }, (_, at) => answer.slice(at * 40, (at + 1) * 40));
  say("\nµs of CPU for a stream of 50 chunks of 40 characters, scans of its window");
  for (const [name, rules] of [
    ["ssn", EIGHT.filter(({ detector }) => detector.kind === "builtin" && detector.slug === "ssn")],
    ["seven builtins", EIGHT.slice(1)],
    ["eight builtins", EIGHT],
  ] as const) {
    const run = scanner(rules);
    const stream = () => {
      const window = new StreamWindow(reachOf(rules));
      const drain = (isEnd: boolean) => {
        for (let slice = window.slice(isEnd); slice; slice = window.slice(isEnd)) {
          run([{ text: slice.text, form: "text", isUser: false }]);
          window.settle(slice, [], isEnd);
        }
      };
      for (const chunk of chunks) {
        window.push(chunk);
        drain(false);
      }
      drain(true);
    };
    const many = () => {
      for (let time = 0; time < 50; time += 1) stream();
    };
    many();
    say(name.padEnd(40) + (cpuOf(many) / 50).toFixed(0).padStart(9));
  }
}

export function benchCost(): void {
  throughput();
  small();
  strings();
  streams();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) benchCost();
