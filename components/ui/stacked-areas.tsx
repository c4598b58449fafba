import {
  Area,
  AreaChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from "recharts";
import { CHART_COLOURS, type StackedChartProps } from "./chart-parts";

const DAY_MS = 86_400_000;

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const count = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** The chart, loaded on first use. */
export function StackedAreas({ data, series }: Omit<StackedChartProps, "label">) {
  const span = Date.parse(data.at(-1)?.at ?? "") - Date.parse(data[0]?.at ?? "");
  const axisTime = span > 2 * DAY_MS ? day : clock;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={[...data]} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="at"
          tickFormatter={(at: string) => axisTime.format(new Date(at))}
          tickLine={false}
          axisLine={false}
          minTickGap={32}
          tick={{ fill: "var(--muted)" }}
        />
        <YAxis
          tickFormatter={(value: number) => short.format(value)}
          tickLine={false}
          axisLine={false}
          width={40}
          tick={{ fill: "var(--muted)" }}
        />
        <Tooltip
          cursor={{ stroke: "var(--border-strong)" }}
          isAnimationActive={false}
          content={(hover) => <Hovered {...hover} />}
        />
        {series.map(({ key, label, tone }) => (
          <Area
            key={key}
            dataKey={key}
            name={label}
            stackId="all"
            type="monotone"
            stroke={CHART_COLOURS[tone]}
            fill={CHART_COLOURS[tone]}
            fillOpacity={0.25}
            strokeWidth={1.5}
            isAnimationActive={false}
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  );
}

function Hovered({ active, payload, label }: TooltipContentProps) {
  if (!active || typeof label !== "string") return null;
  return (
    <div className="grid gap-1 rounded-lg border bg-surface-raised p-2.5 shadow-lg">
      <p className="font-medium">{exact.format(new Date(label))}</p>
      {payload.toReversed().map(({ name, value, color }) => (
        <p key={String(name)} className="flex items-center gap-1.5">
          <span className="size-2 rounded-[2px]" style={{ background: color }} />
          <span className="text-muted">{name}</span>
          <span className="ml-auto pl-4 tabular-nums">{count.format(Number(value))}</span>
        </p>
      ))}
    </div>
  );
}
