import type { Tone } from "./badge";

/** One data point: its time `at` in ISO 8601, and a number per series; null where nothing was measured. */
export interface ChartPoint {
  at: string;
  [series: string]: number | string | null;
}

const HUES = ["1", "2", "3", "4", "5", "6", "7", "8"] as const;
export type ChartTone = Tone | (typeof HUES)[number];

export interface ChartSeries {
  key: string;
  label: string;
  tone: ChartTone;
  /** Bars are stacked, lines aren't. */
  shape?: "bar" | "line" | "dashed";
}

export interface ChartUnit {
  /** The value in tooltips and tables. */
  format: (value: number) => string;
  /** The value on the axis. */
  short: (value: number) => string;
  /** Counts have only whole numbers on the axis. */
  isWhole: boolean;
}

export interface StackedChartProps {
  label: string;
  data: readonly ChartPoint[];
  series: readonly ChartSeries[];
  /** IANA name of the time zone of the axis, the tooltip and the table. */
  timeZone: string;
  /** Length of a bucket, for its end in the tooltip. */
  bucketSeconds?: number;
  unit?: ChartUnit;
  /** Shown instead of a chart without values. */
  empty?: string;
  /** The records of a point, and of one series of it. */
  hrefOf?: (at: string, series: string | null) => string | undefined;
}

export const CHART_COLOURS = {
  neutral: "var(--border-strong)",
  accent: "var(--accent)",
  success: "var(--success)",
  warning: "var(--warning)",
  danger: "var(--danger)",
  "1": "var(--chart-1)",
  "2": "var(--chart-2)",
  "3": "var(--chart-3)",
  "4": "var(--chart-4)",
  "5": "var(--chart-5)",
  "6": "var(--chart-6)",
  "7": "var(--chart-7)",
  "8": "var(--chart-8)",
} as const satisfies Record<ChartTone, string>;

/** Tone of the series at `place`; neutral beyond the palette. */
export const toneAt = (place: number): ChartTone => HUES[place] ?? "neutral";

const count = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const COUNT_UNIT: ChartUnit = {
  format: (value) => count.format(value),
  short: (value) => short.format(value),
  isWhole: true,
};

/** Series with a value in at least one point. Others would be drawn as an outline at zero. */
export const seriesWithValues = <Series extends ChartSeries>(
  data: readonly ChartPoint[],
  series: readonly Series[],
): Series[] => series.filter(({ key }) => data.some((point) => Number(point[key] ?? 0) !== 0));

const DIGIT_PX = 7.2;
const TICK_PX = 10;
/** Candidates for the end of the axis, relative to the highest value. */
const ENDS = [1, 1.1, 1.25, 1.5];

/** Estimated width of the axis. Measured labels would be cut off when values grow while the page polls. */
export function axisWidth(data: readonly ChartPoint[], series: readonly ChartSeries[], unit: ChartUnit): number {
  const valueOf = (point: ChartPoint, { key }: ChartSeries) => Number(point[key] ?? 0);
  const isBar = ({ shape = "bar" }: ChartSeries) => shape === "bar";
  const most = data.reduce((highest, point) => {
    const stack = series.filter(isBar).reduce((sum, each) => sum + valueOf(point, each), 0);
    return Math.max(highest, stack, ...series.filter((each) => !isBar(each)).map((each) => valueOf(point, each)));
  }, 0);
  const labels = ENDS.map((share) => unit.short(unit.isWhole ? Math.ceil(most * share) : most * share));
  return Math.ceil(Math.max(...labels.map(({ length }) => length)) * DIGIT_PX + TICK_PX);
}

const DAY_MS = 86_400_000;

export interface ChartClock {
  /** Time on the axis: a time of day, or a day for more than two days. */
  axis: (at: string) => string;
  /** The whole bucket, with its time zone. */
  exact: (at: string) => string;
}

/** Time formats shared by the parts of a chart. */
export function chartClock(data: readonly ChartPoint[], timeZone: string, bucketSeconds = 0): ChartClock {
  const span = Date.parse(data.at(-1)?.at ?? "") - Date.parse(data[0]?.at ?? "");
  const axis = new Intl.DateTimeFormat("en", {
    timeZone,
    ...(span > 2 * DAY_MS
      ? { day: "numeric", month: "short" }
      : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  });
  const day = { day: "numeric", month: "short", year: "numeric", timeZone } as const;
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const start = new Intl.DateTimeFormat("en", { ...day, ...time });
  const end = new Intl.DateTimeFormat("en", time);
  const zoned = new Intl.DateTimeFormat("en", { ...time, timeZoneName: "short" });
  const exact = (at: string) => {
    const from = new Date(at);
    const to = new Date(from.getTime() + bucketSeconds * 1000);
    if (bucketSeconds === 0) return `${start.format(from)} ${zoneOf(zoned, from)}`;
    const isSameDay = dayOf(from, day) === dayOf(new Date(to.getTime() - 1), day);
    return `${start.format(from)} – ${(isSameDay ? end : start).format(to)} ${zoneOf(zoned, from)}`;
  };
  return { axis: (at) => axis.format(new Date(at)), exact };
}

/** Points with a label on the axis: the first one of each label, such as a day. */
export const labelledPoints = (data: readonly ChartPoint[], { axis }: ChartClock): string[] =>
  data.flatMap(({ at }, place) => {
    const before = data[place - 1];
    return before && axis(before.at) === axis(at) ? [] : [at];
  });

const dayOf = (at: Date, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en", options).format(at);

const zoneOf = (zoned: Intl.DateTimeFormat, at: Date): string =>
  zoned.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
