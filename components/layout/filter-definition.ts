export interface FilterOption {
  value: string;
  label: string;
}

export type FilterDefinition = { key: string; label: string } &
  /** `find` asks the server for those that are not among the options, an empty text for the first. */
  (
    | {
        kind: "options";
        options: readonly FilterOption[];
        isMultiple?: boolean;
        find?: (q: string) => Promise<readonly FilterOption[]>;
      }
    | { kind: "text" | "amount" }
    /** A moment in ISO 8601; the past is offered in steps unless it is the end of a range (`to`). */
    | { kind: "time" }
  );

export type FilterValue = readonly string[] | string | null;

export const isSet = (value: FilterValue): boolean => value !== null && value.length > 0;

const MAX_NAMED = 2;
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A filter's value in words; more values than `most` are counted. */
export function describeFilter(filter: FilterDefinition, value: FilterValue, most = MAX_NAMED): string {
  const values = [value ?? []].flat();
  if (filter.kind === "options") {
    const names = values.map((one) => filter.options.find((option) => option.value === one)?.label ?? one);
    return names.length > most ? `${names.length} chosen` : names.join(", ");
  }
  const [text = ""] = values;
  if (filter.kind === "time") return Number.isNaN(Date.parse(text)) ? text : time.format(new Date(text));
  return filter.kind === "amount" ? `$${text}` : text;
}
