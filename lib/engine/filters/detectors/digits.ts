import { lastRuns, MOST_BETWEEN } from "../letter-runs";

/** The result for the last text, for which several detectors ask. */
let last = { text: "", most: 0 };

/** Returns the largest number of digits that may belong to one number. */
export function mostDigits(text: string): number {
  if (last.text === text) return last.most;
  const known = lastRuns(text)?.mostDigits;
  if (known !== undefined) return known;
  let [most, count, past] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 48 || unit > 57) continue;
    count = at - past > MOST_BETWEEN ? 1 : count + 1;
    past = at + 1;
    if (count > most) most = count;
  }
  last = { text, most };
  return most;
}
