import { unitsOf } from "../code-units";

/** Most characters other than digits between two digits of one number. */
const MOST_BETWEEN = 4;

/** The result for the last text, for which several detectors ask. */
let last = { text: "", most: 0 };

/** Returns the largest number of digits that may belong to one number. */
export function mostDigits(text: string): number {
  if (last.text === text) return last.most;
  const units = unitsOf(text);
  let [most, count, past] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at] as number;
    if (unit < 48 || unit > 57) continue;
    count = at - past > MOST_BETWEEN ? 1 : count + 1;
    past = at + 1;
    if (count > most) most = count;
  }
  last = { text, most };
  return most;
}
