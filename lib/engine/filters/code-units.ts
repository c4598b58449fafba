/** Number of texts whose units are kept: a text, its normal form, and parts of them. */
const KEPT = 4;
/** Length from which only the units of the last text are kept. */
const LONG = 64 * 1024;

interface Known {
  text: string;
  units: Uint16Array;
}

/** The texts that were read last, the last one first. */
let known: Known[] = [];

/**
 * Returns the UTF-16 code units of a text, followed by a zero. The loops over characters would take a tenth of a scan longer with
 * `charCodeAt`, and twice as long if each read the text again.
 */
export function unitsOf(text: string): Uint16Array {
  const found = known.find((one) => one.text === text);
  if (found) return found.units;
  const units = new Uint16Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  known = [{ text, units }, ...(text.length > LONG ? [] : known.slice(0, KEPT - 1))];
  return units;
}
