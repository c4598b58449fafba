/** Past this power of ten no price lies; without a bound a short text could ask for a number of any length. */
const MOST_POWERS = 60;
/** Makes the smallest of them whole, 32 decimals included. */
const SCALE = 100;

function scaled(text: string): bigint {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const bounded = Math.max(-MOST_POWERS, Math.min(MOST_POWERS, Number(power)));
  return BigInt(whole + fraction) * 10n ** BigInt(SCALE + bounded - fraction.length);
}

/** Whether a decimal text (`0.5`, `1e-7`) is more than another, exactly. */
export const isMore = (price: string, bound: string): boolean => scaled(price) > scaled(bound);
