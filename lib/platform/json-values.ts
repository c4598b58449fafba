export type JsonObject = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);

export const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const asObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Returns the value of a JSON text; null for any other. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the JSON object of a text; null for any other text. */
export const objectIn = (text: string): JsonObject | null => asObject(jsonIn(text));

/** True when a text in a value contains NUL. */
export const hasNul = (value: unknown): boolean =>
  typeof value === "string"
    ? value.includes("\0")
    : typeof value === "object" && value !== null && Object.values(value).some(hasNul);
