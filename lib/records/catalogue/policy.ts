import {
  calcPrice,
  findProvider,
  type ConditionalPrice,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from "@pydantic/genai-prices";
import { VENDORS } from "./vendors";

/** Decimal texts: USD per million tokens, `request` USD per request. */
export interface CataloguePrice {
  prompt: string;
  completion: string;
  request: string;
}

export interface CatalogueModel {
  /** As the vendor's own API names it. */
  id: string;
  name: string | null;
  contextLength: number | null;
  /** Null when the catalogue has none for tokens in and out. */
  price: CataloguePrice | null;
  /** False where other things than tokens in and out have a price: embeddings, speech, pages. */
  isChat: boolean;
}

/** `0.039` → `"0.039"`, `1e-7` → `"0.0000001"`: what the price list's float was written as. */
export const decimalText = (value: number): string => value.toFixed(10).replace(/\.?0+$/, "");

/** The price for small requests, without steps by size: what a tiered price starts with. */
const basePrice = (price: ModelPrice[string]): number | undefined => (typeof price === "object" ? price.base : price);

/** What holds now; where the hour of the day decides, the dearest hour, so that no budget counts too little. */
function currentPrices({ prices }: ModelInfo, now: Date): ModelPrice {
  if (!Array.isArray(prices)) return prices;
  const started = prices.filter(
    ({ constraint }) => !constraint || (constraint.type === "start_date" && constraint.start_date <= now.toISOString()),
  );
  const hourly = prices.filter(({ constraint }) => constraint?.type === "time_of_date");
  const input = ({ prices: { input_mtok: price } }: ConditionalPrice) => basePrice(price) ?? 0;
  return [...started.slice(-1), ...hourly].toSorted((a, b) => input(b) - input(a))[0]?.prices ?? {};
}

function toCatalogueModel(id: string, model: ModelInfo, now: Date): CatalogueModel {
  const prices = currentPrices(model, now);
  const [prompt, completion, requests] = [
    basePrice(prices["input_mtok"]),
    basePrice(prices["output_mtok"]),
    basePrice(prices["requests_kcount"]),
  ];
  const isPriced = prompt !== undefined && completion !== undefined;
  return {
    id,
    name: model.name ?? null,
    contextLength: model.context_window ?? null,
    price: isPriced
      ? {
          prompt: decimalText(prompt),
          completion: decimalText(completion),
          request: decimalText((requests ?? 0) / 1000),
        }
      : null,
    isChat: isPriced || Object.keys(prices).length === 0,
  };
}

const priceListOf = (slug: string): string | undefined => VENDORS.find((vendor) => vendor.slug === slug)?.priceList;

/** The vendor whose API a base URL is; null when it is none of the catalogue's. */
export function vendorOf(baseUrl: string): string | null {
  const priceList = findProvider({ providerApiUrl: baseUrl })?.id;
  return VENDORS.find((vendor) => vendor.priceList === priceList)?.slug ?? null;
}

/** A vendor's model by the id that its API uses; null when the catalogue doesn't know it. */
export function catalogueModel(vendor: string, id: string, now: Date): CatalogueModel | null {
  const providerId = priceListOf(vendor);
  const model = providerId === undefined ? undefined : calcPrice({}, id, { providerId })?.model;
  return model ? toCatalogueModel(id, model, now) : null;
}

/** The texts that a match rule names in full. */
const namedBy = (match: MatchLogic): string[] =>
  "equals" in match ? [match.equals] : "or" in match ? match.or.flatMap(namedBy) : [];

/** All models of a vendor, each by an id that its API knows; empty when the catalogue has no such vendor. */
export function catalogueModels(vendor: string, now: Date): CatalogueModel[] {
  const providerId = priceListOf(vendor);
  const models = providerId === undefined ? [] : (findProvider({ providerId })?.models ?? []);
  return models.flatMap((model) => {
    const ids = [model.id, ...namedBy(model.match)].filter(
      (id) => !id.endsWith("-") && calcPrice({}, id, { providerId })?.model === model,
    );
    return ids[0] === undefined || model.deprecated === true ? [] : [toCatalogueModel(ids[0], model, now)];
  });
}
