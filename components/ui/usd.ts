const MIN_DIGITS = 2;

const formatTo = (digits: number) =>
  new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: MIN_DIGITS,
    maximumFractionDigits: digits,
  });

/** Formats by lowest amount; smaller amounts need more decimals. */
const FORMATS = [
  [1_000, formatTo(MIN_DIGITS)],
  [1, formatTo(4)],
  [0, formatTo(6)],
] as const;

/** US dollars with two or more decimals, depending on the amount: $0.000034, $12.3457, $1,234.50. */
export function formatUsd(amount: number): string {
  const [, format] = FORMATS.find(([from]) => Math.abs(amount) >= from) ?? FORMATS[2];
  return format.format(amount);
}

/** US dollars where space is short: $12.50, <$0.01. */
export const formatWholeCents = (amount: number): string =>
  amount > 0 && amount < 0.01 ? `<${formatUsd(0.01)}` : formatUsd(Math.round(amount * 100) / 100);
