import { Progress as Primitive } from "radix-ui";
import { cn } from "./class-names";

interface ProgressProps {
  label: string;
  /** Null for indeterminate progress. */
  value: number | null;
  max?: number;
}

/** Progress of a task. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  const end = Math.max(max, 1);
  const done = value === null ? null : Math.min(value, end);
  return (
    <Primitive.Root
      aria-label={label}
      value={done}
      max={end}
      className="h-1.5 w-full overflow-hidden rounded-full bg-subtle-strong"
    >
      <Primitive.Indicator
        className={cn("h-full rounded-full bg-accent", done === null ? "w-1/3 animate-pulse" : "transition-[width]")}
        style={done === null ? undefined : { width: `${(100 * done) / end}%` }}
      />
    </Primitive.Root>
  );
}
