/** Returns the words of a search without its operators. */
export const wordsOf = (q: string): string[] =>
  q
    .toLowerCase()
    .split(/[^\p{L}\p{N}_'@.-]+/u)
    .filter((word) => word !== "" && word !== "or" && !word.startsWith("-"));
