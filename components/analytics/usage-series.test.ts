import { expect, it } from "vitest";
import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";
import { usageCsv } from "./usage-csv";
import { usageChart } from "./usage-series";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 2);
const at = (hour: number) => new Date(START + hour * HOUR_MS).toISOString();

const sums = (requests: number): Sums => ({
  requests,
  succeeded: requests,
  failed: 0,
  blocked: 0,
  cancelled: 0,
  spend_usd: requests / 100,
  unpriced_requests: 0,
  tokens_prompt: 0,
  tokens_completion: 0,
  tokens_cached: 0,
  tokens_per_second: null,
});
const totals = (requests: number) => ({ ...sums(requests), time_to_first_token: null, duration: null });

/** Three hours from half past, so that the first bucket is cut off. */
const usage = (first: number, counts: readonly number[]): Usage => ({
  from: new Date(START + (first + 0.5) * HOUR_MS).toISOString(),
  to: new Date(START + (first + 2.5) * HOUR_MS).toISOString(),
  bucket_seconds: 3600,
  totals: totals(6),
  previous: totals(3),
  series: counts.map((count, hour) => ({ at: at(first + hour), ...totals(count) })),
  groups: [
    {
      id: "openai/gpt-5.1",
      name: "=GPT",
      totals: totals(2),
      previous: sums(0),
      series: [{ at: at(first + 1), ...sums(2) }],
    },
    { id: null, name: null, totals: totals(1), previous: sums(0), series: [{ at: at(first), ...sums(1) }] },
  ],
  other: { count: 4, totals: sums(3), previous: sums(0), series: [{ at: at(first + 2), ...sums(3) }] },
});

const requestsOf = ({ requests }: Sums) => requests;

it("charts every group and the others in every bucket", () => {
  const { data, series } = usageChart(usage(0, [1, 2, 3]), requestsOf, ({ name }) => name ?? "No model", undefined);
  expect(series.map(({ label, tone }) => `${label} ${tone}`)).toEqual(["=GPT 1", "No model 2", "4 others neutral"]);
  expect(data).toEqual([
    { at: at(0), "group 0": 0, "group 1": 1, other: 0 },
    { at: at(1), "group 0": 2, "group 1": 0, other: 0 },
    { at: at(2), "group 0": 0, "group 1": 0, other: 3 },
  ]);
});

it("puts the previous period's totals as far from its start", () => {
  const { data, series } = usageChart(usage(2, [1, 2, 3]), requestsOf, () => "", usage(0, [5, 6, 7]));
  expect(data.map(({ previous }) => previous)).toEqual([5, 6, 7]);
  expect(series.at(-1)).toMatchObject({ key: "previous", shape: "dashed" });
});

it("writes a CSV row for each bucket of each group, oldest first, without formulas", () => {
  const [head, ...rows] = usageCsv(usage(0, [1, 2, 3]), "model")
    .trimEnd()
    .split("\r\n");
  expect(head).toMatch(/^time,model,model_id,requests,/);
  expect(rows.map((row) => row.split(",").slice(0, 4).join(","))).toEqual([
    `${at(0)},,,1`,
    `${at(1)},'=GPT,openai/gpt-5.1,2`,
    `${at(2)},(others),,3`,
  ]);
});
