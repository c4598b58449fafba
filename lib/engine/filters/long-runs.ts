import { unitsOf } from "./code-units";

/**
 * Returns the runs of at least `shortest` characters of a kind, skipping shorter ones without reading them whole.
 * @param kinds Kinds of characters as bits by code unit.
 */
export function longRuns(
  text: string,
  kinds: Uint8Array,
  kind: number,
  shortest: number,
): { start: number; end: number }[] {
  const units = unitsOf(text);
  const runs: { start: number; end: number }[] = [];
  let past = 0;
  while (past + shortest <= text.length) {
    let start = past + shortest;
    while (start > past && ((kinds[units[start - 1] as number] as number) & kind) !== 0) start -= 1;
    if (start > past) past = start;
    else {
      let end = past + shortest;
      while (end < text.length && ((kinds[units[end] as number] as number) & kind) !== 0) end += 1;
      runs.push({ start: past, end });
      past = end + 1;
    }
  }
  return runs;
}
