import { edited, Edits, type TextForm } from "./text-form";

/**
 * Matches signs of quoted-printable: a soft line break, an encoded `@` before a domain, or an encoded two-byte letter
 * in UTF-8. In code, a line that ends with `=` continues with an indentation or punctuation, and `=404` is a number.
 */
const QUOTED = /[ \w@.,+-]=\r?\n[\w@.+-]|[\w.+-]=40[A-Za-z\d-]{1,63}(?:\.|=2E)[A-Za-z]|=C[2-9A-F]=[89AB][0-9A-F]/;
/** Substrings of which every match of `QUOTED` contains one; they are faster to search for. */
const PARTS = ["=\n", "=\r", "=40", "=C"];
const ESCAPES = /=\r?\n|(?:=[2-9A-F][0-9A-F])+/g;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function plain(escape: string): string | null {
  if (escape.endsWith("\n")) return "";
  try {
    return utf8.decode(Buffer.from(escape.replaceAll("=", ""), "hex"));
  } catch {
    return null;
  }
}

/** Decodes quoted-printable, an encoding of email; null for other texts. */
export function quotedPrintableForm(text: string): TextForm | null {
  if (!PARTS.some((part) => text.includes(part)) || !QUOTED.test(text)) return null;
  const edits = new Edits();
  for (const { 0: escape, index } of text.matchAll(ESCAPES)) {
    const decoded = plain(escape);
    if (decoded !== null) edits.add(index, index + escape.length, decoded);
  }
  return edited(text, edits);
}
