interface SparklineProps {
  values: readonly number[];
  /** CSS color. */
  color: string;
}

const WIDTH = 100;
const HEIGHT = 28;
/** Minimum height of a value above zero, to keep it visible. */
const LEAST = 1;

/** Small bars without axes, beside a figure in text. */
export function Sparkline({ values, color }: SparklineProps) {
  const largest = Math.max(...values, 0);
  const step = WIDTH / Math.max(values.length, 1);
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max((HEIGHT * value) / largest, LEAST));
  const bars = values.map((value, place) => {
    const [x, height] = [place * step, heightOf(value)];
    return `M${x} ${HEIGHT}v${-height}h${step * 0.8}v${height}z`;
  });
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-9 w-full border-b">
      <path d={bars.join("")} style={{ fill: color }} />
    </svg>
  );
}
