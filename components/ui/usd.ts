const MIN_DIGITS = 2;
const MAX_DIGITS = 6;

const format = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: MIN_DIGITS,
  maximumFractionDigits: MAX_DIGITS,
});

/** US dollars with as many decimals as needed, at least two: $12.50, $0.000034. */
export const formatUsd = (amount: number): string => format.format(amount);

/** US dollars where space is short: $12.50, <$0.01. */
export const formatWholeCents = (amount: number): string =>
  amount > 0 && amount < 0.01 ? `<${formatUsd(0.01)}` : formatUsd(Math.round(amount * 100) / 100);
