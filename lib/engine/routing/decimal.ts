/** Largest accepted exponent. Without a bound, a short text could expand to a number of any length. */
const MOST_POWERS = 60;
/** Power of ten by which all values are scaled to integers, covering 32 decimals. */
const SCALE = 100;

function scaled(text: string): bigint {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const bounded = Math.max(-MOST_POWERS, Math.min(MOST_POWERS, Number(power)));
  return BigInt(whole + fraction) * 10n ** BigInt(SCALE + bounded - fraction.length);
}

/** Compares two decimal texts (`0.5`, `1e-7`) exactly; true when the first is greater. */
export const isGreater = (price: string, bound: string): boolean => scaled(price) > scaled(bound);
