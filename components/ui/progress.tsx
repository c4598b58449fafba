import { Progress as Primitive } from "radix-ui";

interface ProgressProps {
  label: string;
  /** Null: under way, nobody knows how far. */
  value: number | null;
  max?: number;
}

/** How far something has got. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  const percent = value === null ? null : Math.min(100, (100 * value) / Math.max(max, 1));
  return (
    <Primitive.Root aria-label={label} value={value === null ? null : Math.min(value, max)} max={Math.max(max, 1)} className="h-1.5 w-full overflow-hidden rounded-full bg-subtle-strong">
      <Primitive.Indicator
        className={percent === null ? "h-full w-1/3 animate-pulse rounded-full bg-accent" : "h-full rounded-full bg-accent transition-[width]"}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </Primitive.Root>
  );
}
