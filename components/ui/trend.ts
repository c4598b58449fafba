/** Change from the previous period: "+12%". `isGood` sets the color; neutral if omitted. */
export interface Change {
  text: string;
  direction: "up" | "down" | "flat";
  isGood?: boolean;
}

const WHOLE = 10;

/** Change from the previous period: "+12%"; null if either is zero. `good` is the favorable direction. */
export function trendOf(now: number, before: number, good?: "up" | "down"): Change | null {
  if (before === 0 || now === 0) return null;
  const percent = 100 * (now / before - 1);
  const text = Math.abs(percent) < WHOLE ? percent.toFixed(1) : percent.toFixed(0);
  if (Number(text) === 0) return { text: "±0%", direction: "flat" };
  const direction = percent > 0 ? "up" : "down";
  return {
    text: `${percent > 0 ? "+" : "−"}${text.replace("-", "")}%`,
    direction,
    ...(good && { isGood: direction === good }),
  };
}
