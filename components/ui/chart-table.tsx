import Link from "next/link";
import { chartClock, type ChartUnit, type StackedChartProps } from "./chart-parts";

interface ChartTableProps extends StackedChartProps {
  unit: ChartUnit;
  /** Otherwise only screen readers read it, and its values aren't links. */
  isVisible: boolean;
}

/** The values of a chart as a table. */
export function ChartTable({ label, data, series, timeZone, bucketSeconds, unit, hrefOf, isVisible }: ChartTableProps) {
  const clock = chartClock(data, timeZone, bucketSeconds);
  const linked = (text: string, at: string, key: string | null) => {
    const href = isVisible ? hrefOf?.(at, key) : undefined;
    return href === undefined ? (
      text
    ) : (
      <Link href={href} className="rounded-sm hover:underline">
        {text}
      </Link>
    );
  };
  const valueOf = (at: string, key: string, value: number | string | null | undefined) => {
    if (value === null) return "–";
    const amount = Number(value ?? 0);
    return amount === 0 ? unit.format(0) : linked(unit.format(amount), at, key);
  };
  return (
    <div
      className={isVisible ? "max-h-80 overflow-auto rounded-md border" : "sr-only"}
      {...(isVisible && { role: "region", "aria-label": `${label}, table`, tabIndex: 0 })}
    >
      <table className="w-full text-[13px] tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-subtle text-muted">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium whitespace-nowrap">
              Time
            </th>
            {series.map(({ key, label: name }) => (
              <th key={key} scope="col" className="px-3 py-2 text-right font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((point) => (
            <tr key={point.at} className="border-t">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {linked(clock.exact(point.at), point.at, null)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="px-3 py-1.5 text-right">
                  {valueOf(point.at, key, point[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
