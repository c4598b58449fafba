import { parse, type Compare, type Filter } from "scim2-parse-filter";
import { hasControls } from "./attributes";
import { scimError } from "./scim-error";
import { MAX_FILTER_LENGTH, MAX_FILTER_TERMS } from "./vocabulary";

const MAX_DEPTH = 20;

export type Operator = Compare["op"] | "pr";
export type Value = Compare["compValue"];

/** Conditions that a filter is made of, and how they are combined. */
export interface Conditions<T> {
  /** Throws `unsupported` for an attribute or operator without a condition. */
  compare: (attribute: string, operator: Operator, value: Value) => T;
  and: (conditions: T[]) => T;
  or: (conditions: T[]) => T;
  not: (condition: T) => T;
}

export const invalidFilter = (detail: string) => scimError(400, "invalidFilter", detail);

export const unsupported = (attribute: string, operator: Operator) =>
  invalidFilter(`The filter "${attribute.slice(0, 200)} ${operator}" isn't supported`);

/** Parses a filter (RFC 7644, section 3.4.2.2). */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_FILTER_LENGTH) throw invalidFilter(`A filter has at most ${MAX_FILTER_LENGTH} characters`);
  if (hasControls(text)) throw invalidFilter("A filter must not contain control characters");
  try {
    return parse(text);
  } catch (error) {
    throw invalidFilter(`The filter is invalid: ${(error as Error).message}`);
  }
}

/** Converts a filter to conditions. Attributes in brackets are those of their list: `emails[value eq "a"]` is `emails.value eq "a"`. */
export function convertFilter<T>(filter: Filter, conditions: Conditions<T>): T {
  let terms = 0;
  const convert = (part: Filter, list: string, depth: number): T => {
    if (depth > MAX_DEPTH) throw invalidFilter(`A filter is nested at most ${MAX_DEPTH} levels deep`);
    if ("filters" in part) return conditions[part.op](part.filters.map((one) => convert(one, list, depth + 1)));
    if (part.op === "not") return conditions.not(convert(part.filter, list, depth + 1));
    const attribute = `${list}${part.attrPath}`;
    if (part.op === "[]") return convert(part.valFilter, `${attribute}.`, depth + 1);
    terms += 1;
    if (terms > MAX_FILTER_TERMS) throw invalidFilter(`A filter has at most ${MAX_FILTER_TERMS} comparisons`);
    return conditions.compare(attribute, part.op, "compValue" in part ? part.compValue : null);
  };
  return convert(filter, "", 0);
}
