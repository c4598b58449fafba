/** Origins of a fact about a model: the catalogue, the provider's list of models, an admin, or `unknown`. */
export const FACT_SOURCES = ["catalogue", "upstream", "admin", "unknown"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** Vendor of models with an unknown maker. Zero data retention treats them as other vendors. */
export const UNKNOWN_VENDOR = "unknown";
