import { longRuns } from "../long-runs";
import { DecodedTexts } from "./decoded-text";
import type { TextForm } from "./text-form";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Minimum number of digits of a run; 16 digits encode ten bytes. */
const SHORTEST = 16;
const runsIn = longRuns(/[A-Z2-7]/, SHORTEST);

function base32Bytes(digits: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((digits.length * 5) / 8));
  let [rest, size, at] = [0, 0, 0];
  for (const digit of digits) {
    rest = ((rest << 5) | BASE32.indexOf(digit)) & 0xfff;
    size += 5;
    if (size < 8) continue;
    size -= 8;
    bytes[at] = rest >> size;
    at += 1;
  }
  return bytes;
}

/** Returns the texts encoded in upper-case base32. */
export function base32In(text: string): TextForm[] {
  return runsIn(text).flatMap((run) => {
    const texts = new DecodedTexts();
    const bytes = base32Bytes(text.slice(run.start, run.end));
    texts.add(bytes, (start, end) => ({
      start: run.start + Math.floor((start * 8) / 5),
      end: end === bytes.length ? run.end : run.start + Math.ceil((end * 8) / 5),
    }));
    return texts.form() ?? [];
  });
}
