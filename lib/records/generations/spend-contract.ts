import { z } from "zod";
import { RANGES } from "./vocabulary";

/** Query of lists with the spend of each record in a range. */
export const SpendRange = z.enum(RANGES).optional().meta({
  description: "Adds `range_spend`, the spend in this range, which ends now; `sort=range_spend` uses 7d by default",
});

const count = z.number().int().min(0);

/** Spend of a key or member, as analytics counts it. */
export const RangeSpend = z
  .object({
    spend_usd: z.number().min(0),
    requests: count,
    unpriced_requests: count.meta({ description: "Requests to models without a known price, which the spend lacks" }),
  })
  .meta({ id: "RangeSpend", description: "Spend in the range of the query, on your own provider keys as well" });
export type RangeSpend = z.output<typeof RangeSpend>;
