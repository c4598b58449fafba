/** Claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Values of claims by name, in which `*` stands for any text. */
export type ClaimRules = Readonly<Record<string, string>>;

/** True if a text matches a pattern as a whole. Takes time linear in the text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = parts.pop() ?? "";
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(textsOf)
    : ["string", "number", "boolean"].includes(typeof value)
      ? [String(value)]
      : [];

/** True if every rule matches its claim, or one entry of a claim that is a list. */
export const matchesClaims = (rules: ClaimRules, claims: Claims): boolean =>
  Object.entries(rules).every(
    ([name, pattern]) =>
      Object.hasOwn(claims, name) && textsOf(claims[name]).some((text) => matchesPattern(pattern, text)),
  );
