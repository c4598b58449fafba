/** Origins of a fact about a model: the catalogue, the provider's list of models, an admin; unknown: nobody says. */
export const FACT_SOURCES = ["catalogue", "upstream", "admin", "unknown"] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** Vendor of models whose maker nobody knows. Zero data retention counts them to the other vendors. */
export const UNKNOWN_VENDOR = "unknown";

/** Regions in which endpoints process requests; `global`: anywhere. */
export const DATA_REGIONS = ["global", "europe", "us"] as const;
export type DataRegion = (typeof DATA_REGIONS)[number];

/** Number formats of weights that endpoints state and requests choose. */
export const QUANTIZATIONS = [
  "int4",
  "int8",
  "fp4",
  "mxfp4",
  "nvfp4",
  "fp6",
  "fp8",
  "mxfp8",
  "fp16",
  "bf16",
  "fp32",
  "unknown",
] as const;
