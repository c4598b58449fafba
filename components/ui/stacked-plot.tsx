import { useEffect, useMemo } from "react";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  useActiveTooltipLabel,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from "recharts";
import {
  axisWidth,
  CHART_COLOURS,
  chartClock,
  labelledPoints,
  type ChartPoint,
  type ChartUnit,
  type StackedChartProps,
} from "./chart-parts";

interface StackedPlotProps extends Pick<StackedChartProps, "label" | "data" | "series" | "timeZone" | "bucketSeconds"> {
  unit: ChartUnit;
  /** Called with the point under the pointer or reached by arrow keys. */
  onReach: (at: string | null) => void;
  onOpen: ((at: string, series: string) => void) | undefined;
}

/** The plot of a chart, loaded on first use. Arrow keys move between its points. */
export function StackedPlot({ label, data, series, timeZone, bucketSeconds, unit, onReach, onOpen }: StackedPlotProps) {
  const clock = useMemo(() => chartClock(data, timeZone, bucketSeconds), [data, timeZone, bucketSeconds]);
  const bars = series.filter(({ shape = "bar" }) => shape === "bar");
  const lines = series.filter(({ shape = "bar" }) => shape !== "bar");
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={[...data]}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        barCategoryGap="12%"
        aria-label={`${label}. Use the arrow keys to read its values.`}
      >
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="at"
          ticks={labelledPoints(data, clock)}
          tickFormatter={clock.axis}
          tickLine={false}
          axisLine={false}
          minTickGap={32}
          tick={{ fill: "var(--muted)" }}
        />
        <YAxis
          tickFormatter={(value: number) => unit.short(value).replaceAll(" ", "\u00a0")}
          allowDecimals={!unit.isWhole}
          tickLine={false}
          axisLine={false}
          width={axisWidth(data, series, unit)}
          tick={{ fill: "var(--muted)" }}
        />
        <Tooltip
          cursor={bars.length > 0 ? { fill: "var(--subtle)" } : { stroke: "var(--border-strong)" }}
          isAnimationActive={false}
          content={(hover) => <Hovered {...hover} exact={clock.exact} format={unit.format} />}
        />
        {bars.map(({ key, label: name, tone }) => (
          <Bar
            key={key}
            dataKey={(point: ChartPoint) => point[key]}
            name={name}
            stackId="all"
            fill={CHART_COLOURS[tone]}
            maxBarSize={48}
            isAnimationActive={false}
            {...(onOpen && {
              className: "cursor-pointer",
              onClick: ({ payload }: { payload?: ChartPoint }) => payload && onOpen(payload.at, key),
            })}
          />
        ))}
        {lines.map(({ key, label: name, tone, shape }) => (
          <Line
            key={key}
            dataKey={(point: ChartPoint) => point[key]}
            name={name}
            type="linear"
            stroke={CHART_COLOURS[tone]}
            strokeWidth={1.5}
            {...(shape === "dashed" && { strokeDasharray: "4 3" })}
            dot={data.length === 1 ? { r: 2 } : isLonely(data, key)}
            isAnimationActive={false}
          />
        ))}
        <Reached onReach={onReach} />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Dots for isolated points, which no line connects. */
function isLonely(data: readonly ChartPoint[], key: string) {
  return function LonelyDot({ index, cx, cy, stroke }: { index?: number; cx?: number; cy?: number; stroke?: string }) {
    const at = index ?? 0;
    const isMissing = (place: number) => (data[place]?.[key] ?? null) === null;
    return isMissing(at) || !isMissing(at - 1) || !isMissing(at + 1) ? (
      <g key={at} />
    ) : (
      <circle key={at} cx={cx} cy={cy} r={2} fill={stroke} />
    );
  };
}

/** Reports the active point, which only the chart knows. */
function Reached({ onReach }: Pick<StackedPlotProps, "onReach">) {
  const label = useActiveTooltipLabel();
  useEffect(() => {
    onReach(typeof label === "string" ? label : null);
  }, [label, onReach]);
  return null;
}

interface HoveredProps extends TooltipContentProps {
  exact: (at: string) => string;
  format: (value: number) => string;
}

function Hovered({ active, payload, label, exact, format }: HoveredProps) {
  if (!active || typeof label !== "string") return null;
  return (
    <div className="grid gap-1 rounded-lg border bg-surface-raised p-2.5 shadow-lg">
      <p className="font-medium">{exact(label)}</p>
      {payload
        .filter(({ value }) => Number(value ?? 0) !== 0)
        .toReversed()
        .map(({ name, value, color }) => (
          <p key={String(name)} className="flex items-center gap-1.5">
            <span className="size-2 rounded-[2px]" style={{ background: color }} />
            <span className="text-muted">{name}</span>
            <span className="ml-auto pl-4 tabular-nums">{format(Number(value))}</span>
          </p>
        ))}
      {payload.every(({ value }) => Number(value ?? 0) === 0) && <p className="text-muted">Nothing</p>}
    </div>
  );
}
