const ESCAPED = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Serializes a value as JSON that PostgreSQL can store, with NUL and unpaired surrogates replaced. Serialized JSON escapes
 * only unpaired surrogates, so every such escape is one.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\u")) return json;
  return json.replace(ESCAPED, (escape) => (escape === "\\\\" ? escape : "\ufffd"));
}

/** Returns a text that PostgreSQL can store, with NUL and unpaired surrogates replaced. */
export const storableText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0") ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
