import { classAt, classOf, isSurrogate, MARK } from "../characters";
import { unitsOf } from "../code-units";
import { isDisguised, LOOK_ALIKES, lookAlikeAt, mayBeLookAlike } from "./look-alikes";
import { composed, edited, editsOf, Edits, identity, type TextForm } from "./text-form";
import { unescapedForm } from "./escapes";

/** Maximum depth of nested escapes to decode, such as `&amp;#64;`. */
const DEPTH = 3;

/**
 * Text that folding doesn't change: ASCII, accented Latin letters and common punctuation, without dashes, marks,
 * look-alikes and characters that NFKC changes.
 */
const PLAIN =
  /^[\n\r\t -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e‘’‚“”„†•…‹›€]*$/;
/** Control, format, other invisible and invalid characters, except line breaks and tabs, which separate words. */
const INVISIBLE =
  /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]$/u;
/** Escape sequences of terminals, which start with `ESCAPE_CHARACTER` and set colours or move the cursor. */
const TERMINAL = /\p{Cc}\[[0-?]*[ -/]*[@-~]/uy;
const ESCAPE_CHARACTER = 27;
/** Clusters that don't change: emoji, and signs whose compatibility form can't be part of a value. */
const KEPT = /^(?:(?![\u{1f150}-\u{1f189}])\p{Extended_Pictographic}|[…½¼¾´¨¯¸])/u;
/** A whole emoji, or a character with up to 32 marks, which is more than any language uses. */
const CLUSTER =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}){0,32}|[^\n\r\t]\p{M}{0,32}/uy;
/** Marks on Latin letters, digits, punctuation, symbols and spaces, or without a character before them. */
const MARKED = /(^|[\p{Script=Latin}\p{N}\p{P}\p{S}\p{Zs}])\p{M}+/gu;
/** A dash within a value: between letters or digits, or for em dashes, between capitals or digits. */
const DASH =
  /[\u02d7\u058a\u2010-\u2013\u2043\u2212\u2500](?<=[A-Za-z\d].)(?=[A-Za-z\d])|[\u2014\u2015](?<=[A-Z\d].)(?=[A-Z\d])/gu;
/** Enclosed digits without an NFKC form: 1 to 9 of four series, and 0. */
const ENCLOSED = new Map([
  ...["\u2776", "\u2780", "\u278a", "\u24f5"].flatMap((one) =>
    Array.from({ length: 9 }, (_, digit): [string, string] => [
      String.fromCharCode(one.charCodeAt(0) + digit),
      String(digit + 1),
    ]),
  ),
  ...["\u24ff", "\u{1f10b}", "\u{1f10c}"].map((zero): [string, string] => [zero, "0"]),
]);

const isDecimal = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Returns the ASCII digit of a digit of any script. Blocks of ten digits start at a multiple of 16, or 6 after one. */
function digitOf(code: number): string {
  const start = code & ~15;
  return String(code - start - (isDecimal(start) ? 0 : 6));
}

function plainCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (INVISIBLE.test(character)) return "";
  if (code === 0x2028 || code === 0x2029) return "\n";
  if (code >= 0x1f150 && code <= 0x1f189) return String.fromCharCode(65 + ((code - 0x1f150) % 32));
  const digit = ENCLOSED.get(character);
  if (digit !== undefined) return digit;
  const compatible = character.normalize("NFKC");
  return /^\p{Nd}$/u.test(compatible) && compatible > "9" ? digitOf(compatible.codePointAt(0) ?? 0) : compatible;
}

const plainCluster = (cluster: string): string =>
  Array.from(cluster.normalize("NFC"), plainCharacter).join("").normalize("NFC").replace(MARKED, "$1");

/** Maximum number of cached forms. */
const MOST_FORMS = 4096;
const forms = new Map<string, string>();

/** Returns the plain form of a cluster. Short clusters, which recur, are cached. */
function formOf(cluster: string): string {
  const known = forms.get(cluster);
  if (known !== undefined) return known;
  const form = KEPT.test(cluster) ? cluster : plainCluster(cluster);
  if (cluster.length > 4) return form;
  if (forms.size >= MOST_FORMS) forms.clear();
  forms.set(cluster, form);
  return form;
}

/** Kinds of code units, as bits. Plain units change only before a mark; each other kind is handled by one step. */
const [PLAIN_UNIT, FOLDABLE, ESCAPING, LOOK_ALIKE, DASH_UNIT, ACCENT] = [1, 2, 4, 8, 16, 32];
/** Kinds by code unit, computed on first use; 0 when unknown. */
const KINDS = new Uint8Array(65536);

function kindOf(unit: number): number {
  const known = KINDS[unit] as number;
  return known === 0 ? classified(unit) : known;
}

function classified(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind =
    (PLAIN.test(character) ? PLAIN_UNIT : FOLDABLE) |
    (character === "&" || character === "%" || character === "\\" ? ESCAPING : 0) |
    (mayBeLookAlike(character) ? LOOK_ALIKE : 0) |
    (/[\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500]/.test(character) ? DASH_UNIT : 0) |
    (/[\u00c0-\u052f\u1e00-\u1eff]/.test(character) ? ACCENT : 0);
  KINDS[unit] = kind;
  return kind;
}

const isPlainUnit = (unit: number) => (kindOf(unit) & PLAIN_UNIT) !== 0;

/** Kinds of the last text, cached because several steps need them. */
let last = { text: "", kinds: 0 };

/** Returns the union of the kinds of a text's code units. */
function kindsIn(text: string): number {
  if (last.text === text) return last.kinds;
  const units = unitsOf(text);
  let kinds = 0;
  for (let at = 0; at < text.length; at += 1) kinds |= kindOf(units[at] as number);
  last = { text, kinds };
  return kinds;
}

/** Returns the edits that fold clusters; skips plain characters. */
function foldingEdits(text: string): Edits {
  const edits = new Edits();
  const units = unitsOf(text);
  let past = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at] as number;
    if (isPlainUnit(unit)) continue;
    if (unit === ESCAPE_CHARACTER) {
      TERMINAL.lastIndex = at;
      past = TERMINAL.test(text) ? TERMINAL.lastIndex : at + 1;
      edits.add(at, past, "");
      at = past - 1;
      continue;
    }
    // A mark belongs to the character before it.
    const isMark = !isSurrogate(unit) && (classOf(unit) & MARK) !== 0;
    const start = at > past && (isMark || isMarkAt(text, at)) ? at - 1 : at;
    CLUSTER.lastIndex = isLineEnd(units[start] as number) ? at : start;
    const cluster = CLUSTER.exec(text);
    if (!cluster) continue;
    const [whole] = cluster;
    past = cluster.index + whole.length;
    at = past - 1;
    const form = formOf(whole);
    if (form !== whole) edits.add(cluster.index, past, form);
  }
  return edits;
}

const isMarkAt = (text: string, at: number) => isSurrogate(text.charCodeAt(at)) && (classAt(text, at) & MARK) !== 0;
const isLineEnd = (unit: number) => unit === 10 || unit === 13 || unit === 9;

const replaced = (form: TextForm, pattern: RegExp, plain: (match: string) => string): TextForm =>
  composed(form, edited(form.text, editsOf(form.text, pattern, plain)));

const latin = (run: string) => Array.from(run, (letter) => LOOK_ALIKES.get(letter) ?? letter).join("");

/** Returns the edits that replace runs of look-alikes by Latin letters. */
function undisguisingEdits(text: string): Edits {
  const edits = new Edits();
  const units = unitsOf(text);
  for (let at = 0; at < text.length; at += 1) {
    if ((kindOf(units[at] as number) & LOOK_ALIKE) === 0) continue;
    const start = at;
    for (let size = lookAlikeAt(text, at); size > 0; size = lookAlikeAt(text, at)) at += size;
    if (at > start && isDisguised(text, start, at)) edits.add(start, at, latin(text.slice(start, at)));
  }
  return edits;
}

/** Form of the last text, cached because several detectors need it. */
let folded: { text: string; form: TextForm } | undefined;

/** Folds compatibility forms, digits, look-alikes and dashes to plain characters, and removes invisible characters. */
export function foldedForm(text: string): TextForm {
  if (folded?.text === text) return folded.form;
  const form = (kindsIn(text) & FOLDABLE) === 0 ? identity(text) : foldedOnce(text);
  folded = { text, form };
  return form;
}

function foldedOnce(text: string): TextForm {
  const simple = edited(text, foldingEdits(text));
  const undisguised =
    (kindsIn(simple.text) & LOOK_ALIKE) !== 0
      ? composed(simple, edited(simple.text, undisguisingEdits(simple.text)))
      : simple;
  return (kindsIn(undisguised.text) & DASH_UNIT) !== 0 ? replaced(undisguised, DASH, () => "-") : undisguised;
}

/** Returns the normal form that detectors read: folded characters, and HTML, percent and backslash escapes decoded. */
export function plainForm(text: string): TextForm {
  if ((kindsIn(text) & (FOLDABLE | ESCAPING)) === 0) return identity(text);
  let form = foldedForm(text);
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const decoded = composed(form, unescapedForm(form.text));
    if (decoded === form) break;
    form = composed(decoded, foldedForm(decoded.text));
  }
  return form;
}

const ACCENTED = /[\u00c0-\u052f\u1e00-\u1eff]/g;

/** Removes accents from Latin, Greek and Cyrillic letters. */
export const unaccented = (form: TextForm): TextForm =>
  (kindsIn(form.text) & ACCENT) === 0
    ? form
    : replaced(form, ACCENTED, (letter) => letter.normalize("NFD").replace(/[\u0300-\u036f]/g, ""));
