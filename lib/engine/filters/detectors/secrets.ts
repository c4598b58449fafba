import type { Detection, Detector } from "../detector";
import { longRuns } from "../long-runs";
import { SECRET_FORMATS } from "./secret-formats";
import { isFollowed, isPreceded, matchesAt, withoutOverlaps } from "./surroundings";

const FORMATS = new Map(
  SECRET_FORMATS.flatMap(([beginnings, rest]) => beginnings.split(" ").map((one) => [one, rest])),
);
const escaped = (literal: string) => literal.replace(/[.$/-]/g, "\\$&");
/** Longer beginnings first: sk-ant- before sk-. */
const BEGINNING = new RegExp(
  `(?<![A-Za-z0-9_])(?:${[...FORMATS.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|")})`,
  "g",
);
/** Maximum number of characters that are read after a beginning. */
const LONGEST = 1300;

/** Placeholders: words such as `example`, masks, repeated characters and sequences. */
const PLACEHOLDER =
  /example|placeholder|changeme|change[-_]me|redacted|insert|replace|dummy|sample|fake|(?:^|[-_])(?:your|my|some|the)(?:[-_]|[a-z]*key|[a-z]*token)|x{4,}|\*{3,}|\.{3}|(.)\1{5}|abcdef(?:gh|$)|12345678|01234567|87654321|<|\$\{|\{\{|%\(|#{4,}/i;

/** Placeholders inside a token with an issuer's format; fewer, because the format is strong evidence. */
const TOKEN_PLACEHOLDER = /example|placeholder|redacted|your[-_]|x{6,}|\*{3,}|\.{3}|(.)\1{7}/i;

/** Returns the Shannon entropy of a text in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Length of the shortest token: `sk_live_` and ten characters. Few words of prose are as long. */
const SHORTEST_TOKEN = 18;
const tokenRuns = longRuns(/[\w+/=.~$,|:-]/, SHORTEST_TOKEN);

/** Returns the tokens in a run that have a recognizable format. */
function tokensIn(text: string, { start, end }: { start: number; end: number }): Detection[] {
  const run = text.slice(start, end);
  return [...withFormat(run), ...jwts(run), ...shaped(run)].map((token) => ({
    ...token,
    start: start + token.start,
    end: start + token.end,
  }));
}

/** Returns the same as `matchAll`, which copies the pattern; the copy takes longer than searching a short text. */
function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) matches.push(match);
  return matches;
}

function withFormat(text: string): Detection[] {
  return matchesOf(BEGINNING, text).flatMap(({ 0: beginning, index: start }) => {
    const from = start + beginning.length;
    const rest = FORMATS.get(beginning)?.exec(text.slice(from, from + LONGEST))?.[0];
    if (rest === undefined) return [];
    const end = from + rest.length;
    const isCut = isFollowed(text, end, /^[A-Za-z0-9_]/, 1);
    return isCut || TOKEN_PLACEHOLDER.test(rest) || entropy(rest) < 2.6 ? [] : [{ start, end, family: "token" }];
  });
}

const PEM_START = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = /-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_LINES = /^(?:[\s"'\\+>|*#/,nr]{0,12}[A-Za-z0-9+/=:. ,-]{1,90}){0,200}/;
/** Maximum number of characters read after the first line of a key: enough for an RSA key of 4,096 bits. */
const MOST_PEM = 3400;
/** Further lines of base64, of a longer key. */
const MORE_LINES = /(?:[\s"'\\+>|*#,nr]{0,12}[A-Za-z0-9+/=]{16,90}(?![A-Za-z0-9+/=])){0,4000}/y;
/** Maximum number of characters between the last line that was read and the end line. */
const LAST_LINE = 106;

/** Finds PEM private keys up to their end line or, without one, up to the end of the base64. */
function privateKeys(text: string): Detection[] {
  const ends = matchesOf(PEM_END, text).map(({ 0: line, index }) => ({ index, end: index + line.length }));
  let next = 0;
  let last = 0;
  return matchesOf(PEM_START, text).flatMap(({ 0: line, index: start }) => {
    if (start < last) return [];
    const from = start + line.length;
    while ((ends[next]?.index ?? Infinity) < from) next += 1;
    const close = ends[next];
    const lines = from + (PEM_LINES.exec(text.slice(from, from + MOST_PEM))?.[0].length ?? 0);
    const open = lines - from < MOST_PEM - LAST_LINE ? lines : afterMore(text, lines);
    const isClosed = close !== undefined && close.index - from <= Math.max(MOST_PEM, open - from + LAST_LINE);
    last = isClosed ? close.end : open;
    const body = text.slice(from, isClosed ? close.index : last).replace(/[^A-Za-z0-9+/]/g, "");
    // A header without a body, or with a masked one, only describes a key.
    return body.length < 24 || /example|placeholder|redacted|yourkey|x{12,}/i.test(body) || entropy(body) < 2
      ? []
      : [{ start, end: last, family: "private_key" }];
  });
}

/** Returns the end of the lines of a long key, the first of which may have been cut. */
function afterMore(text: string, position: number): number {
  const cut = /^[A-Za-z0-9+/=]*/.exec(text.slice(position, position + LAST_LINE))?.[0].length ?? 0;
  MORE_LINES.lastIndex = position + cut;
  return position + cut + (MORE_LINES.exec(text)?.[0].length ?? 0);
}

const LONGEST_JWT = 3_200;

/**
 * Returns the start of a long secret that more text may complete: a private key without its end line, or a JSON Web
 * Token at the end of the text. Infinity if there is none.
 */
export function openSecret(text: string): number {
  const recent = Math.max(0, text.length - MOST_PEM - LAST_LINE);
  const keys = matchesOf(PEM_START, text.slice(recent)).map(({ index }) => recent + index);
  const open = keys.find((start) => text.slice(start).search(PEM_END) < 0) ?? Infinity;
  let run = text.length;
  while (run > 0 && text.length - run < LONGEST_JWT && /[\w.-]/.test(text[run - 1] ?? "")) run -= 1;
  return Math.min(open, /^e[yw]/.test(text.slice(run, run + 2)) ? run : Infinity);
}

const JWT = /(?<![\w.-])e[yw][A-Za-z0-9_-]{15,400}\.e[yw][A-Za-z0-9_-]{12,2000}\.[A-Za-z0-9_-]{16,700}/g;
const jwts = (text: string) =>
  matchesOf(JWT, text).map(({ 0: token, index: start }) => ({ start, end: start + token.length, family: "jwt" }));

const SCHEME_END = "://";
const OF_SCHEME = /[a-z0-9+.-]/i;
const LONGEST_SCHEME = 21;
const CREDENTIAL_URL = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>?#]{0,80}:([^\s@/"'`<>]{4,200})@(?=[A-Za-z0-9[_])/iy;
const WEAK =
  /^(?:(?:my)?pass(?:word|wd)?|pwd|secret|token|user(?:name)?|admin|root|test|guest|changeit|none|null|undefined|postgres|mysql|mongo(?:db)?|redis|(.)\1*)$/i;
const VARIABLE = /^[$%{<[(*]|[})>\]]$|^[A-Z][A-Z_]+$/;

/** Returns the starts of URL schemes; if a scheme is longer than `LONGEST_SCHEME`, no URL matches there. */
function schemeStarts(text: string): number[] {
  const starts: number[] = [];
  for (let colon = text.indexOf(SCHEME_END); colon >= 0; colon = text.indexOf(SCHEME_END, colon + 1)) {
    let start = colon;
    while (start > 0 && colon - start <= LONGEST_SCHEME && OF_SCHEME.test(text[start - 1] ?? "")) start -= 1;
    starts.push(start);
  }
  return starts;
}

const inUrls = (text: string) =>
  Array.from(matchesAt(CREDENTIAL_URL, text, schemeStarts(text))).flatMap(({ 0: url, 1: password = "", index }) => {
    const start = index + url.length - 1 - password.length;
    return WEAK.test(password) || VARIABLE.test(password) || PLACEHOLDER.test(password)
      ? []
      : [{ start, end: start + password.length, family: "password" }];
  });

/** Substrings of words for a secret. Every match of `ASSIGNED` and `BEARER` contains one, so they are tried there. */
const SECRET_WORD = /key|secret|token|pass|passphrase|pwd|cred|auth|bearer|basic |kennwort|contrase|mot de passe/gi;
/** Maximum number of characters before `key` in a word for a secret: `encryption_`. */
const LONGEST_KIND = 11;

/**
 * A value after a word for a secret: `api_key = "…"`, `"client_secret": "…"`, `Authorization: Bearer …`, `<password>…`,
 * `"name": "token", "value": "…"`, `| password | … |`, `--password …`, `ENV API_KEY …`.
 */
const ASSIGNED =
  /(?:api[_ .-]?key|access[_ .-]?key|secret|token|passw(?:or)?d|passwd|pwd|passphrase|pass|credentials?|creds|private[_ .-]?key|account[_ .-]?key|auth(?:orization)?|bearer|encryption[_ .-]?key|signing[_ .-]?key|kennwort|passwort|contraseña|mot de passe|(?<=[_ -])key|apikey)[_.-]?(?:[A-Za-z0-9]{0,16}[_.-][A-Za-z0-9]{0,16}|[A-Za-z0-9]{0,32})(?=[^A-Za-z0-9]|is\b)["'\])]{0,2}\s{0,4}(?::{1,3}=|\?=|=>|==?|:|\bis\b:?|,(?= ?["'])|(?<=["']\s{1,4})value\s?=|(?<=["']\s{0,4}),\s{0,40}["']value["']\s{0,4}:|(?<=\n\s{0,4})\s{0,40}value:|>(?<=<[\w:.-]{1,60}>)|\|(?<=\|[^|\n]{1,60}\|)(?=\s[^|\n]{6,200}\|)|(?<=(?:\s--[\w-]{1,40}|\b(?:env|setx)\s{1,4}\w{1,40})\s{1,4}))\s{0,4}(?:(?:bearer|basic|token|api-token)\s{1,2})?(["'`]?)([^\s"'`,;<>(){}[\]\\|]{6,200})/iy;
const BEARER = /\b(?:bearer|basic) ([A-Za-z0-9+/_.=~-]{16,600})(?![\w.])/iy;
const PASSWORD_WORD = /^(?:pass|pwd|kennwort|passwort|contrase|mot de)/i;
const OTHER_VALUE =
  /^(?:true|false|null|none|undefined|[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/|[a-z]:\\|\$|%|@|&|#|--|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+\(?$|\d{4}-\d\d-\d\d|[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)+@|arn:|sha\d{1,3}|v?\d+(?:\.\d+)+$|[a-z]+(?:[_-][a-z]+)*$|[A-Z]+(?:[_-][A-Z]+)*$|[a-z]+(?:[A-Z][a-z]+)*\d?$|[A-Z][a-z]+(?:[A-Z][a-z]+)*\d?$)/;
const OTHER_KEY =
  /(?:public|primary|foreign|recv|send|default|trusted|sort|partition|hot|cache|route|query|lookup|sequence|schema|bucket|natural|idx|csrf|next|page|continuation|cursor|sync|max|min|num|total|count|completion|prompt|input|output|cached|reasoning)[_ .-]{0,2}$/i;
const OTHER_SUFFIX =
  /(?:id|ids|name|names|length|size|count|type|url|uri|endpoint|file|path|version|expir\w*|ttl|limit|usage|alias|frame|board|code|(?<!pass)word|store|ring|vault|chain|spec|hash|fingerprint|policy|field|label|hint|reset|manager|provider|service|class|scheme|method|status|arn|ref|index|per|at|prefix|pattern|fail|failed|failure|error|result|rate)["'\])]{0,2}\s{0,4}(?::=|=>|==?|:|,|>|\||\s*value:|$)/i;

/** Letters and digits directly after a word for a secret: `token2`, `secretKey`, `authtoken`, `tokens`. */
const REST_OF_WORD = /^[A-Za-z0-9]*/;
const COMPOUND = /^s?(?:key|token|secret|password|pass|hash|value|val|string|str|data|text|header|s)?\d*$/i;
const BASE_WORDS =
  /^(?:(?:[a-z]{3,11}[_ .-]?)?key|secret|token|passw(?:or)?d|passwd|pwd|passphrase|pass|credentials?|creds|auth(?:orization)?|bearer|kennwort|passwort|contraseña|mot de passe)/i;

/**
 * True when a word for a secret is a whole word, alone or in a name such as `dbPass` and `API_TOKEN2`; false in
 * `tokenizer` and `secretary`.
 */
function isWholeWord(text: string, index: number): boolean {
  const word = BASE_WORDS.exec(text.slice(index, index + 40))?.[0] ?? "";
  const rest = REST_OF_WORD.exec(text.slice(index + word.length, index + word.length + 40))?.[0] ?? "";
  const isEnd = COMPOUND.test(rest) || (/[a-z]$/.test(word) && /^[A-Z]/.test(rest));
  // `pass` and `auth` are also the ends of other words, such as `bypass`.
  return (
    isEnd &&
    (!/^(?:pass|auth)$/i.test(word) || !isPreceded(text, index, word.startsWith("P") ? /[A-Z]$/ : /[A-Za-z]$/, 1))
  );
}

/** A name of a model, an encoding or an error: words with numbers between them. */
const IDENTIFIER = /^[a-z]+\d{0,4}[a-z]{0,2}(?:[_.-](?:[a-z]{2,}\d{0,2}|v?\d{1,8}[a-z]{0,2}))+$/;
/** Paths of files, which test results have after "pass". */
const PATH = /^[\w.@-]+(?:\/[\w.@-]+)+$/;

/** True for a random value or a password. Passwords need two kinds of characters; keys need length and entropy. */
function isSecretValue(word: string, value: string): boolean {
  if (PLACEHOLDER.test(value) || OTHER_VALUE.test(value) || VARIABLE.test(value) || WEAK.test(value)) return false;
  const hasDigit = /\d/.test(value);
  if (!hasDigit && !/[^\w.-]/.test(value)) return false;
  if (PASSWORD_WORD.test(word)) {
    if (/^pass(?![a-z])/i.test(word) && (!hasDigit || PATH.test(value))) return false;
    return /[A-Za-z]/.test(value) && entropy(value) >= 2.25;
  }
  if (IDENTIFIER.test(value)) return false;
  return value.length >= 10 && hasDigit && /[A-Za-z]/.test(value) && entropy(value) >= (value.length < 20 ? 3.1 : 3.25);
}

/** Returns the first match of a sticky pattern that begins in a range. */
function matchWithin(pattern: RegExp, text: string, from: number, to: number): RegExpExecArray | null {
  for (let start = from; start <= to; start += 1) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
}

function assigned(text: string): Detection[] {
  const detections: Detection[] = [];
  const ends = { assignment: 0, bearer: 0 };
  for (const { 0: word, index } of matchesOf(SECRET_WORD, text)) {
    const before = /^key$/i.test(word) ? LONGEST_KIND : 0;
    const assignment = matchWithin(ASSIGNED, text, Math.max(ends.assignment, index - before), index);
    if (assignment) {
      ends.assignment = assignment.index + assignment[0].length;
      detections.push(...assignedValue(text, assignment));
    }
    if (index < ends.bearer || !/^b/i.test(word)) continue;
    const bearer = matchWithin(BEARER, text, index, index);
    if (bearer) {
      ends.bearer = index + bearer[0].length;
      detections.push(...bearerValue(bearer));
    }
  }
  return detections;
}

function assignedValue(text: string, { 0: whole, 2: raw = "", index }: RegExpExecArray): Detection[] {
  const value = raw.replace(/[.,:!?]+$/, "");
  const start = index + whole.length - raw.length;
  const head = whole.slice(0, whole.length - raw.length);
  if (!isWholeWord(text, index) || OTHER_SUFFIX.test(head) || isPreceded(text, index, OTHER_KEY, 16)) return [];
  return isSecretValue(whole, value) && !isFollowed(text, start + raw.length, /^\(/, 1)
    ? [{ start, end: start + value.length, family: "assignment" }]
    : [];
}

function bearerValue({ 0: whole, 1: value = "", index }: RegExpExecArray): Detection[] {
  const start = index + whole.length - value.length;
  return /\d/.test(value) && !PLACEHOLDER.test(value) && entropy(value) >= 3.25
    ? [{ start, end: start + value.length, family: "bearer" }]
    : [];
}

/** Passwords in SQL: CREATE USER kim IDENTIFIED BY '…', ALTER ROLE kim PASSWORD '…'. */
const SQL_PASSWORD = /\b(?:identified (?:with \S{1,40} )?by(?: password)?|password)\s{1,4}(["'])([^\s"']{6,100})\1/gi;
const inSql = (text: string) =>
  /identified|password/i.test(text)
    ? matchesOf(SQL_PASSWORD, text).flatMap(({ 0: whole, 2: password = "", index }) => {
        const start = index + whole.length - 1 - password.length;
        return isSecretValue("password", password) ? [{ start, end: start + password.length, family: "password" }] : [];
      })
    : [];

const CURL_USER = /\bcurl\b[^|;]{0,300}?\s(?:-u|--user)[ =]{0,3}["']?[^\s"':]{0,64}["']?:["']?([^\s"']{4,100})/g;
const curlUsers = (text: string) =>
  matchesOf(CURL_USER, text).flatMap(({ 0: whole, 1: password = "", index }) => {
    const start = index + whole.length - password.length;
    return WEAK.test(password) || VARIABLE.test(password) || PLACEHOLDER.test(password)
      ? []
      : [{ start, end: start + password.length, family: "password" }];
  });

/**
 * Formats without a fixed beginning: tokens of Facebook apps, Telegram and Discord bots, Azure client secrets, and keys
 * of Mailchimp and Terraform.
 */
const SHAPED =
  /(?<![\w.-])(?:\d{15,16}\|[\w-]{27,40}|\d{8,10}:A[A-Za-z0-9_-]{34}|[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}|[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}|[a-f0-9]{32}-us\d{1,2}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70})(?![\w-])/g;
const shaped = (text: string) =>
  matchesOf(SHAPED, text).flatMap(({ 0: token, index: start }) =>
    TOKEN_PLACEHOLDER.test(token) || entropy(token) < 3 ? [] : [{ start, end: start + token.length, family: "token" }],
  );

/**
 * Detects credentials: keys and tokens in the format of their issuer, private keys, JSON Web Tokens, passwords in URLs,
 * SQL and curl commands, and random values assigned to a word for a secret.
 */
export const detectSecrets: Detector = (text) =>
  withoutOverlaps([
    ...privateKeys(text),
    ...tokenRuns(text).flatMap((run) => tokensIn(text, run)),
    ...inUrls(text),
    ...assigned(text),
    ...inSql(text),
    ...curlUsers(text),
  ]);
