"use client";
import { CHART_COLOURS, type StackedChartProps } from "./chart-parts";
import { lazyComponent } from "./lazy-component";

const StackedAreas = lazyComponent(() => import("./stacked-areas").then((file) => file.StackedAreas), { ssr: false });

const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Stacked area chart of counts over time, with an equivalent table for screen readers. */
export function StackedChart({ label, data, series }: StackedChartProps) {
  return (
    <figure aria-label={label} className="grid gap-3">
      <div aria-hidden className="h-56 text-xs">
        <StackedAreas data={data} series={series} />
      </div>
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
        {series.map(({ key, label: name, tone }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-[3px]" style={{ background: CHART_COLOURS[tone] }} />
            {name}
          </li>
        ))}
      </ul>
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ key, label: name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((point) => (
              <tr key={point.at}>
                <th scope="row" suppressHydrationWarning>
                  {time.format(new Date(point.at))}
                </th>
                {series.map(({ key }) => (
                  <td key={key}>{point[key] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
