import type { Model } from "@/lib/records/models/contract";

type Price = Model["endpoints"][number]["price"];

/** `2.5` → `$2.50`, `0.000015` → `$0.000015`: exact, with at least two decimals. */
function usd(decimal: string): string {
  const [whole = "0", decimals = ""] = decimal.split(".");
  return `$${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** Text for an unknown price. */
const UNKNOWN = "Unknown";

/** Price per million tokens: `$2.50 / $10.00`, plus the price per request if any. */
export function priceText(price: Price): string {
  if (price === null) return UNKNOWN;
  const { prompt, completion, request } = price;
  if ([prompt, completion, request].every((price) => Number(price) === 0)) return "Free";
  const tokens = `${usd(prompt)} / ${usd(completion)}`;
  return Number(request) === 0 ? tokens : `${tokens} + ${usd(request)} per request`;
}

/** The cheapest endpoint for equal numbers of prompt and completion tokens; unpriced ones are last. */
export const cheapest = ({ endpoints }: Model): Model["endpoints"][number] | undefined =>
  endpoints.toSorted((a, b) => compared(a.price) - compared(b.price))[0];

const compared = (price: Price): number =>
  price === null ? Number.MAX_VALUE : Number(price.prompt) + Number(price.completion);
