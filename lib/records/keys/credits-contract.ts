import { z } from "zod";
import { envelope, operation } from "../../platform/http/operation";

/** Reported for credits without a limit, because clients expect a number and subtract the usage. */
export const UNLIMITED_CREDITS = 1_000_000_000;

export const getCredits = operation({
  tag: "Keys",
  access: "any",
  id: "getCredits",
  method: "GET",
  path: "/credits",
  summary: "Get the spend and the limit of an inference key, or the spend of the organization",
  status: 200,
  result: envelope(
    z.object({
      total_credits: z.number().meta({
        description: "USD: total_usage plus the remainder of the key's own limit; 1,000,000,000 without a limit",
      }),
      total_usage: z.number().min(0).meta({ description: "USD" }),
      is_limited: z.boolean().meta({ description: "Whether the key has its own limit" }),
    }),
  ),
});
