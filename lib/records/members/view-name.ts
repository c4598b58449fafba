const MAX_NAME = 100;

/** Returns a name of a view that isn't taken: its own, or with the previous owner and a number behind it. */
export function freeName(name: string, taken: ReadonlySet<string>, from: string): string {
  if (!taken.has(name)) return name;
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? ` (${from})` : ` (${from}, ${count})`;
    const room = MAX_NAME - suffix.length;
    const candidate = room > 0 ? name.slice(0, room).trimEnd() + suffix : `View ${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}
