export const RESET_INTERVALS = ["daily", "weekly", "monthly"] as const;

/** Intervals of limits, which also count by the minute and by the hour. */
export const LIMIT_INTERVALS = ["minutely", "hourly", ...RESET_INTERVALS] as const;

/** Regions in which endpoints process requests; `global` means anywhere. */
export const DATA_REGIONS = ["global", "europe", "us"] as const;
export type DataRegion = (typeof DATA_REGIONS)[number];

/** Number formats of weights, as endpoints state and requests choose them. */
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
