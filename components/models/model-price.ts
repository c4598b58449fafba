import type { Model } from "@/lib/records/models/contract";

type Price = Model["endpoints"][number]["price"];

/** `2.5` → `$2.50`, `0.000015` → `$0.000015`: exact, at least cents. */
function usd(decimal: string): string {
  const [whole = "0", decimals = ""] = decimal.split(".");
  return `$${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** A price per million tokens for people: `$2.50 / $10.00`, and what a request costs besides. */
export function priceText({ prompt, completion, request }: Price): string {
  if ([prompt, completion, request].every((price) => Number(price) === 0)) return "Free";
  const tokens = `${usd(prompt)} / ${usd(completion)}`;
  return Number(request) === 0 ? tokens : `${tokens} + ${usd(request)} a request`;
}

/** The endpoint that costs least for as many tokens in as out. */
export const cheapest = ({ endpoints }: Model): Model["endpoints"][number] | undefined =>
  endpoints.toSorted(
    (a, b) => Number(a.price.prompt) + Number(a.price.completion) - Number(b.price.prompt) - Number(b.price.completion),
  )[0];
