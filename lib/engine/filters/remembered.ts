/** Number of words that are remembered, and their longest. */
const [MOST, LONGEST] = [20_000, 40];

/** Returns a function that remembers what `create` returned for the words that texts consist of. */
export function remembered<T>(create: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (word.length > LONGEST) return create(word);
    // A part of a string would keep the whole string in memory.
    const copy = word.split("").join("");
    const created = create(copy);
    if (known.size >= MOST) known.clear();
    known.set(copy, created);
    return created;
  };
}
