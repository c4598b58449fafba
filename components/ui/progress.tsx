interface ProgressProps {
  label: string;
  /** Null: under way, nobody knows how far. */
  value: number | null;
  max?: number;
}

/** How far something has got. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  const most = Math.max(max, 1);
  const now = value === null ? undefined : Math.min(value, most);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={now}
      className="h-1.5 w-full overflow-hidden rounded-full bg-subtle-strong"
    >
      <div
        className={
          now === undefined
            ? "h-full w-1/3 animate-pulse rounded-full bg-accent"
            : "h-full rounded-full bg-accent transition-[width]"
        }
        style={now === undefined ? undefined : { width: `${(100 * now) / most}%` }}
      />
    </div>
  );
}
