export interface FilterOption {
  value: string;
  label: string;
}

export type FilterDefinition = { key: string; label: string } &
  /** `find` searches the server for further options; an empty text returns the first ones. With `allowsCustom`, the search text can be added. */
  (
    | {
        kind: "options";
        options: readonly FilterOption[];
        isMultiple?: boolean;
        allowsCustom?: boolean;
        find?: (q: string) => Promise<readonly FilterOption[]>;
      }
    /** `nameOf` returns the label of a chosen text, such as an ID. */
    | { kind: "text"; nameOf?: (text: string) => string | undefined }
    | { kind: "amount" }
  );

export type FilterValue = readonly string[] | string | null;

export const isSet = (value: FilterValue): boolean => value !== null && value.length > 0;

const MAX_NAMED = 2;

/** A filter's value as text; more than `most` values are counted. */
export function describeFilter(filter: FilterDefinition, value: FilterValue, most = MAX_NAMED): string {
  const values = [value ?? []].flat();
  if (filter.kind === "options") {
    const names = values.map((one) => filter.options.find((option) => option.value === one)?.label ?? one);
    return names.length > most ? `${names.length} chosen` : names.join(", ");
  }
  const [text = ""] = values;
  if (filter.kind === "text") return filter.nameOf?.(text) ?? text;
  return `$${text}`;
}
