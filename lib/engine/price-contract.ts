import { z } from "zod";

/** The range of `numeric(20,10)`. */
export const Price = z
  .string()
  .max(18)
  .regex(/^(?:0|[1-9]\d{0,6})(?:\.\d{1,10})?$/, "must be a decimal number from 0 to 9999999 with at most 10 decimals");

/** Prices of token kinds that differ from the prompt or completion price. */
const tokenKinds = {
  cache_read: Price.optional().meta({ description: "Prompt tokens read from the provider's cache" }),
  cache_write: Price.optional().meta({ description: "Prompt tokens written to the provider's cache" }),
  cache_write_1h: Price.optional().meta({
    description:
      "Prompt tokens written to the provider's cache for an hour; without it they cost as much as cache_write",
  }),
  audio_input: Price.optional(),
  audio_output: Price.optional(),
  image_input: Price.optional(),
  image_output: Price.optional(),
  reasoning: Price.optional().meta({ description: "Reasoning tokens of the completion" }),
};

/** Optional parts of a price list. Token kinds without a price cost as much as the prompt or completion. */
export const PriceDetails = z.strictObject({
  ...tokenKinds,
  tiers: z
    .array(
      z.strictObject({
        above: z.number().int().min(0).meta({ description: "Applies to requests with more prompt tokens than this" }),
        prompt: Price,
        completion: Price,
        ...tokenKinds,
      }),
    )
    .max(10)
    .optional()
    .meta({ description: "Prices of a whole request whose prompt exceeds a size" }),
  web_search: Price.optional().meta({ description: "USD for each web search that the provider runs" }),
  service_tiers: z
    .record(z.string().min(1).max(32), Price)
    .refine((tiers) => Object.keys(tiers).length <= 10, "must have at most 10 tiers")
    .optional()
    .meta({ description: "Factor of the token prices for each service tier, e.g. 0.5 for flex" }),
});
export type PriceDetails = z.output<typeof PriceDetails>;
