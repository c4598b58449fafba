const ESCAPED = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that PostgreSQL can keep: without NUL, and unpaired surrogates replaced. Serialized JSON escapes only
 * unpaired ones, so each such escape is one.
 */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(ESCAPED, (escape) =>
    escape === "\\\\" ? escape : escape === "\\u0000" ? "" : "\ufffd",
  );
