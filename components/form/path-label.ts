const ACRONYMS = /\b(?:api|id|ip|url|usd)\b/g;

const words = (name: string) => name.replaceAll("_", " ").replace(ACRONYMS, (word) => word.toUpperCase());
const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "base_url" → "Base URL"; the last named field of a path. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  sentenceCase(words(path.findLast((part) => typeof part === "string") ?? "value"));

/** ["content_filters", 0, "pattern"] → "Content filters 1, pattern". */
export const pathLabel = (path: readonly (string | number)[]): string =>
  sentenceCase(
    path.reduce<string>(
      (label, part) =>
        typeof part === "number" ? `${label} ${part + 1}` : label === "" ? words(part) : `${label}, ${words(part)}`,
      "",
    ),
  );
