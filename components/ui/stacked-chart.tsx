"use client";
import { ChartColumn, Table2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { usePageRouter } from "@/lib/browser/page-router";
import { Button } from "./button";
import { CHART_COLOURS, COUNT_UNIT, seriesWithValues, type ChartSeries, type StackedChartProps } from "./chart-parts";
import { ChartTable } from "./chart-table";
import { lazyComponent } from "./lazy-component";

const StackedPlot = lazyComponent(() => import("./stacked-plot").then((file) => file.StackedPlot), { ssr: false });

/** Stacked bars and lines over time, and the same values as a table: always for screen readers, on demand for others. */
export function StackedChart(props: StackedChartProps) {
  const { label, data, series, empty = "No data in this range.", unit = COUNT_UNIT } = props;
  const [isTable, setTable] = useState(false);
  const shown = seriesWithValues(data, series);
  if (shown.length === 0) {
    return (
      <figure aria-label={label} className="grid h-56 place-items-center rounded-md border border-dashed">
        <p className="px-4 text-center text-sm text-muted">{empty}</p>
      </figure>
    );
  }
  const Icon = isTable ? ChartColumn : Table2;
  return (
    <figure aria-label={label} className="grid gap-3">
      {!isTable && <Plot {...props} unit={unit} series={shown} />}
      <ChartTable {...props} unit={unit} isVisible={isTable} />
      <div className="flex items-start justify-between gap-3">
        <Legend series={shown} />
        <Button size="sm" variant="ghost" className="-my-1 text-muted" onClick={() => setTable(!isTable)}>
          <Icon aria-hidden /> {isTable ? "Show chart" : "Show table"}
        </Button>
      </div>
    </figure>
  );
}

const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul aria-hidden className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
    {series.map(({ key, label, tone, shape = "bar" }) => (
      <li key={key} className="flex min-w-0 items-center gap-1.5">
        {shape === "dashed" ? (
          <span className="w-3 border-t-2 border-dashed" style={{ borderColor: CHART_COLOURS[tone] }} />
        ) : (
          <span className="size-2.5 shrink-0 rounded-[3px]" style={{ background: CHART_COLOURS[tone] }} />
        )}
        <span className="truncate">{label}</span>
      </li>
    ))}
  </ul>
);

/** The plot. A click on a segment or Enter on a point opens its records. */
function Plot({ hrefOf, ...plot }: StackedChartProps & Required<Pick<StackedChartProps, "unit">>) {
  const router = usePageRouter();
  const reached = useRef<string | null>(null);
  const reach = useCallback((at: string | null) => {
    reached.current = at;
  }, []);
  const open = (at: string | null, key: string | null) => {
    const href = at === null ? undefined : hrefOf?.(at, key);
    if (href !== undefined) router.push(href);
  };
  return (
    <div
      className="h-56 text-xs"
      onKeyDown={({ key }) => {
        if (key === "Enter") open(reached.current, null);
      }}
    >
      <StackedPlot {...plot} onReach={reach} onOpen={hrefOf && open} />
    </div>
  );
}
