import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { instruments } from "../../platform/metrics/instruments";

const read = (name: string) => readFileSync(new URL(`../../../docs/monitoring/${name}`, import.meta.url), "utf8");
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const expressions = [
  ...(parse(read("alerts.yaml")) as Rules).groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])),
  ...(JSON.parse(read("dashboard.json")) as Dashboard).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr.replaceAll("$__rate_interval", "5m")]),
  ),
] as [string, string][];

const { registry } = instruments();
/** Metrics with their labels. Metrics of the process have no labels. */
const known = new Map<string, readonly string[]>(
  (registry.getMetricsAsArray() as unknown as { name: string; type: string; labelNames: string[] }[]).flatMap(
    ({ name, type, labelNames }) =>
      type === "histogram"
        ? ["_bucket", "_count", "_sum"].map((suffix): [string, string[]] => [name + suffix, [...labelNames, "le"]])
        : [[name, labelNames] as [string, string[]]],
  ),
);
/** Labels and metrics that Prometheus adds. */
const GIVEN = { metrics: ["up"], labels: ["job", "instance"] };

/** Returns the names of metrics and labels in an expression, and the texts that aren't PromQL. */
function namesIn(expression: string) {
  const found = { metrics: [] as string[], labels: [] as string[], errors: [] as string[] };
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) found.errors.push(expression.slice(from));
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") found.metrics.push(text);
      if (type.name === "LabelName") found.labels.push(text);
    },
  });
  return found;
}

describe("rules and dashboard for Prometheus", () => {
  it.each(expressions)("%s asks for metrics and labels that exist", (_, expression) => {
    const { metrics, labels, errors } = namesIn(expression);
    expect(errors).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !known.has(name) && !GIVEN.metrics.includes(name))).toEqual([]);
    const possible = [...GIVEN.labels, ...metrics.flatMap((name) => known.get(name) ?? [])];
    expect(labels.filter((name) => !possible.includes(name))).toEqual([]);
  });

  it("would notice another name", () => {
    expect(namesIn("sum by (nobody) (rate(signalbox_nothing_total[5m]))")).toEqual({
      metrics: ["signalbox_nothing_total"],
      labels: ["nobody"],
      errors: [],
    });
    expect(namesIn("sum by (").errors).not.toEqual([]);
  });
});
