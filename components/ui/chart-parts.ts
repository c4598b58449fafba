import type { Tone } from "./badge";

/** One data point: its time `at` in ISO 8601, and a number per series. */
export interface ChartPoint {
  at: string;
  [series: string]: number | string;
}

export interface StackedChartProps {
  label: string;
  data: readonly ChartPoint[];
  series: readonly { key: string; label: string; tone: Tone }[];
}

export const CHART_COLOURS = {
  neutral: "var(--border-strong)",
  accent: "var(--accent)",
  success: "var(--success)",
  warning: "var(--warning)",
  danger: "var(--danger)",
} as const satisfies Record<Tone, string>;
