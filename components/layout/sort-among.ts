/** Validates the sort parameter (`-field` for descending); null if the list doesn't support it. */
export const sortAmong = <const Field extends string>(
  fields: readonly Field[],
  sort: string,
): Field | `-${Field}` | undefined =>
  fields.flatMap((field) => [field, `-${field}` as const]).find((known) => known === sort);
