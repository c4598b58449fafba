/** Origins of a fact about a model: the catalogue, the provider's list of models, an admin; unknown: nobody says. */
export const FACT_SOURCES = ["catalogue", "upstream", "admin", "unknown"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** Vendor of models whose maker nobody knows. Zero data retention counts them to the other vendors. */
export const UNKNOWN_VENDOR = "unknown";
