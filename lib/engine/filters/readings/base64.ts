import "server-only";
import { Buffer } from "node:buffer";
import { longRuns } from "../long-runs";
import { DecodedTexts } from "./decoded-text";
import { edited, Edits, identity, type TextForm } from "./text-form";

/** Minimum length of a run that may encode text, in digits. */
export const SHORTEST_RUN = 12;
/** Digits of base64 and base64url by their value. */
const DIGITS = [...Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"), "+-", "/_"];
const digits = (isPossible: (value: number) => boolean) =>
  `[${DIGITS.filter((_, value) => isPossible(value)).join("")}]`.replace("+-", "+\\-");
/** Four digits that encode three bytes of ASCII, and three that encode the start of a longer UTF-8 character. */
const ASCII_GROUP = [
  digits((value) => value > 1 && value < 32),
  digits((value) => (value & 8) === 0),
  digits((value) => (value & 2) === 0),
  digits(() => true),
].join("");
const UTF8 = [
  digits((value) => value >= 48 && value < 62),
  digits((value) => (value & 12) === 8),
  digits((value) => (value & 2) !== 0),
].join("");
const MAY_BE_TEXT = new RegExp(`(?:${ASCII_GROUP}){2}|${UTF8}`);
const runsIn = longRuns(/[\w+/-]/, SHORTEST_RUN);
/** A line break within a run, with the blanks before it, and the indentation or quotation marks (`>`) after it. */
const LINE_BREAK = /\n(?<=[\w+/-]([ \t\r]*)\n)[\s>]*(?=[\w+/-])/g;
/** Number of digits that encode three bytes. */
const GROUP = 4;

function withoutLineBreaks(text: string): TextForm {
  const edits = new Edits();
  for (const { 0: found, 1: blanks = "", index } of text.matchAll(LINE_BREAK))
    edits.add(index - blanks.length, index + found.length, "");
  return edits.length > 0 ? edited(text, edits) : identity(text);
}

/**
 * Returns the texts in runs of base64. A text may start anywhere in a run, since a letter or path may precede it, so
 * groups of four digits are decoded at all four alignments.
 */
export function base64In(text: string): TextForm[] {
  const lines = text.includes("\n") ? withoutLineBreaks(text) : identity(text);
  return runsIn(lines.text).flatMap((run) => {
    if (!MAY_BE_TEXT.test(lines.text.slice(run.start, run.end))) return [];
    const texts = new DecodedTexts();
    for (let first = run.start; first < run.start + GROUP; first += 1) {
      const bytes = Buffer.from(lines.text.slice(first, run.end), "base64");
      texts.add(bytes, (start, end) =>
        lines.span(
          first === run.start && start === 0 ? run.start : first + Math.floor((start * 4) / 3),
          end === bytes.length ? run.end : first + Math.ceil((end * 4) / 3),
        ),
      );
    }
    return texts.form() ?? [];
  });
}
