import { z } from "zod";

/** A whole number in a query string. Digits only, so `1e1`, `0x10` and the empty string are rejected. */
export const integerParam = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .pipe(z.coerce.number<string>().int().min(min).max(max));

/** `offset` and `limit` of every list: docs/semantics.md#lists. */
export const PageQuery = z.object({
  offset: integerParam(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: "Number of records to skip" }),
  limit: integerParam(1, 100).default(50).meta({ description: "Records per page, at most 100" }),
});
export type PageQuery = z.output<typeof PageQuery>;

/** Sort parameter of a list: `sort=name` ascending, `sort=-name` descending, by default newest first. */
export const sortParam = <const Field extends string>(fields: readonly Field[]) =>
  z
    .enum([...fields, ...fields.map((field) => `-${field}` as const)])
    .optional()
    .meta({ description: "A field name, prefixed with `-` for descending order" });

/** Query of a searchable and sortable list. */
export const listQuery = <const Field extends string>(fields: readonly Field[], searched: string) =>
  PageQuery.extend({
    q: z.string().trim().min(1).max(200).optional().meta({ description: searched }),
    sort: sortParam(fields),
  });

/** Converts a `sort` value for `orderBy`. */
export const sortOrder = <Field extends string>(
  sort: Field | `-${Field}`,
): { field: Field; direction: "asc" | "desc" } =>
  sort.startsWith("-")
    ? { field: sort.slice(1) as Field, direction: "desc" }
    : { field: sort as Field, direction: "asc" };

/** Wraps the records of a list. */
export const page = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), total_count: z.number().int().min(0) });

export const skipTake = ({ offset, limit }: PageQuery) => ({ skip: offset, take: limit });
