// npm run bench:plots: draws bench/figures.json and writes its tables into docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { barChart, type Chart } from "./bar-chart";
import { barsTable, readFigures, scenarioTable, spreadText } from "./figures";
import type { Measured, Round } from "./measure";
import { SIGNALBOX } from "./scenarios";
import { median, ratio } from "./statistics";

const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const scenarios = Object.values(readFigures());

const throughput: Chart["groups"] = scenarios.map(({ title, measured }) => ({
  label: title,
  bars: measured.map((contender) => {
    const share = ratio(contender, measured[0] ?? contender);
    const rate = median(contender.rounds.map(({ requestsPerSecond }) => requestsPerSecond));
    return {
      label: contender.name,
      parts: [share.median],
      spread: [share.min, share.max],
      text: `${spreadText(share)}, ${rate.toFixed(0)}/s`,
    };
  }),
}));
const processorTime: Chart["groups"] = scenarios.map(({ title, measured }) => ({
  label: title,
  bars: measured.map(({ name, rounds }) => {
    const parts = [
      median(rounds.map(({ cpuMicros }) => cpuMicros ?? 0)),
      median(rounds.map(({ databaseCpuMicros }) => databaseCpuMicros ?? 0)),
    ];
    return { label: name, parts, text: parts.map((part) => part.toFixed(0)).join(" + ") };
  }),
}));

const draw = (file: string, chart: Chart) => writeFileSync(inRoot(`docs/images/${file}`), barChart(chart));
draw("performance-throughput.svg", {
  title: "Requests per second, relative to the first of each group (lines: lowest to highest round)",
  legend: [],
  groups: throughput,
});
draw("performance-cpu.svg", {
  title: "Processor time of a request in µs",
  legend: ["server", "PostgreSQL"],
  groups: processorTime,
});

/** Replaces the text between the comments `<!-- name -->` and `<!-- /name -->`. */
const replaced = (document: string, name: string, content: string) =>
  document.replace(new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`), (_, start, end) =>
    [start, content, "\n", end].join(""),
  );

/** Scenarios of the summary, by their name in the figures. */
const SUMMARY = {
  answers: "Whole answers: one pattern, a budget, a record",
  filters: "The same with 8 detectors and 20 patterns on 1 kB",
  streams: "Streams of 50 chunks",
  single: "Whole answers over one connection",
};

/** Cost and speed of one process of Signalbox on PostgreSQL. */
function summary(): string {
  const figures = readFigures();
  const measuredOf = (scenario: string) => figures[scenario]?.measured.find(({ name }) => name === SIGNALBOX);
  const middle = (measured: Measured | undefined, of: (round: Round) => number | null) =>
    median((measured?.rounds ?? []).map((round) => of(round) ?? NaN));
  const whole = (value: number) => Math.round(value).toLocaleString("en-US");
  const milliseconds = (of: (round: Round) => number | null) => (middle(measuredOf("answers"), of) / 1000).toFixed(2);
  const rows = Object.entries(SUMMARY).map(([scenario, title]) => {
    const measured = measuredOf(scenario);
    const cells = [
      title,
      figures[scenario]?.connections,
      whole(middle(measured, ({ requestsPerSecond }) => requestsPerSecond)),
      middle(measured, ({ p50Ms }) => p50Ms).toFixed(1),
      middle(measured, ({ p99Ms }) => p99Ms).toFixed(1),
      whole(middle(measured, ({ cpuMicros }) => cpuMicros)),
      whole(middle(measured, ({ databaseCpuMicros }) => databaseCpuMicros)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const { date, machine } = figures["answers"] ?? {};
  return [
    `With policy, one pattern, a budget and a durable record, a request takes **${milliseconds(({ cpuMicros }) => cpuMicros)} ms of CPU in Signalbox and ${milliseconds(({ databaseCpuMicros }) => databaseCpuMicros)} ms in PostgreSQL**.`,
    "",
    `One process on PostgreSQL, ${machine}, ${date}:`,
    "",
    "| Requests | Connections | req/s | p50 ms | p99 ms | CPU µs, Signalbox | CPU µs, PostgreSQL |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...rows,
  ].join("\n");
}

const DOCUMENT = inRoot("docs/performance.md");
const sections = {
  summary: summary(),
  bars: barsTable(readFigures()),
  figures: scenarios.map(scenarioTable).join("\n\n"),
};
writeFileSync(
  DOCUMENT,
  Object.entries(sections).reduce(
    (text, [name, content]) => replaced(text, name, content),
    readFileSync(DOCUMENT, "utf8"),
  ),
);
