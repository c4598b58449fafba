import { asObject } from "../../platform/json-values";
import { readCount } from "../protocols/read-usage";
import type { Prices, TokenPrices } from "../endpoint";

/** Token counts as upstreams report them: details are part of the totals. */
export interface BilledUsage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: unknown;
  completion_tokens_details?: unknown;
  /** Number of uses of each tool that the upstream ran. */
  server_tool_use?: unknown;
}

/** Number of decimals in a stored price; prices are computed as integers in this unit. */
const DECIMALS = 10;
const UNIT = 10n ** BigInt(DECIMALS);
const MILLION = 1_000_000n;

/** Converts a decimal text to an integer number of 10⁻¹⁰ units. */
function toUnits(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole) * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** Names under which upstreams report the tokens of a kind, within the details of prompt and completion. */
const CACHE_READ = ["cached_tokens"];
const CACHE_WRITE = ["cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens"];
/** Part of the tokens written to the cache. */
const CACHE_WRITE_1H = ["cache_write_1h_tokens"];
const AUDIO = ["audio_tokens"];
const IMAGE = ["image_tokens"];
const REASONING = ["reasoning_tokens"];

/** Kinds of tokens with their own price, in the order they are subtracted from the total. */
const PROMPT_KINDS = [
  ["cache_read", CACHE_READ],
  ["cache_write_1h", CACHE_WRITE_1H],
  ["cache_write", CACHE_WRITE],
  ["audio_input", AUDIO],
  ["image_input", IMAGE],
] as const;
const COMPLETION_KINDS = [
  ["audio_output", AUDIO],
  ["image_output", IMAGE],
  ["reasoning", REASONING],
] as const;

export type CostPart = keyof TokenPrices | "request" | "web_search";

const PROMPT_PARTS: ReadonlySet<string> = new Set(["prompt", ...PROMPT_KINDS.map(([kind]) => kind)]);
const COMPLETION_PARTS: ReadonlySet<string> = new Set(["completion", ...COMPLETION_KINDS.map(([kind]) => kind)]);

/** Splits a total into kinds with their own prices and a rest; kinds together never exceed the total. */
function split(
  total: number,
  details: unknown,
  rest: "prompt" | "completion",
  kinds: readonly (readonly [keyof TokenPrices, readonly string[]])[],
  prices: TokenPrices,
): [CostPart, bigint][] {
  const counts = asObject(details) ?? {};
  const countOf = (names: readonly string[]) =>
    names.map((name) => counts[name]).find((count) => typeof count === "number") ?? 0;
  const isApart = prices.cache_write_1h !== undefined;
  let left = total;
  const parts = kinds.flatMap(([kind, names]): [CostPart, bigint][] => {
    const price = prices[kind];
    const reported = countOf(names) - (kind === "cache_write" && isApart ? Math.max(0, countOf(CACHE_WRITE_1H)) : 0);
    if (price === undefined || reported <= 0) return [];
    const tokens = Math.min(left, Math.floor(reported));
    left -= tokens;
    return [[kind, BigInt(tokens) * toUnits(price)]];
  });
  return [[rest, BigInt(left) * toUnits(prices[rest])], ...parts];
}

/** Returns the prices for a prompt of this size. Vendors price a whole request by the step that its prompt reaches. */
export function pricesAt({ request: _, details, ...base }: Prices, promptTokens: number): TokenPrices {
  const { tiers = [], service_tiers: __, web_search: ____, ...kinds } = details ?? {};
  const reached = tiers.filter(({ above }) => promptTokens > above).toSorted((a, b) => b.above - a.above)[0];
  if (!reached) return { ...base, ...kinds };
  const { above: ___, ...prices } = reached;
  return { ...kinds, ...prices };
}

/** Returns the factor of a service tier, in units; 1 where the price list has none. */
const tierFactor = ({ details }: Prices, serviceTier: string | null): bigint =>
  toUnits((serviceTier === null ? undefined : details?.service_tiers?.[serviceTier]) ?? "1");

/**
 * Returns what each part of a request costs, in 10⁻²⁰ of a micro-USD: USD per million tokens equals micro-USD per token, so
 * no conversion is needed.
 */
function costParts(prices: Prices, usage: BilledUsage, serviceTier: string | null): [CostPart, bigint][] {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  if (!prices.details) {
    const { prompt, completion, request } = flatUnits(prices);
    return [
      ["prompt", BigInt(prompt_tokens) * prompt],
      ["completion", BigInt(completion_tokens) * completion],
      ["request", request],
    ];
  }
  const at = pricesAt(prices, prompt_tokens);
  const factor = tierFactor(prices, serviceTier);
  const ofTokens = [
    ...split(prompt_tokens, prompt_tokens_details, "prompt", PROMPT_KINDS, at),
    ...split(completion_tokens, completion_tokens_details, "completion", COMPLETION_KINDS, at),
  ];
  return [
    ...ofTokens.map(([part, units]): [CostPart, bigint] => [part, units * factor]),
    ["request", MILLION * toUnits(prices.request) * UNIT],
    ["web_search", BigInt(webSearches(usage)) * MILLION * toUnits(prices.details.web_search ?? "0") * UNIT],
  ];
}

const webSearches = ({ server_tool_use }: BilledUsage): number =>
  readCount(asObject(server_tool_use)?.["web_search_requests"]) ?? 0;

/** Prices in units, by price list, for lists without details, which are the same in every tier. */
const flat = new WeakMap<Prices, Record<"prompt" | "completion" | "request", bigint>>();

function flatUnits(prices: Prices): Record<"prompt" | "completion" | "request", bigint> {
  const known = flat.get(prices);
  if (known) return known;
  const units = {
    prompt: toUnits(prices.prompt) * UNIT,
    completion: toUnits(prices.completion) * UNIT,
    request: MILLION * toUnits(prices.request) * UNIT,
  };
  flat.set(prices, units);
  return units;
}

const sum = (parts: readonly [CostPart, bigint][]) => parts.reduce((total, [, units]) => total + units, 0n);
const SCALE = UNIT * UNIT;
const rounded = (units: bigint) => (units + SCALE / 2n) / SCALE;

/** Returns the cost of an answer in micro-USD, computed exactly and rounded half up once; without usage it is 0. */
export const costMicroUsd = (prices: Prices, usage: BilledUsage | null, serviceTier: string | null = null): bigint =>
  usage ? rounded(sum(costParts(prices, usage, serviceTier))) : 0n;

/** Returns the parts of a cost in micro-USD, each rounded separately, without free parts. */
export const costDetails = (
  prices: Prices,
  usage: BilledUsage,
  serviceTier: string | null,
): Partial<Record<CostPart, bigint>> => {
  const details: Partial<Record<CostPart, bigint>> = {};
  for (const [part, units] of costParts(prices, usage, serviceTier)) if (units > 0n) details[part] = rounded(units);
  return details;
};

/** Returns the cost of the prompt and of the completion, from the parts of each. */
export function promptAndCompletion(parts: Partial<Record<CostPart, bigint>>): { prompt: bigint; completion: bigint } {
  const sums = { prompt: 0n, completion: 0n };
  for (const [part, cost] of Object.entries(parts)) {
    if (PROMPT_PARTS.has(part)) sums.prompt += cost;
    else if (COMPLETION_PARTS.has(part)) sums.completion += cost;
  }
  return sums;
}

const highest = (...prices: (string | undefined)[]): string =>
  prices.reduce<string>((most, price) => (toUnits(price ?? "0") > toUnits(most) ? (price ?? "0") : most), "0");

/** Kinds of tokens that a request can be billed for besides text. */
export interface Modalities {
  audio: boolean;
  images: boolean;
}

/**
 * Returns the highest possible cost in micro-USD, rounded up: every token at the highest price of a kind that the request can have,
 * in every step up to its size. It is 0 only when everything is free.
 */
export function maxCostMicroUsd(
  prices: Prices,
  { prompt_tokens, completion_tokens }: BilledUsage,
  { audio, images }: Modalities,
  serviceTier: string | null,
  webSearches = 0,
): bigint {
  const roundedUp = (parts: readonly [CostPart, bigint][]) => (sum(parts) + SCALE - 1n) / SCALE;
  if (!prices.details) return roundedUp(costParts(prices, { prompt_tokens, completion_tokens }, null));
  const { tiers = [], service_tiers = {}, web_search = "0" } = prices.details;
  const steps = [0, ...tiers.map(({ above }) => above + 1)]
    .filter((start) => start <= Math.max(0, prompt_tokens))
    .map((start) => pricesAt(prices, start));
  const prompt = highest(
    ...steps.flatMap((at) => [
      at.prompt,
      at.cache_write,
      at.cache_write_1h,
      audio ? at.audio_input : "0",
      images ? at.image_input : "0",
    ]),
  );
  const completion = highest(
    ...steps.flatMap((at) => [
      at.completion,
      at.reasoning,
      audio ? at.audio_output : "0",
      images ? at.image_output : "0",
    ]),
  );
  const known = serviceTier === null ? undefined : service_tiers[serviceTier];
  // An upstream may answer in its default tier instead of a cheaper one.
  const factor = highest("1", serviceTier === "auto" ? highest(...Object.values(service_tiers)) : known);
  return roundedUp(
    costParts(
      { prompt, completion, request: prices.request, details: { service_tiers: { any: factor }, web_search } },
      { prompt_tokens, completion_tokens, server_tool_use: { web_search_requests: webSearches } },
      "any",
    ),
  );
}
