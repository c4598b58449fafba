/** Variables with our prefix that belong to scripts, the build or clients, not to the server. */
const OTHERS = new Set([
  "SIGNALBOX_API_KEY",
  "SIGNALBOX_URL",
  "SIGNALBOX_KEY",
  "SIGNALBOX_BUILD",
  "SIGNALBOX_PAGES_ONLY",
  "SIGNALBOX_STANDALONE",
]);
/** Variables that Kubernetes sets in every container for a service whose name begins with `signalbox`. */
const OF_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/** Returns the edit distance of two texts: insertions, deletions, replacements, and swaps of neighbours. */
function distance(from: string, to: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged && row > 1 && column > 1 ? (beforeLast?.[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last?.[to.length] ?? 0;
}

/** Returns a warning for each variable with our prefix that isn't a setting, with the setting of the nearest name. */
export function unknownSettings(names: readonly string[], settings: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith("SIGNALBOX_") && !settings.includes(name) && !OTHERS.has(name))
    .filter((name) => !OF_KUBERNETES.test(name))
    .map((name) => {
      const [nearest] = settings
        .map((setting) => ({ setting, letters: distance(name, setting) }))
        .sort((a, b) => a.letters - b.letters);
      return `${name} isn't a setting and is ignored. The nearest name is ${nearest?.setting ?? "unknown"}`;
    });
}
