/** Maximum number of cached words, and maximum length of a cached word in UTF-16 code units. */
const [MOST, LONGEST] = [20_000, 40];

/** Returns a version of `create` that caches its results for short words. A full cache is cleared. */
export function remembered<T>(create: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (word.length > LONGEST) return create(word);
    // In V8, a substring keeps the whole string that it was cut from in memory, so the key is a copy.
    const copy = word.split("").join("");
    const created = create(copy);
    if (known.size >= MOST) known.clear();
    known.set(copy, created);
    return created;
  };
}
