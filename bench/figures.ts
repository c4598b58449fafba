// Figures as JSON and as Markdown tables.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Measured, Round } from "./measure";
import type { Bar, Scenario } from "./scenarios";
import { cpuRatio, median, ratio, type Spread } from "./statistics";

/** A scenario's last measurement. */
export interface Figures extends Pick<Scenario, "title" | "connections"> {
  bars: Bar[];
  date: string;
  commit: string;
  machine: string;
  seconds: number;
  measured: Measured[];
}
export type AllFigures = Record<string, Figures>;

export const FIGURES = fileURLToPath(new URL("figures.json", import.meta.url));

export const readFigures = (): AllFigures => JSON.parse(readFileSync(FIGURES, "utf8")) as AllFigures;

/** Replaces the figures of the scenarios that were measured. */
export function saveFigures(fresh: AllFigures): void {
  const rounded = (_: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(FIGURES, `${JSON.stringify({ ...readFigures(), ...fresh }, rounded, 2)}\n`);
}

const digits = (value: number): string => (value < 0.1 ? value.toFixed(3) : value.toFixed(2));
export const spreadText = ({ median, min, max }: Spread): string => `${digits(median)} (${digits(min)}–${digits(max)})`;

const figureOf = ({ rounds }: Measured, value: (round: Round) => number | null): number | null => {
  const values = rounds.map(value).filter((figure) => figure !== null);
  return values.length === 0 ? null : median(values);
};
const whole = (value: number | null): string => (value === null ? "" : value.toFixed(0));

export function scenarioTable({ title, measured, date, commit, connections, seconds }: Figures): string {
  const [first] = measured;
  const rows = measured.map((contender) =>
    [
      contender.name,
      whole(figureOf(contender, ({ requestsPerSecond }) => requestsPerSecond)),
      first && spreadText(ratio(contender, first)),
      whole(figureOf(contender, ({ cpuMicros }) => cpuMicros)),
      whole(figureOf(contender, ({ databaseCpuMicros }) => databaseCpuMicros)),
      figureOf(contender, ({ p50Ms }) => p50Ms)?.toFixed(1),
      figureOf(contender, ({ p99Ms }) => p99Ms)?.toFixed(1),
    ].join(" | "),
  );
  return [
    `${title}. ${connections} ${connections === 1 ? "connection" : "connections"}, ${first?.rounds.length} rounds of ${seconds} s, ${date}, ${commit}.`,
    "",
    `| | req/s | relative to ${first?.name} | CPU µs | database CPU µs | p50 ms | p99 ms |`,
    "|---|---:|---:|---:|---:|---:|---:|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

/** Every bar beside its figure. */
export function barsTable(figures: AllFigures): string {
  const rows = Object.values(figures).flatMap(({ title, bars, measured }) =>
    bars.flatMap(({ of, against, atLeast }) => {
      const [ours, theirs] = [of, against].map((name) => measured.find((contender) => contender.name === name));
      if (!ours || !theirs) return [];
      const found = ratio(ours, theirs);
      const verdict = found.median >= atLeast ? "met" : "not met";
      const byCpu = digits(cpuRatio(ours, theirs));
      return [`| ${title} | ${of} / ${against} | ≥ ${atLeast} | ${spreadText(found)} | ${byCpu} | ${verdict} |`];
    }),
  );
  return ["| Scenario | Ratio | Bar | By req/s | By CPU | |", "|---|---|---:|---:|---:|---|", ...rows].join("\n");
}
