export type JsonObject = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);

export const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const asObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Deepest nesting of JSON from others. Parsing and walking deeper JSON takes seconds a megabyte, or overflows the stack. */
export const MAX_NESTING = 128;

/** Returns the index of the quote that ends a string. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (first > from && text[first - 1] === "\\") first -= 1;
    if ((quote - first) % 2 === 0) return quote;
  }
  return text.length;
}

/** True if a text contains a character more than `most` times. */
function hasMore(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) if (++count > most) return true;
  return false;
}

/** True if a JSON text is nested deeper than `MAX_NESTING`; stops at the first such value. */
function isTooDeep(text: string): boolean {
  // Few texts have so many brackets; counting them is a native search.
  if (!hasMore(text, "[", MAX_NESTING / 2) && !hasMore(text, "{", MAX_NESTING / 2)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at + 1);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    } else if (character === "]" || character === "}") depth -= 1;
  }
  return false;
}

/** Parses JSON from others. Throws for invalid JSON, and before parsing for JSON that is nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`JSON is nested deeper than ${MAX_NESTING} levels`);
  return JSON.parse(text);
}

/** Returns the value of a JSON text; null for invalid JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Serializes a JSON value with sorted keys, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );

/** Returns the JSON object of a text; null for other texts. */
export const objectIn = (text: string): JsonObject | null => asObject(jsonIn(text));

/** True when a text in a value contains NUL. */
export const hasNul = (value: unknown): boolean =>
  typeof value === "string"
    ? value.includes("\0")
    : typeof value === "object" && value !== null && Object.values(value).some(hasNul);
