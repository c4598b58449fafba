import type { Model } from "@/lib/records/models/contract";

type Price = Model["endpoints"][number]["price"];

/** `2.5` → `$2.50`, `0.000015` → `$0.000015`: exact, with at least two decimals. */
function usd(decimal: string): string {
  const [whole = "0", decimals = ""] = decimal.split(".");
  return `$${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** Text for an unknown price. */
const UNKNOWN = "Unknown";

/** Whether a part of a price, or a price within it, isn't 0. Factors of service tiers are no prices. */
const costs = (part: unknown): boolean =>
  Array.isArray(part)
    ? part.some((tier: object) => Object.entries(tier).some(([name, price]) => name !== "above" && costs(price)))
    : Number(part) !== 0;

/** Price per million tokens: `$2.50 / $10.00`, plus the price per request if any. Free only if nothing has a price. */
export function priceText(price: Price): string {
  if (price === null) return UNKNOWN;
  const { prompt, completion, request, service_tiers: _, ...others } = price;
  const hasBase = [prompt, completion, request].some(costs);
  const hasOthers = Object.values(others).some(costs);
  if (!hasBase) return hasOthers ? `${usd("0")} / ${usd("0")} + other prices` : "Free";
  const tokens = `${usd(prompt)} / ${usd(completion)}`;
  return Number(request) === 0 ? tokens : `${tokens} + ${usd(request)} per request`;
}

/** The cheapest endpoint for equal numbers of prompt and completion tokens; unpriced ones are last. */
export const cheapest = ({ endpoints }: Model): Model["endpoints"][number] | undefined =>
  endpoints.toSorted((a, b) => compared(a.price) - compared(b.price))[0];

const compared = (price: Price): number =>
  price === null ? Number.MAX_VALUE : Number(price.prompt) + Number(price.completion);
