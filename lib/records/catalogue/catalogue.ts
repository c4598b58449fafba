import {
  calcPrice,
  findProvider,
  type ConditionalPrice,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from "@pydantic/genai-prices";
import type { PriceDetails } from "../../engine/price-contract";
import { VENDORS } from "./vendors";

/** Decimal texts in USD per million tokens; `request` in USD per request. */
export interface CataloguePrice extends PriceDetails {
  prompt: string;
  completion: string;
  request: string;
}

export interface CatalogueModel {
  /** The model name in the vendor's API. */
  id: string;
  name: string | null;
  contextLength: number | null;
  /**
   * Null when the catalogue lacks input or output prices. Embeddings have no output price, and a name can mark a free
   * model.
   */
  price: CataloguePrice | null;
  /** False for models with other price units than tokens: embeddings, speech, pages. */
  isChat: boolean;
}

/** Converts a price list's float to its written decimal: `0.039` → `"0.039"`, `1e-7` → `"0.0000001"`. */
export const decimalText = (value: number): string => value.toFixed(10).replace(/\.?0+$/, "");

/** Returns the price of the lowest tier. */
const basePrice = (price: ModelPrice[string]): number | undefined => (typeof price === "object" ? price.base : price);

/** Returns the current prices. If they vary by hour, returns the highest, so that budgets aren't undercounted. */
function currentPrices({ prices }: ModelInfo, now: Date): ModelPrice {
  if (!Array.isArray(prices)) return prices;
  const started = prices.filter(
    ({ constraint }) => !constraint || (constraint.type === "start_date" && constraint.start_date <= now.toISOString()),
  );
  const hourly = prices.filter(({ constraint }) => constraint?.type === "time_of_date");
  const input = ({ prices: { input_mtok: price } }: ConditionalPrice) => basePrice(price) ?? 0;
  return [...started.slice(-1), ...hourly].toSorted((a, b) => input(b) - input(a))[0]?.prices ?? {};
}

/** Returns a price for prompts of this size. */
function priceAt(price: ModelPrice[string], promptTokens: number): number | undefined {
  if (typeof price !== "object") return price;
  const reached = price.tiers.filter(({ start }) => promptTokens > start).toSorted((a, b) => b.start - a.start)[0];
  return reached?.price ?? price.base;
}

/** Names of token kinds in the price list. */
const KINDS = {
  cache_read: "cache_read_mtok",
  cache_write: "cache_write_mtok",
  audio_input: "input_audio_mtok",
  audio_output: "output_audio_mtok",
  image_input: "input_image_mtok",
  image_output: "output_image_mtok",
  reasoning: "output_reasoning_mtok",
} as const satisfies Partial<Record<keyof PriceDetails, string>>;

/** Anthropic's price factor for one-hour cache writes, which the price list lacks. */
const CACHE_WRITE_1H_FACTOR = 2;

const hourAt = (vendor: string, prices: ModelPrice, promptTokens: number): { cache_write_1h?: string } => {
  const prompt = priceAt(prices["input_mtok"], promptTokens);
  return vendor === "anthropic" && prices["cache_write_mtok"] !== undefined && prompt !== undefined
    ? { cache_write_1h: decimalText(prompt * CACHE_WRITE_1H_FACTOR) }
    : {};
};

const kindsAt = (prices: ModelPrice, promptTokens: number): Partial<Record<keyof typeof KINDS, string>> =>
  Object.fromEntries(
    Object.entries(KINDS).flatMap(([kind, name]) => {
      const price = priceAt(prices[name], promptTokens);
      return price === undefined ? [] : [[kind, decimalText(price)]];
    }),
  );

/** Returns the price tiers by prompt size. */
function tiersOf(vendor: string, prices: ModelPrice): NonNullable<PriceDetails["tiers"]> {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === "object" ? price.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)]
    .toSorted((a, b) => a - b)
    .map((above) => ({
      above,
      prompt: decimalText(priceAt(prices["input_mtok"], above + 1) ?? 0),
      completion: decimalText(priceAt(prices["output_mtok"], above + 1) ?? 0),
      ...kindsAt(prices, above + 1),
      ...hourAt(vendor, prices, above + 1),
    }));
}

/** Factors of OpenAI's service tiers by model name, which the price list lacks; the first match applies. */
const SERVICE_TIERS: readonly (readonly [name: RegExp, factors: Record<string, string>])[] = [
  [/^gpt-5.*mini/, { flex: "0.5", priority: "1.8" }],
  [/^gpt-5/, { flex: "0.5", priority: "2" }],
  [/^gpt-4\.1/, { priority: "1.75" }],
  [/^gpt-4o-mini/, { priority: "1.6666666667" }],
  [/^gpt-4o/, { priority: "1.7" }],
  [/^o3/, { flex: "0.5", priority: "1.75" }],
  [/^o4-mini/, { flex: "0.5", priority: "1.8181818182" }],
];
const serviceTiersOf = (vendor: string, id: string): Record<string, string> | undefined =>
  vendor === "openai" ? SERVICE_TIERS.find(([name]) => name.test(id))?.[1] : undefined;

/** Context lengths that the price list lacks, from https://ai.google.dev/gemini-api/docs/models. */
const CONTEXT_LENGTHS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^gemini-(?:2\.5-pro(?!.*tts)|2\.5-flash-preview|3(?:\.1)?-pro-preview)/, 1_048_576],
];

/**
 * Names in the price list that an API doesn't serve: variants of aggregators, patterns of fine-tuned models, and
 * placeholders.
 */
const NOT_SERVED: Readonly<Record<string, RegExp>> = {
  google: /claude|-maas$|^gemini-(?:pro|flash)-1\.5/,
  bedrock: /^regional\./,
};
const VARIANT = /:(?:free|extended|thinking)$|^ft:/;

const isServed = (vendor: string, id: string): boolean =>
  !NOT_SERVED[vendor]?.test(id) && (vendor === "openrouter" || !VARIANT.test(id));
const EMBEDDING = /(?:^|[-_./])embed/;

/** Suffix of free models, for which the price list has no prices. */
const FREE = ":free";

function toCatalogueModel(vendor: string, id: string, model: ModelInfo, now: Date): CatalogueModel {
  const prices = currentPrices(model, now);
  const [prompt, completion, requests] = [
    basePrice(prices["input_mtok"]),
    basePrice(prices["output_mtok"]),
    basePrice(prices["requests_kcount"]),
  ];
  const tiers = tiersOf(vendor, prices);
  const serviceTiers = serviceTiersOf(vendor, id);
  const isChat = (prompt !== undefined && completion !== undefined) || Object.keys(prices).length === 0;
  const isPriced = prompt !== undefined && (completion !== undefined || EMBEDDING.test(id));
  return {
    id,
    name: model.name ?? null,
    contextLength: model.context_window ?? CONTEXT_LENGTHS.find(([name]) => name.test(id))?.[1] ?? null,
    price: isPriced
      ? {
          prompt: decimalText(prompt),
          completion: decimalText(completion ?? 0),
          request: decimalText((requests ?? 0) / 1000),
          ...kindsAt(prices, 0),
          ...hourAt(vendor, prices, 0),
          ...(tiers.length > 0 && { tiers }),
          ...(serviceTiers && { service_tiers: serviceTiers }),
        }
      : id.endsWith(FREE)
        ? { prompt: "0", completion: "0", request: "0" }
        : null,
    isChat,
  };
}

const priceListOf = (slug: string): string | undefined => VENDORS.find((vendor) => vendor.slug === slug)?.priceList;

/** Maximum number of base URLs whose vendor is cached. */
const MOST_VENDORS = 1000;

/** Hosts of Google's platform, which shares the price list of the Gemini API. */
const VERTEX_HOST = /(?:^|[-.])aiplatform\./;

const vendors = new Map<string, string | null>();

/** Returns the vendor of a base URL, or null if it isn't in the catalogue. */
export function vendorOf(baseUrl: string): string | null {
  const known = vendors.get(baseUrl);
  if (known !== undefined) return known;
  const found = findVendor(baseUrl);
  if (vendors.size < MOST_VENDORS) vendors.set(baseUrl, found);
  return found;
}

function findVendor(baseUrl: string): string | null {
  const priceList = findProvider({ providerApiUrl: baseUrl })?.id;
  const isVertex = VERTEX_HOST.test(URL.parse(baseUrl)?.host ?? "");
  const named = VENDORS.filter((vendor) => vendor.priceList === priceList);
  return (named.find(({ kind }) => (kind === "vertex") === isVertex) ?? named[0])?.slug ?? null;
}

/** Returns the vendor that owns the API at a base URL; null for clouds, aggregators and unknown addresses. */
export function makerOfApi(baseUrl: string): string | null {
  const slug = vendorOf(baseUrl);
  return VENDORS.find((vendor) => vendor.slug === slug)?.isMaker ? slug : null;
}

/** Prefix of Bedrock's inference profiles. All but `global.` cost as much as the plain name. */
const GEOGRAPHY = /^(?:us-gov|us|eu|apac|au|ca|jp)\./;

/** Returns a vendor's model by its API name; null when it isn't in the catalogue. */
export function catalogueModel(vendor: string, id: string, now: Date): CatalogueModel | null {
  const providerId = priceListOf(vendor);
  const find = (name: string) => (providerId === undefined ? undefined : calcPrice({}, name, { providerId })?.model);
  const model = find(id) ?? (vendor === "bedrock" ? find(id.replace(GEOGRAPHY, "")) : undefined);
  return model ? toCatalogueModel(vendor, id, model, now) : null;
}

/** Returns the full model names in a match rule. */
const namedBy = (match: MatchLogic): string[] =>
  "equals" in match ? [match.equals] : "or" in match ? match.or.flatMap(namedBy) : [];

/** Returns a vendor's models with their API names; empty for an unknown vendor. */
export function catalogueModels(vendor: string, now: Date): CatalogueModel[] {
  const providerId = priceListOf(vendor);
  const models = providerId === undefined ? [] : (findProvider({ providerId })?.models ?? []);
  return models.flatMap((model) => {
    const ids = [model.id, ...namedBy(model.match)].filter(
      (id) => !id.endsWith("-") && isServed(vendor, id) && calcPrice({}, id, { providerId })?.model === model,
    );
    return ids[0] === undefined || model.deprecated === true ? [] : [toCatalogueModel(vendor, ids[0], model, now)];
  });
}
