import type { Endpoint, Percentiles, Prices, Speed } from "../endpoint";
import type { ProviderPreferences } from "../protocols/contracts/provider-preferences-contract";

export interface Measured {
  /** Keyed by endpoint id. */
  speeds: ReadonlyMap<string, Speed>;
  /** Returns a number in [0, 1). */
  random: () => number;
}

type SortKey = "price" | "latency" | "throughput" | "exacto";
type Figure = (endpoint: Endpoint) => number;

/** Bits of a quantization. Precision is the only quality measure available for `exacto`. */
const BITS = (quantization: string | null) => Number(/\d+$/.exec(quantization ?? "")?.[0] ?? 0);

/** Comparison price: USD for a thousand requests of a thousand prompt and completion tokens each. Unknown prices are last. */
const cost: Figure = ({ prices }) => {
  if (prices === null) return Infinity;
  const known = costs.get(prices);
  if (known !== undefined) return known;
  const figure = Number(prices.prompt) + Number(prices.completion) + 1000 * Number(prices.request);
  costs.set(prices, figure);
  return figure;
};
const costs = new WeakMap<Prices, number>();

const place = (order: readonly string[], { provider }: Endpoint) => {
  const index = order.findIndex((slug) => slug.toLowerCase() === provider.slug.toLowerCase());
  return index === -1 ? order.length : index;
};

/** True when a measured speed misses a preferred threshold. Unmeasured endpoints pass, so that they get traffic. */
function misses(
  measured: Percentiles | null | undefined,
  bound: ProviderPreferences["preferred_max_latency"],
  isMissed: (value: number, bound: number) => boolean,
): boolean {
  if (!measured || bound === null || bound === undefined) return false;
  const bounds = typeof bound === "number" ? { p50: bound } : bound;
  return (["p50", "p75", "p90", "p99"] as const).some((name) => {
    const wanted = bounds[name];
    return wanted !== null && wanted !== undefined && isMissed(measured[name], wanted);
  });
}

const NEVER_MEASURED = Infinity;

/** Returns the figure to sort by, smallest first. */
const figureOf = (key: SortKey, speeds: Measured["speeds"]): Figure => {
  switch (key) {
    case "price":
      return cost;
    case "latency":
      return ({ id }) => speeds.get(id)?.latency?.p50 ?? NEVER_MEASURED;
    case "throughput":
      return ({ id }) => -(speeds.get(id)?.throughput?.p50 ?? -NEVER_MEASURED);
    case "exacto":
      return ({ quantization }) => -BITS(quantization);
  }
};

/** Compares by each figure in turn until one differs. */
const by =
  (...figures: readonly Figure[]) =>
  (a: Endpoint, b: Endpoint): number => {
    const deciding = figures.find((figure) => figure(a) !== figure(b));
    return !deciding ? 0 : deciding(a) < deciding(b) ? -1 : 1;
  };

/**
 * Draws one endpoint, weighted by the inverse square of its price. Free endpoints are drawn evenly, and so are unpriced
 * ones if none has a price.
 */
function draw(endpoints: readonly Endpoint[], random: () => number): Endpoint | undefined {
  const free = endpoints.filter((endpoint) => cost(endpoint) === 0);
  const priced = endpoints.filter(({ prices }) => prices !== null);
  const pool =
    free.length > 0 || priced.length === 0
      ? (free.length > 0 ? free : endpoints).map((endpoint) => ({ endpoint, weight: 1 }))
      : priced.map((endpoint) => ({ endpoint, weight: cost(endpoint) ** -2 }));
  let left = random() * pool.reduce((sum, { weight }) => sum + weight, 0);
  return (pool.find(({ weight }) => (left -= weight) < 0) ?? pool.at(-1))?.endpoint;
}

/**
 * Orders one group of endpoints: providers of `order` first, then endpoints within the preferred speeds, then by sort
 * and price. Without order and sort, the first is drawn at random and the rest are sorted by price.
 */
export function rank(
  group: readonly Endpoint[],
  preferences: ProviderPreferences,
  { speeds, random }: Measured,
): Endpoint[] {
  const { order, sort, preferred_max_latency, preferred_min_throughput } = preferences;
  const key = typeof sort === "object" ? sort?.by : sort;
  const isBounded = (preferred_max_latency ?? preferred_min_throughput ?? null) !== null;
  const isSlow: Figure = ({ id }) => {
    if (!isBounded) return 0;
    const speed = speeds.get(id);
    return Number(
      misses(speed?.latency, preferred_max_latency, (value, bound) => value > bound) ||
        misses(speed?.throughput, preferred_min_throughput, (value, bound) => value < bound),
    );
  };
  if (order?.length) return group.toSorted(by((endpoint) => place(order, endpoint), isSlow, cost));
  if (key) return group.toSorted(by(isSlow, figureOf(key, speeds), cost));
  const cheapestFirst = group.toSorted(by(isSlow, cost));
  const preferred = cheapestFirst.filter((endpoint) => isSlow(endpoint) === 0);
  const first = draw(preferred.length > 0 ? preferred : cheapestFirst, random);
  return first ? [first, ...cheapestFirst.filter((endpoint) => endpoint !== first)] : [];
}
