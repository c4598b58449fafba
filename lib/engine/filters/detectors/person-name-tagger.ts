import {
  COMMON,
  FIRST,
  LAST,
  Shape,
  TITLE,
  canContinue,
  canStart,
  fold,
  tokensOf,
  type Lexicon,
  type Token,
  type Tokens,
} from "./person-name-words";
import type { Detection } from "../detector";

/** Labels of a token: outside, first and later token of a name. */
export const O = 0;
export const B = 1;
export const I = 2;
export const LABELS = 3;

export type Label = typeof O | typeof B | typeof I;

/** A name model. The number of weights per label is a power of two, so that a hash is reduced by a mask. */
export interface Model {
  lexicon: Lexicon;
  notPeople: ReadonlySet<string>;
  /** Weights by feature, then label. */
  weights: ArrayLike<number>;
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
  const { flags, shape } = token;
  // A listed name's spelling would be memorized, so only its prefix and suffix count.
  const own = (flags & (FIRST | LAST)) !== 0 && (flags & COMMON) === 0 ? 0 : token.hash;
  let n = 0;
  const add = (a: number, b = 0) => {
    into[n] = mix(n, a, b) & mask;
    n++;
  };
  add(0);
  add(own);
  add(flags);
  add(flags, shape);
  add(token.suffix, shape);
  add(token.ending, flags);
  add(token.prefix, shape);
  add(left.hash);
  add(right.hash);
  add(left2.hash);
  add(right2.hash);
  add(left.flags, left.shape);
  add(right.flags, right.shape);
  add(left.flags, flags);
  add(right.flags, flags);
  add((left.flags << 12) ^ right.flags, flags);
  add(last, beforeLast);
  add(last, (flags << 4) ^ shape);
  add((last << 4) ^ left.shape, left.hash);
  add((last << 12) ^ flags, right.flags);
  add((left.shape << 8) ^ (shape << 4) ^ right.shape, last);
  add(token.before, token.after);
  add(left.hash, left2.hash);
  add(right.hash, right2.hash);
  add(left.hash, flags);
  add(right.hash, flags);
  add((last << 4) ^ shape, right.hash);
  add((right.shape << 4) ^ right2.shape, (flags << 2) ^ last);
  add((left.shape << 4) ^ left2.shape, flags);
  add((right.flags << 12) ^ right2.flags, (flags << 2) ^ last);
}

/** Returns the label with the highest sum of weights. */
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

/** True when the model classifies a token at all. */
export const isCandidate = (token: Token, last: Label, text: string) =>
  canStart(token) || (last !== O && canContinue(token, text));

/** Titles that are always followed by a name. */
const HONORIFICS = new Set(
  "mr mrs ms mx mister dr prof herr herrn frau señor señora sr sra srta monsieur madame mme mlle signor signora meneer mevrouw senhor senhora".split(
    " ",
  ),
);

/** True when a capitalized word follows such a title and isn't a common word. */
function isAddressed(tokens: Tokens, at: number, text: string): boolean {
  const { shape, flags } = tokens.at(at);
  const left = tokens.at(at - 1);
  const { start, end } = left.shape === Shape.Mark ? tokens.at(at - 2) : left;
  return (
    shape === Shape.Title && (flags & (COMMON | TITLE)) === 0 && HONORIFICS.has(text.slice(start, end).toLowerCase())
  );
}

/** Returns the start of a name including the initials before it, such as J. R. */
function startWithInitials(tokens: Tokens, at: number, from: number): number {
  let first = at;
  while (
    tokens.at(first - 2).shape === Shape.Initial &&
    tokens.at(first - 2).after === DOT &&
    tokens.at(first - 1).after === 0
  )
    first -= 2;
  return Math.max(from, tokens.at(first).start);
}

/** Finds names in one greedy pass from left to right, with constant work per token. */
export function tagNames(text: string, model: Model): Detection[] {
  const tokens = tokensOf(text, model.lexicon);
  const features = newFeatures();
  const found: Detection[] = [];
  let last: Label = O;
  let beforeLast: Label = O;
  for (let at = 0; at < tokens.length; at += 1) {
    if (last === O && !tokens.isCandidate(at)) {
      beforeLast = O;
      continue;
    }
    const token = tokens.at(at);
    let label: Label = O;
    if (isCandidate(token, last, text)) {
      featuresOf(tokens, at, last, beforeLast, model.mask, features);
      label = bestLabel(model, features, last);
      if (label === O && isAddressed(tokens, at, text)) label = B;
    }
    const open = last === O ? undefined : found.at(-1);
    if (label !== O && open) open.end = token.end;
    else if (label !== O) found.push({ start: startWithInitials(tokens, at, found.at(-1)?.end ?? 0), end: token.end });
    beforeLast = last;
    last = label;
  }
  // A single letter is usually an answer, a grade or a column.
  return found.filter(
    ({ start, end }) => end - start > 1 && (end - start > 40 || !model.notPeople.has(fold(text.slice(start, end)))),
  );
}
