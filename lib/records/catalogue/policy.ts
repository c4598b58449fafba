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
  /** The model name in the vendor's own API. */
  id: string;
  name: string | null;
  contextLength: number | null;
  /** Null when the catalogue lacks input or output prices. */
  price: CataloguePrice | null;
  /** False for models priced by other units than tokens: embeddings, speech, pages. */
  isChat: boolean;
}

/** Converts a price list's float to the decimal it was written as: `0.039` → `"0.039"`, `1e-7` → `"0.0000001"`. */
export const decimalText = (value: number): string => value.toFixed(10).replace(/\.?0+$/, "");

/** Returns the price of the lowest tier. */
const basePrice = (price: ModelPrice[string]): number | undefined => (typeof price === "object" ? price.base : price);

/** Returns the current prices; with prices by hour the highest, so that budgets aren't undercounted. */
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

/** Returns the vendor of a base URL; null when it isn't in the catalogue. */
export function vendorOf(baseUrl: string): string | null {
  const priceList = findProvider({ providerApiUrl: baseUrl })?.id;
  return VENDORS.find((vendor) => vendor.priceList === priceList)?.slug ?? null;
}

/** Returns a vendor's model by its API name; null when it isn't in the catalogue. */
export function catalogueModel(vendor: string, id: string, now: Date): CatalogueModel | null {
  const providerId = priceListOf(vendor);
  const model = providerId === undefined ? undefined : calcPrice({}, id, { providerId })?.model;
  return model ? toCatalogueModel(id, model, now) : null;
}

/** Returns the complete names in a match rule. */
const namedBy = (match: MatchLogic): string[] =>
  "equals" in match ? [match.equals] : "or" in match ? match.or.flatMap(namedBy) : [];

/** Returns a vendor's models with their API names; empty for an unknown vendor. */
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
