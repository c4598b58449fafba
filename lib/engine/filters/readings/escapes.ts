import { decodeHTML } from "entities";
import { edited, Edits, type TextForm } from "./text-form";

const ESCAPE_START = /[&%\\]/g;
const isBackslash = (text: string, at: number) => text.charCodeAt(at) === 92;
const ESCAPE =
  /&(?:#\d{1,7};?|#[xX][0-9A-Fa-f]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)|%[0-7][0-9A-Fa-f]|%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}|%u[0-9A-Fa-f]{4}|\\+(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|[ux]\{[0-9A-Fa-f]{1,6}\}|[01][0-7]{2}|(?:e|33)(?=\[)|["/]|[bfnrtv](?=[^\s"'\\`{}[\],;<>]))/y;
/** Control characters by the last character of an escape; `3` ends `\33`. Nested strings have several backslashes. */
const CONTROLS: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  e: "\x1b",
  3: "\x1b",
};

function unescaped(escape: string): string {
  if (escape.startsWith("&")) return decodeHTML(escape);
  if (escape.startsWith("\\")) return unescapedBackslash(escape);
  if (escape.startsWith("%u")) return hexadecimal(escape);
  try {
    return decodeURIComponent(escape);
  } catch {
    return escape;
  }
}

function unescapedBackslash(escape: string): string {
  const last = escape.slice(-1);
  if (last === '"' || last === "/") return last;
  const [octal] = /[01][0-7]{2}$/.exec(escape) ?? [];
  if (/^\\+[uUx]/.test(escape)) return hexadecimal(escape);
  return octal ? String.fromCharCode(parseInt(octal, 8)) : (CONTROLS[last] ?? escape);
}

/** Returns the character of a hexadecimal escape, or the escape if its code point is invalid. */
function hexadecimal(escape: string): string {
  const code = parseInt(escape.replace(/[^0-9A-Fa-f]/g, ""), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}

/** Decodes HTML entities, percent-encoding and backslash escapes once. */
export function unescapedForm(text: string): TextForm {
  const edits = new Edits();
  ESCAPE_START.lastIndex = 0;
  while (ESCAPE_START.test(text)) {
    const start = ESCAPE_START.lastIndex - 1;
    ESCAPE.lastIndex = start;
    const escape = ESCAPE.exec(text)?.[0];
    if (escape === undefined) {
      // Of consecutive backslashes, only the last may start another escape.
      if (isBackslash(text, start))
        while (isBackslash(text, ESCAPE_START.lastIndex) && isBackslash(text, ESCAPE_START.lastIndex + 1))
          ESCAPE_START.lastIndex += 1;
      continue;
    }
    const end = start + escape.length;
    const decoded = unescaped(escape);
    if (decoded !== escape) edits.add(start, end, decoded);
    ESCAPE_START.lastIndex = end;
  }
  return edited(text, edits);
}
