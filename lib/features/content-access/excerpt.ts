/** Number of characters before the first matching word. */
const BEFORE = 40;
const ELLIPSIS = "…";

/** Returns at most `most` characters of a text on one line, from near the first matching word. */
export function excerptOf(text: string, words: readonly string[], most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = first + BEFORE < most ? 0 : Math.max(0, first - BEFORE);
  const cut = [start > 0 ? ELLIPSIS : "", line.slice(start, start + most), line.length > start + most ? ELLIPSIS : ""];
  // A slice may begin or end within a surrogate pair.
  return cut.join("").toWellFormed().replaceAll("\uFFFD", "");
}
