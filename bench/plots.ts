// npm run bench:plots: draws bench/figures.json and writes its tables into docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { barChart, type Chart } from "./bar-chart";
import { barsTable, readFigures, scenarioTable, spreadText } from "./figures";
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
const DOCUMENT = inRoot("docs/performance.md");
const withBars = replaced(readFileSync(DOCUMENT, "utf8"), "bars", barsTable(readFigures()));
writeFileSync(DOCUMENT, replaced(withBars, "figures", scenarios.map(scenarioTable).join("\n\n")));
