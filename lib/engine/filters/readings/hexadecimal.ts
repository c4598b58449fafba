import "server-only";
import { Buffer } from "node:buffer";
import { longRuns } from "../long-runs";
import { DecodedTexts } from "./decoded-text";
import type { TextForm } from "./text-form";

/** Minimum length of a run, and minimum number of digits of fewer than `FEWEST` groups: eight bytes. */
const SHORTEST = 16;
const runsIn = longRuns(/[\dA-Fa-fx\s:,>-]/, SHORTEST);
/** A group of hexadecimal digits, and the characters between two groups. */
const GROUP = /(?<![\dA-Za-z])(?:0x)?((?:[\dA-Fa-f]{2})+)(?![\dA-Za-z])/y;
const BETWEEN = /[:,-]?[\s>]{1,40}|[:,-]/y;
/** Minimum number of groups that are decoded even if they have fewer than `SHORTEST` digits. */
const FEWEST = 4;
const HAS_LETTER = /\p{L}/u;

/** Consecutive groups of hexadecimal digits. */
class Groups {
  count = 0;
  readonly #digits: string[] = [];
  /** Start and end of the digits of each byte. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** @param start Start of the group, which may have the prefix `0x` before its digits. */
  add(digits: string, start: number, end: number): void {
    this.count += 1;
    this.#digits.push(digits);
    const first = end - digits.length;
    for (let at = first; at < end; at += 2) {
      this.#starts.push(at === first ? start : at);
      this.#ends.push(at + 2);
    }
  }

  /**
   * Returns the texts that the groups encode; null if there are none. Several groups must decode to letters, since a
   * series of numbers decodes to digits.
   */
  form(): TextForm | null {
    if (this.count < FEWEST && 2 * this.#ends.length < SHORTEST) return null;
    const texts = new DecodedTexts();
    texts.add(Buffer.from(this.#digits.join(""), "hex"), (start, end) => ({
      start: this.#starts[start] as number,
      end: this.#ends[end - 1] as number,
    }));
    const form = texts.form();
    return form && (this.count === 1 || HAS_LETTER.test(form.text)) ? form : null;
  }
}

/** Returns the texts encoded in hexadecimal, in a word or in groups: 616c6963, 61 6c 69 63, 0x61, 0x6c or 616c 6963. */
export function hexadecimalIn(text: string): TextForm[] {
  const found: TextForm[] = [];
  for (const run of runsIn(text)) {
    let groups = new Groups();
    const close = () => {
      const form = groups.count > 0 ? groups.form() : null;
      if (form) found.push(form);
      groups = new Groups();
    };
    for (let at = run.start; at < run.end;) {
      GROUP.lastIndex = at;
      const digits = GROUP.exec(text)?.[1];
      if (digits === undefined) {
        close();
        at += 1;
        continue;
      }
      const end = GROUP.lastIndex;
      groups.add(digits, at, end);
      BETWEEN.lastIndex = end;
      const isFollowed = BETWEEN.test(text);
      at = isFollowed ? BETWEEN.lastIndex : end;
      if (!isFollowed) close();
    }
    close();
  }
  return found;
}
