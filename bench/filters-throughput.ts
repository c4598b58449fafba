// How fast content filters are: a full pass as for requests, the linear-time engine beside native RegExp, hostile patterns.
// Part of npm run bench:filters; alone: node --conditions=react-server --import tsx bench/filters-throughput.ts
import { pathToFileURL } from "node:url";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { filterInput } from "../lib/gateway/filters/filter-service";
import type { FilterRule } from "../lib/engine/filters/filter-rule";
import { compilePatterns } from "../lib/engine/filters/pattern-set";
import { ScanTimeout } from "../lib/engine/filters/scan-failure";
import { BUILTIN_LABELS, BUILTIN_SLUGS } from "../lib/engine/filters/vocabulary";
import { patternProblem } from "../lib/engine/filters/pattern";
import { ResponsesBody } from "../lib/engine/protocols/contracts/responses-request-contract";
import { bundleWorkers } from "../lib/server/bundle-workers.mjs";
import { PATTERNS } from "./patterns";

const PROSE = `Please summarise the meeting of last Tuesday. The team agreed that the new importer reads 42 files per minute, and that the old one
stays until March. function total(rows) { return rows.filter((row) => row.open).reduce((sum, row) => sum + row.amount, 0); }
Customers asked twice for a dark mode; nobody had an estimate. The next release is planned for the end of the quarter, if tests pass. `;
const HITS = ["PROJ-12345", "CASE-2024-1234", "INV-20249"];

/** Prose of a length, with as many things to find, spread evenly. */
function prose(units: number, hits: number): string {
  const filling = PROSE.repeat(Math.ceil(units / PROSE.length));
  const part = Math.floor(units / (hits + 1));
  const parts = Array.from(
    { length: hits + 1 },
    (_, index) =>
      filling.slice(index * part, (index + 1) * part) + (index < hits ? ` ${HITS[index % HITS.length]} ` : ""),
  );
  return parts.join("");
}

const ATTACKS: [string, string][] = [
  ["(a+)+$", `${"a".repeat(100_000)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(20_000)}!`],
  ["(a|aa)+$", `${"a".repeat(100_000)}!`],
  ["(.*a){20}", "b".repeat(100_000)],
  ["a.*b.*c.*d", "abc".repeat(33_000)],
  ["[ab]*a[ab]{18}c", "ab".repeat(50_000)],
  ["\\s+$", `${" ".repeat(100_000)}!`],
  ["(?:a{1000}){1000}", "a".repeat(100_000)],
  ["(\\w{0,30}\\d?){1,30}z", "w".repeat(100_000)],
  ["(\\w{0,30}\\d?){1,6}z", `${"w".repeat(100_000)}z`],
  ["a*b|a", "a".repeat(40_000)],
];

const rule = (detector: FilterRule["detector"], label: string): FilterRule => ({
  detector,
  action: "redact",
  label,
  scanScope: "all_messages" as const,
  sources: [],
});
const BUILTINS = BUILTIN_SLUGS.map((slug) => rule({ kind: "builtin", slug }, BUILTIN_LABELS[slug]));
const CUSTOM = PATTERNS.map((pattern) => rule({ kind: "pattern", pattern }, "[REDACTED]"));
const request = (text: string) => ({ protocol: "responses" as const, body: ResponsesBody.parse({ input: text }) });
const limits = (timeoutMs: number) => ({
  timeoutMs,
  workers: 1,
  signal: new AbortController().signal,
  owner: { organizationId: "bench", subject: "bench" },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function times(runs: number, work: () => unknown): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    measured.push(performance.now() - start);
  }
  return measured.toSorted((a, b) => a - b);
}

async function fullPass(): Promise<void> {
  const sets: [string, FilterRule[]][] = [
    ["all builtins + 20 patterns", [...BUILTINS, ...CUSTOM]],
    ["all builtins", BUILTINS],
    ["20 patterns", CUSTOM],
    ...BUILTINS.map((one, index): [string, FilterRule[]] => [`  ${BUILTIN_SLUGS[index]}`, [one]]),
  ];
  say("\nFull pass, on the event loop or in a worker thread as for requests, ms: p50, p99 of 300");
  for (const [name, rules] of sets) {
    for (const units of rules.length === BUILTINS.length + CUSTOM.length ? [100, 1_000, 10_000] : [10_000]) {
      const input = request(prose(units, 2));
      await times(50, () => filterInput(input, rules, limits(10_000)));
      const measured = await times(300, () => filterInput(input, rules, limits(10_000)));
      say(
        `${name.padEnd(26)} ${`${units / 1000} kB`.padStart(7)} ${at(measured, 0.5).toFixed(2).padStart(8)} ${at(measured, 0.99).toFixed(2).padStart(8)}`,
      );
    }
  }
  const burst = () =>
    Promise.all(
      Array.from({ length: 50 }, () =>
        filterInput(request(prose(10_000, 2)), [...BUILTINS, ...CUSTOM], limits(60_000)),
      ),
    );
  // The first burst starts another thread.
  await burst();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  await burst();
  delay.disable();
  say(
    `50 of 10 kB at once on one thread: ${(50_000 / (performance.now() - start)).toFixed(0)} requests/s; event loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );
}

async function besideNative(): Promise<void> {
  const native = PATTERNS.map((pattern) =>
    pattern.startsWith("(?i)") ? new RegExp(pattern.slice(4), "gi") : new RegExp(pattern, "g"),
  );
  const ours = compilePatterns(PATTERNS);
  say("\n20 patterns, all matches, MB/s: re2js with its set, native RegExp, ours / native in time");
  for (const [units, hits] of [
    [10_000, 0],
    [10_000, 1],
    [10_000, 3],
    [100_000, 0],
    [100_000, 3],
    [100_000, 60],
  ] as const) {
    const text = prose(units, hits);
    const linear = () => ours(text, () => undefined);
    const backtracking = () => native.map((regex) => [...text.matchAll(regex)]);
    const rounds: [number[], number[]] = [[], []];
    for (let round = 0; round < 10; round += 1) {
      rounds[0].push(...(await times(20, linear)));
      rounds[1].push(...(await times(20, backtracking)));
    }
    const [a, b] = rounds.map((round) =>
      at(
        round.toSorted((x, y) => x - y),
        0.5,
      ),
    ) as [number, number];
    say(
      `${units / 1000} kB, ${hits} hits`.padEnd(18) +
        [units / 1000 / a, units / 1000 / b].map((speed) => speed.toFixed(0).padStart(8)).join("") +
        `${(a / b).toFixed(2)}×`.padStart(9),
    );
  }
}

async function hostile(): Promise<void> {
  say("\nHostile patterns on 40–100 kB, deadline 1 s");
  for (const [pattern, text] of ATTACKS) {
    const problem = patternProblem(pattern);
    const start = performance.now();
    const outcome = problem
      ? `400 ${problem.code}`
      : await filterInput(request(text), [rule({ kind: "pattern", pattern }, "[X]")], limits(1000)).then(
          (verdict) => verdict.outcome,
          (error: unknown) => (error instanceof ScanTimeout ? "refused: timeout" : String(error)),
        );
    say(`${pattern.padEnd(26)} ${outcome.padEnd(26)} ${(performance.now() - start).toFixed(0).padStart(5)} ms`);
  }
}

export async function benchThroughput(): Promise<void> {
  bundleWorkers(".next");
  await fullPass();
  await besideNative();
  await hostile();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await benchThroughput();
