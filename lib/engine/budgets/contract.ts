import { z } from "zod";
import { Timestamp } from "../../platform/http/operation";

const Contributor = z.object({ key_hash: z.string(), key_name: z.string(), share: z.number().min(0).max(1) });

/** Spend of a budget continued at its current rate. */
export const Forecast = z.object({
  exhausted_at: Timestamp.nullable().meta({
    description:
      "When the budget is exhausted at the current rate; null when it resets before, there is no spend, or the window began less than an hour ago",
  }),
  projected_usd: z.number().min(0).nullable().meta({
    description:
      "Spend at the end of the window at the current rate, as if there were no limit; null when the budget doesn't reset or the window began less than an hour ago",
  }),
  usd_per_hour: z.number().min(0).meta({ description: "Spend rate over the last 24 hours, or since the window began" }),
  contributors: z
    .array(Contributor)
    .meta({ description: "Keys with the highest share of the spend, at most five, highest first" }),
});
export type Forecast = z.output<typeof Forecast>;
