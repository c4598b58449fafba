import { decodeHTML } from "entities";
import { DISGUISED, HAS_LOOK_ALIKE, LOOK_ALIKES } from "./look-alikes";
import { composed, edited, identity, type Edit, type View } from "./view";

const TAG_CHARACTERS = 0xe0000;
/** Maximum number of nested escapes to decode, such as `&amp;#64;`. */
const DEPTH = 3;

/**
 * Text that folding doesn't change: ASCII, accented Latin letters and the usual punctuation, without characters of which
 * NFKC knows a plainer form, dashes, marks or look-alikes.
 */
const PLAIN =
  /^[\n\r\t -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e‘’‚“”„†•…‹›€]*$/;
/** Plain text without a character that begins an escape. */
const UNESCAPED =
  /^[\n\r\t -$'-[\]-~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e‘’‚“”„†•…‹›€]*$/;
const MAY_BE_ESCAPED = /[&%\\]/;
/** Control, format and other invisible characters; line breaks and tabs separate words. */
const INVISIBLE = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;
/** Emoji with their own joiners and selectors, then signs whose compatibility form can't be part of a value. */
const KEPT = /^(?:(?![\u{1f150}-\u{1f189}])\p{Extended_Pictographic}|[…½¼¾´¨¯¸])/u;
/** Characters to examine: a whole emoji, or a character with its marks. */
const CLUSTER =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})*|[^\n\r\t -~]\p{M}*|[ -~]\p{M}+/gu;
/** The same in a text without marks. */
const SINGLE =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})*|[^\n\r\t -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e‘’‚“”„†•…‹›€]/gu;
const HAS_MARK = /\p{M}/u;
const MARKED = /([\p{Script=Latin}\p{N}\p{P}\p{S}])\p{M}+/gu;
/** A dash within a value. */
const DASH = /[\u2010-\u2013\u2212](?<=[A-Za-z\d].)(?=[A-Za-z\d])|[\u2014\u2015](?<=[A-Z\d].)(?=[A-Z\d])/gu;
const HAS_DASH = /[\u2010-\u2015\u2212]/;
const ESCAPE =
  /&(?:#\d{1,7};?|#[xX][0-9A-Fa-f]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)|%[0-7][0-9A-Fa-f]|%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}/g;

const isDecimal = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Returns a digit of any script; its block of ten starts at a multiple of sixteen, or six above. */
function digitOf(code: number): string {
  const start = code & ~15;
  return String(code - start - (isDecimal(start) ? 0 : 6));
}

function plainCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > TAG_CHARACTERS + 0x1f && code < TAG_CHARACTERS + 0x7f) return String.fromCharCode(code - TAG_CHARACTERS);
  if (INVISIBLE.test(character)) return "";
  if (code >= 0x1f150 && code <= 0x1f189) return String.fromCharCode(65 + ((code - 0x1f150) % 32));
  const compatible = character.normalize("NFKC");
  return /^\p{Nd}$/u.test(compatible) && compatible > "9" ? digitOf(compatible.codePointAt(0) ?? 0) : compatible;
}

const plainCluster = (cluster: string): string =>
  Array.from(cluster.normalize("NFC"), plainCharacter).join("").normalize("NFC").replace(MARKED, "$1");

/** Returns the edits that replace every match with its plain form. */
const editsOf = (text: string, pattern: RegExp, plain: (match: string) => string): Edit[] =>
  Array.from(text.matchAll(pattern)).flatMap(({ 0: match, index: start }) => {
    const replacement = plain(match);
    return replacement === match ? [] : [{ start, end: start + match.length, text: replacement }];
  });

const replaced = (view: View, pattern: RegExp, plain: (match: string) => string): View =>
  composed(view, edited(view.text, editsOf(view.text, pattern, plain)));

const latin = (run: string) => Array.from(run, (letter) => LOOK_ALIKES.get(letter) ?? letter).join("");

/** Folds characters to their plainest form: compatibility forms, digits and look-alikes; removes invisible ones. */
export function foldedView(text: string): View {
  if (PLAIN.test(text)) return identity(text);
  const folded = replaced(identity(text), HAS_MARK.test(text) ? CLUSTER : SINGLE, (cluster) =>
    KEPT.test(cluster) ? cluster : plainCluster(cluster),
  );
  const undisguised = HAS_LOOK_ALIKE.test(folded.text) ? replaced(folded, DISGUISED, latin) : folded;
  return HAS_DASH.test(undisguised.text) ? replaced(undisguised, DASH, () => "-") : undisguised;
}

function unescaped(escape: string): string {
  if (escape.startsWith("&")) return decodeHTML(escape);
  if (escape.startsWith("\\")) return codePoint(parseInt(escape.replace(/[^0-9A-Fa-f]/g, ""), 16)) ?? escape;
  try {
    return decodeURIComponent(escape);
  } catch {
    return escape;
  }
}

const codePoint = (code: number): string | null => (code <= 0x10ffff ? String.fromCodePoint(code) : null);

/** Returns the normal form that detectors read: folded characters, and HTML, percent and backslash escapes decoded. */
export function plainView(text: string): View {
  if (UNESCAPED.test(text)) return identity(text);
  let view = foldedView(text);
  if (!MAY_BE_ESCAPED.test(view.text)) return view;
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const decoded = replaced(view, ESCAPE, unescaped);
    if (decoded === view) break;
    view = composed(decoded, foldedView(decoded.text));
  }
  return view;
}

const ACCENTED = /[\u00c0-\u052f\u1e00-\u1eff]/g;

/** Removes accents. */
export const unaccented = (view: View): View =>
  view.text.search(ACCENTED) < 0
    ? view
    : replaced(view, ACCENTED, (letter) => letter.normalize("NFD").replace(/[\u0300-\u036f]/g, ""));
