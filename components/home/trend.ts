export interface Trend {
  text: string;
  direction: "up" | "down" | "flat";
  isGood?: boolean;
}

const WHOLE = 10;

/** A figure against the one before it: "+12 %"; null when either is nothing. `good`: the direction that is good news. */
export function trendOf(now: number, before: number, good?: "up" | "down"): Trend | null {
  if (before === 0 || now === 0) return null;
  const percent = 100 * (now / before - 1);
  const text = Math.abs(percent) < WHOLE ? percent.toFixed(1) : percent.toFixed(0);
  if (Number(text) === 0) return { text: "±0 %", direction: "flat" };
  const direction = percent > 0 ? "up" : "down";
  return {
    text: `${percent > 0 ? "+" : "−"}${text.replace("-", "")} %`,
    direction,
    ...(good && { isGood: direction === good }),
  };
}
