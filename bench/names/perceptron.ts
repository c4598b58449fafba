import {
  B,
  I,
  LABELS,
  O,
  bestLabel,
  featuresOf,
  isCandidate,
  newFeatures,
  type Label,
} from "../../lib/engine/filters/detectors/person-name-tagger";
import { OUTSIDE, tokensOf, type Token } from "../../lib/engine/filters/detectors/person-name-tokens";
import { FIRST, LAST, type Lexicon } from "../../lib/engine/filters/detectors/person-name-words";
import type { Random } from "./random";

export interface Example {
  text: string;
  tokens: Token[];
  labels: Label[];
}

/** Converts a text with spans to labelled tokens. */
export function example(text: string, spans: readonly (readonly [number, number])[], lexicon: Lexicon): Example {
  const tokens = tokensOf(text, lexicon);
  const labels = tokens.map(({ start, end }): Label => {
    const span = spans.find(([from, to]) => start >= from && end <= to);
    return span ? (start === span[0] ? B : I) : O;
  });
  return { text, tokens, labels };
}

/** Randomly drops the knowledge that a name is listed: the model must also recognize unlisted names. */
function withoutSomeNames(tokens: readonly Token[], random: Random, share: number): Token[] {
  return tokens.map((token) =>
    (token.flags & (FIRST | LAST)) !== 0 && random.chance(share)
      ? { ...token, flags: token.flags & ~(FIRST | LAST) }
      : token,
  );
}

/**
 * Trains an averaged perceptron (Collins 2002) over hashed features, decoded greedily as in the detector. Returns the
 * mean weights of all steps.
 */
export function train(
  examples: Example[],
  random: Random,
  { bits, epochs, forget }: { bits: number; epochs: number; forget: number },
): Float64Array {
  const size = LABELS << bits;
  const weights = new Float64Array(size);
  const sums = new Float64Array(size);
  const features = newFeatures();
  let step = 1;
  const bump = (place: number, by: number) => {
    weights[place] = (weights[place] ?? 0) + by;
    sums[place] = (sums[place] ?? 0) + by * step;
  };
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { text, tokens: known, labels } of random.shuffle(examples)) {
      const tokens = withoutSomeNames(known, random, forget);
      const around = { at: (at: number) => tokens[at] ?? OUTSIDE };
      let last: Label = O;
      let beforeLast: Label = O;
      for (let at = 0; at < tokens.length; at++) {
        // After a missed start, the next token of the name is the start.
        const truth: Label = labels[at] === I && last === O ? B : (labels[at] ?? O);
        let label: Label = O;
        if (isCandidate(known[at] ?? OUTSIDE, last, text)) {
          featuresOf(around, at, last, beforeLast, (1 << bits) - 1, features);
          label = bestLabel({ weights, caution: 0 }, features, last);
          if (label !== truth) {
            for (const feature of features) {
              const place = feature * LABELS;
              bump(place + truth, 1);
              bump(place + label, -1);
            }
          }
          step++;
        }
        beforeLast = last;
        last = label;
      }
    }
  }
  return weights.map((weight, i) => weight - (sums[i] ?? 0) / step);
}

/** Quantizes the weights to bytes: one in a thousand is clipped at 127, so that small weights keep their resolution. */
export function quantise(weights: Float64Array): Int8Array {
  const sizes = weights.map(Math.abs).sort();
  const largest = sizes[Math.floor(sizes.length * 0.999)] ?? 1;
  return Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round((weight / largest) * 127))));
}
