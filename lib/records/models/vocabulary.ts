/** Where an endpoint processes requests; `global`: anywhere. */
export const DATA_REGIONS = ["global", "europe", "us"] as const;
export type DataRegion = (typeof DATA_REGIONS)[number];
