import { z } from "zod";

/** A whole number in a query string: digits only, so that `1e1`, `0x10` and the empty string are refused. */
export const integerParam = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .pipe(z.coerce.number<string>().int().min(min).max(max));

/** `offset` and `limit` of every list: routing-api.md "Limits", contract.md section 3. */
export const PageQuery = z.object({
  offset: integerParam(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: "Records to skip" }),
  limit: integerParam(1, 100).default(50).meta({ description: "Records per page, at most 100" }),
});
export type PageQuery = z.output<typeof PageQuery>;

/** The envelope of every list. */
export const page = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), total_count: z.number().int().min(0) });

export const skipTake = ({ offset, limit }: PageQuery) => ({ skip: offset, take: limit });
