/** The built-in provider, which needs no network and no key: docs/semantics.md#sandbox. */
export const SANDBOX_PROVIDER = { slug: "sandbox", name: "Sandbox", zdr: true, trains: false } as const;

/** Prices are USD per million tokens. */
export const SANDBOX_MODELS = [
  {
    slug: "sandbox/echo",
    name: "Sandbox Echo",
    contextLength: 128_000,
    prices: { pricePrompt: "0.5", priceCompletion: "1.5" },
  },
  {
    slug: "sandbox/reasoner",
    name: "Sandbox Reasoner",
    contextLength: 128_000,
    prices: { pricePrompt: "1", priceCompletion: "4" },
  },
  {
    slug: "sandbox/unavailable",
    name: "Sandbox Unavailable",
    contextLength: 128_000,
    prices: { pricePrompt: "0.5", priceCompletion: "1.5" },
  },
] as const;
