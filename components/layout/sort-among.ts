/** The order that an address names, `-` before the field from high to low; one that the list doesn't know is none. */
export const sortAmong = <const Field extends string>(
  fields: readonly Field[],
  sort: string,
): Field | `-${Field}` | undefined =>
  fields.flatMap((field) => [field, `-${field}` as const]).find((known) => known === sort);
