import { z } from "zod";
import { QUANTIZATIONS } from "../../vocabulary";

const slugs = z.array(z.string()).nullish();
const flag = z.boolean().nullish();
const sortKey = z.enum(["price", "throughput", "latency", "exacto"]);
const percentile = z.number().nullish();
const cutoffs = z
  .union([z.number(), z.strictObject({ p50: percentile, p75: percentile, p90: percentile, p99: percentile })])
  .nullish();
const usd = z
  .string()
  .max(32)
  .regex(/^\d+(\.\d+)?([eE][+-]?\d+)?$/, "must be a decimal number as a string")
  .optional();

/** Routing preferences of one request: docs/semantics.md#provider-preferences. */
export const ProviderPreferences = z
  .strictObject({
    allow_fallbacks: flag.meta({
      default: true,
      description: "Set to false to return the upstream's error when the primary provider fails",
    }),
    data_collection: z.enum(["allow", "deny"]).nullish().meta({ default: "allow" }),
    enforce_distillable_text: flag,
    ignore: slugs.meta({ description: "Providers to exclude, by slug" }),
    only: slugs.meta({ description: "Allowed providers, by slug" }),
    order: slugs.meta({ description: "Providers to try first, by slug and in this order" }),
    max_price: z
      .strictObject({
        prompt: usd.meta({ description: "USD per million tokens" }),
        completion: usd.meta({ description: "USD per million tokens" }),
        image: usd.meta({ description: "USD per image" }),
        audio: usd.meta({ description: "USD per audio unit" }),
        request: usd.meta({ description: "USD per request" }),
      })
      .optional(),
    preferred_max_latency: cutoffs.meta({
      description: "Preferred latency in seconds: a number is the median, an object sets thresholds by percentile",
    }),
    preferred_min_throughput: cutoffs.meta({
      description:
        "Preferred throughput in tokens per second: a number is the median, an object sets thresholds by percentile",
    }),
    quantizations: z.array(z.enum(QUANTIZATIONS)).nullish(),
    require_parameters: flag,
    sort: z
      .union([sortKey, z.strictObject({ by: sortKey.nullish(), partition: z.enum(["model", "none"]).nullish() })])
      .nullish(),
    zdr: flag.meta({ description: "Set to true to use only endpoints with zero data retention" }),
  })
  .meta({ id: "ProviderPreferences" });
export type ProviderPreferences = z.output<typeof ProviderPreferences>;
