import { candidatesOf } from "./person-name-candidates";
import { canContinue, canStart, OUTSIDE, Tokens, type Token } from "./person-name-tokens";
import { COMMON, FIRST, fold, LAST, Shape, TITLE, type Lexicon, type Word } from "./person-name-words";
import type { Detection } from "../detector";

/** Labels of a token: outside a name, first token of a name, and later token of a name. */
export const O = 0;
export const B = 1;
export const I = 2;
export const LABELS = 3;

export type Label = typeof O | typeof B | typeof I;

/** A model of names. The number of features is a power of two, so that a mask reduces a hash to an index. */
export interface Model {
  lexicon: Lexicon;
  notPeople: ReadonlySet<string>;
  /** Weights by feature, then label. */
  weights: ArrayLike<number>;
  /** Weight of the label `B` less that of `O`, by feature. */
  margins: Int16Array;
  mask: number;
  /** Bias towards "no name" where a name could start; trades recall for precision. */
  caution: number;
}

const FEATURES = 30;
const DOT = 46;

/** Allocates a buffer for the features of one token. */
export const newFeatures = () => new Int32Array(FEATURES);

const mix = (kind: number, a: number, b = 0) => {
  let hash = Math.imul(a ^ Math.imul(kind + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13)) + b, 0xc2b2ae35);
  return hash ^ (hash >>> 15);
};

/** Returns the hash of a word, but 0 for a listed name: the model would memorize its spelling. */
const spellingOf = (flags: number, hash: number) =>
  (flags & (FIRST | LAST)) !== 0 && (flags & COMMON) === 0 ? 0 : hash;

/** Fills `into` with the weight indexes of a token; `last` and `beforeLast` are the labels to its left. */
export function featuresOf(
  tokens: Pick<Tokens, "at">,
  at: number,
  last: Label,
  beforeLast: Label,
  mask: number,
  into: Int32Array,
): void {
  const token = tokens.at(at);
  const left = tokens.at(at - 1);
  const left2 = tokens.at(at - 2);
  const right = tokens.at(at + 1);
  const right2 = tokens.at(at + 2);
  const { flags } = token;
  const { shape, suffix, ending, prefix } = token.word;
  const [leftWord, rightWord] = [left.word, right.word];
  const own = spellingOf(flags, token.word.hash);
  into[0] = mix(0, 0) & mask;
  into[1] = mix(1, own) & mask;
  into[2] = mix(2, flags) & mask;
  into[3] = mix(3, flags, shape) & mask;
  into[4] = mix(4, suffix, shape) & mask;
  into[5] = mix(5, ending, flags) & mask;
  into[6] = mix(6, prefix, shape) & mask;
  into[7] = mix(7, leftWord.hash) & mask;
  into[8] = mix(8, rightWord.hash) & mask;
  into[9] = mix(9, left2.word.hash) & mask;
  into[10] = mix(10, right2.word.hash) & mask;
  into[11] = mix(11, left.flags, leftWord.shape) & mask;
  into[12] = mix(12, right.flags, rightWord.shape) & mask;
  into[13] = mix(13, left.flags, flags) & mask;
  into[14] = mix(14, right.flags, flags) & mask;
  into[15] = mix(15, (left.flags << 12) ^ right.flags, flags) & mask;
  into[16] = mix(16, last, beforeLast) & mask;
  into[17] = mix(17, last, (flags << 4) ^ shape) & mask;
  into[18] = mix(18, (last << 4) ^ leftWord.shape, leftWord.hash) & mask;
  into[19] = mix(19, (last << 12) ^ flags, right.flags) & mask;
  into[20] = mix(20, (leftWord.shape << 8) ^ (shape << 4) ^ rightWord.shape, last) & mask;
  into[21] = mix(21, token.before, token.after) & mask;
  into[22] = mix(22, leftWord.hash, left2.word.hash) & mask;
  into[23] = mix(23, rightWord.hash, right2.word.hash) & mask;
  into[24] = mix(24, leftWord.hash, flags) & mask;
  into[25] = mix(25, rightWord.hash, flags) & mask;
  into[26] = mix(26, (last << 4) ^ shape, rightWord.hash) & mask;
  into[27] = mix(27, (rightWord.shape << 4) ^ right2.word.shape, (flags << 2) ^ last) & mask;
  into[28] = mix(28, (leftWord.shape << 4) ^ left2.word.shape, flags) & mask;
  into[29] = mix(29, (right.flags << 12) ^ right2.flags, (flags << 2) ^ last) & mask;
}

/** Returns the label with the highest sum of weights; `I` only within a name. */
export function bestLabel(model: Pick<Model, "weights" | "caution">, features: Int32Array, last: Label): Label {
  let outside = last === O ? model.caution : 0;
  let begin = 0;
  let inside = 0;
  for (let i = 0; i < FEATURES; i++) {
    const place = (features[i] ?? 0) * LABELS;
    outside += model.weights[place] ?? 0;
    begin += model.weights[place + B] ?? 0;
    inside += model.weights[place + I] ?? 0;
  }
  if (last !== O && inside > outside && inside >= begin) return I;
  return begin > outside ? B : O;
}

/** Computes the sums of margins for the features of `featuresOf` that depend on one word, if the last label is `O`. */
function summed(word: Word, { margins, mask }: Model): void {
  const { flags, shape, hash } = word;
  const sumOf = (...hashes: number[]) => hashes.reduce((sum, each) => sum + (margins[each & mask] as number), 0);
  word.own = sumOf(
    mix(0, 0),
    mix(1, spellingOf(flags, hash)),
    mix(2, flags),
    mix(3, flags, shape),
    mix(4, word.suffix, shape),
    mix(5, word.ending, flags),
    mix(6, word.prefix, shape),
    mix(17, O, (flags << 4) ^ shape),
  );
  word.left = sumOf(mix(7, hash), mix(11, flags, shape), mix(18, (O << 4) ^ shape, hash));
  word.right = sumOf(mix(8, hash), mix(12, flags, shape));
  word.left2 = sumOf(mix(9, hash));
  word.right2 = sumOf(mix(10, hash));
  word.summed = margins;
}

/** True when a token after the label `O` starts a name. Decides like `bestLabel`, with precomputed sums. */
export function isBegin(tokens: Pick<Tokens, "at">, at: number, beforeLast: Label, model: Model): boolean {
  const { margins, mask } = model;
  const token = tokens.at(at);
  const left = tokens.at(at - 1);
  const { word: left2Word } = tokens.at(at - 2);
  const right = tokens.at(at + 1);
  const right2 = tokens.at(at + 2);
  const { word, flags } = token;
  const { shape } = word;
  const { word: leftWord, flags: leftFlags } = left;
  const { hash: leftHash, shape: leftShape } = leftWord;
  const { word: rightWord, flags: rightFlags } = right;
  const { hash: rightHash, shape: rightShape } = rightWord;
  const right2Word = right2.word;
  const at2 = (hash: number) => margins[hash & mask] as number;
  if (word.summed !== margins) summed(word, model);
  if (leftWord.summed !== margins) summed(leftWord, model);
  if (rightWord.summed !== margins) summed(rightWord, model);
  if (left2Word.summed !== margins) summed(left2Word, model);
  if (right2Word.summed !== margins) summed(right2Word, model);
  let sum = word.own + leftWord.left + rightWord.right + left2Word.left2 + right2Word.right2;
  // The sums were computed with the flags of the word; those of the token may include `CODE`.
  if (leftFlags !== leftWord.flags) sum += at2(mix(11, leftFlags, leftShape)) - at2(mix(11, leftWord.flags, leftShape));
  if (rightFlags !== rightWord.flags)
    sum += at2(mix(12, rightFlags, rightShape)) - at2(mix(12, rightWord.flags, rightShape));
  sum +=
    at2(mix(13, leftFlags, flags)) +
    at2(mix(14, rightFlags, flags)) +
    at2(mix(15, (leftFlags << 12) ^ rightFlags, flags)) +
    at2(mix(16, O, beforeLast)) +
    at2(mix(19, (O << 12) ^ flags, rightFlags)) +
    at2(mix(20, (leftShape << 8) ^ (shape << 4) ^ rightShape, O)) +
    at2(mix(21, token.before, token.after)) +
    at2(mix(22, leftHash, left2Word.hash)) +
    at2(mix(23, rightHash, right2Word.hash)) +
    at2(mix(24, leftHash, flags)) +
    at2(mix(25, rightHash, flags)) +
    at2(mix(26, (O << 4) ^ shape, rightHash)) +
    at2(mix(27, (rightShape << 4) ^ right2Word.shape, (flags << 2) ^ O)) +
    at2(mix(28, (leftShape << 4) ^ left2Word.shape, flags)) +
    at2(mix(29, (rightFlags << 12) ^ right2.flags, (flags << 2) ^ O));
  return sum > model.caution;
}

/** True when the model classifies a token at all. */
export const isCandidate = (token: Token, last: Label, text: string) =>
  canStart(token) || (last !== O && canContinue(token, text));

/** Titles that are always followed by a name. */
const HONORIFICS = new Set(
  "mr mrs ms mx mister dr prof herr herrn frau señor señora sr sra srta monsieur madame mme mlle signor signora meneer mevrouw senhor senhora".split(
    " ",
  ),
);

/** True when a capitalized word that isn't a common word follows such a title. */
function isAddressed(tokens: Pick<Tokens, "at">, at: number, text: string): boolean {
  const { word, flags } = tokens.at(at);
  const left = tokens.at(at - 1);
  const { start, end } = left.word.shape === Shape.Mark ? tokens.at(at - 2) : left;
  return (
    word.shape === Shape.Title &&
    (flags & (COMMON | TITLE)) === 0 &&
    HONORIFICS.has(text.slice(start, end).toLowerCase())
  );
}

/** Returns the start of a name including the initials before it, such as J. R. */
function startWithInitials(tokens: Pick<Tokens, "at">, at: number, from: number): number {
  let first = at;
  while (
    tokens.at(first - 2).word.shape === Shape.Initial &&
    tokens.at(first - 2).after === DOT &&
    tokens.at(first - 1).after === 0
  )
    first -= 2;
  return Math.max(from, tokens.at(first).start);
}

/** Distance to the next candidate, in UTF-16 code units, below which the tokens in between are read, too. */
const NEAR = 4;

const features = newFeatures();

/** Finds names in one greedy pass from left to right, with constant work per candidate. */
export function tagNames(text: string, model: Model): Detection[] {
  const found: Detection[] = [];
  let last: Label = O;
  let beforeLast: Label = O;
  const tokens = new Tokens(text, model.lexicon);
  let at = 0;
  let past = 0;
  for (const start of candidatesOf(text, model.lexicon)) {
    if (start < past) continue;
    if (past > 0 && start - tokens.end < NEAR) while (tokens.at(at).start < start) at += 1;
    else {
      tokens.moveTo(start);
      at = 0;
    }
    // A name may continue, and the last two labels are features of the next token.
    do {
      const token = tokens.at(at);
      if (token === OUTSIDE) break;
      let label: Label = O;
      if (isCandidate(token, last, text)) {
        if (last === O) label = isBegin(tokens, at, beforeLast, model) ? B : O;
        else {
          featuresOf(tokens, at, last, beforeLast, model.mask, features);
          label = bestLabel(model, features, last);
        }
        if (label === O && isAddressed(tokens, at, text)) label = B;
      }
      const open = last === O ? undefined : found.at(-1);
      if (label !== O && open) open.end = token.end;
      else if (label !== O)
        found.push({ start: startWithInitials(tokens, at, found.at(-1)?.end ?? 0), end: token.end });
      beforeLast = last;
      last = label;
      past = token.end;
      at += 1;
    } while (last !== O || beforeLast !== O);
  }
  // A single letter is usually an answer, a grade or a column.
  return found.filter(
    ({ start, end }) => end - start > 1 && (end - start > 40 || !model.notPeople.has(fold(text.slice(start, end)))),
  );
}
