import { isJsonObject, jsonIn } from "../../platform/json-values";
import { fragmentsOf } from "./fragments";
import { redact, type LabelledSpan } from "./redact";
import { meeting, REACH } from "./readings/joins";

/** Two texts; the second may continue a value that the first begins. */
export type TextPair = readonly [left: string, right: string];

/** The end of a text and the beginning of another one, joined. */
export interface JoinedPair {
  text: string;
  /** Returns the part of a match in each text; null for a match that lies within one. */
  partsOf: (match: { start: number; end: number }) => [left: TextPart, right: TextPart] | null;
}

interface TextPart {
  text: string;
  start: number;
  end: number;
}

/** Joins a pair twice: with nothing and with a space between the texts. */
export const joinedPair = ([left, right]: TextPair): JoinedPair[] =>
  ["", " "].map((separator) => {
    const from = Math.max(0, left.length - REACH);
    const middle = left.length - from;
    const second = middle + separator.length;
    return {
      text: left.slice(from) + separator + right.slice(0, REACH),
      partsOf: ({ start, end }) =>
        start < middle && end > second
          ? [
              { text: left, start: start + from, end: left.length },
              { text: right, start: 0, end: end - second },
            ]
          : null,
    };
  });

/** Maximum number of texts that are all paired with each other; of more texts, only neighbours are paired. */
const MOST_PAIRED = 12;

/** Returns the pairs in which texts without a fixed order may continue each other. */
export function pairsOf(texts: readonly string[]): TextPair[] {
  const different = [...new Set(texts)].filter((text) => text !== "");
  return different.flatMap((left, index) =>
    different.flatMap((right, other): TextPair[] =>
      index !== other && (different.length <= MOST_PAIRED || other === index + 1) ? [[left, right]] : [],
    ),
  );
}

/** Returns the texts, property names and numbers of a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]) : [];
}

/** Returns the texts of an upstream's error, and those in its body if it is JSON. */
export const textsOfError = (error: object): string[] =>
  Object.entries(error).flatMap(([name, value]: [string, unknown]) =>
    textsIn(name === "raw" && typeof value === "string" ? jsonIn(value) : value),
  );

type Spans = ReadonlyMap<string, readonly LabelledSpan[]>;

const without = (text: string, spans: Spans): string => redact(text, spans.get(text) ?? []);

/** Returns an upstream's error with spans redacted, and without its body if the body contains one of their texts. */
export function errorWithout<T extends object>(error: T, spans: Spans): T {
  const entries = Object.entries(error).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") return [name, value];
    const isIn = name === "raw" && textsIn(jsonIn(value)).some((text) => spans.has(text));
    return [name, isIn ? null : without(value, spans)];
  });
  return Object.fromEntries(entries) as T;
}

/** Maximum number of values of a tool call that are joined with the text before it. */
const MOST_VALUES = 32;

/** Returns the pairs of a text and a value of the tool call after it that may contain a split value. */
export const pairsBeforeCall = (text: string, call: string): TextPair[] =>
  fragmentsOf("json", call)
    .slice(0, MOST_VALUES)
    .flatMap(({ text: value }): TextPair[] => (meeting(text, value) === "value" ? [[text, value]] : []));

/** Returns the arguments of a tool call with spans of their values redacted. */
export const callWithout = (call: string, spans: Spans): string =>
  redact(
    call,
    fragmentsOf("json", call)
      .filter(({ text }) => spans.has(text))
      .map(({ start, end, text, encode }) => ({ start, end, label: encode(without(text, spans)), action: "redact" })),
  );
