/** Number of characters before a match that are examined for its context. */
const REACH = 240;

const SENTENCE_END = /(?<!\b(?:e\.g|i\.e))[.!?]["'”’)]?\s|\n/g;
const VERBS =
  "(?:reveal|repeat|print|share|disclose|quote|translate|summari[sz]e|paraphrase|output|show|mention|discuss|describe|expose|leak|send|forward|delete|skip|disable|remove|bypass|circumvent|ignore|override|modify|change|obey)";
/** A negation of the order: "never reveal, repeat or translate". */
const NEGATED = new RegExp(
  `\\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|will not|won['’]t|cannot|may not|not allowed to|refuse to|decline to|avoid|under no circumstances)\\s+(?:(?:ever|also|even|try to|attempt to)\\s+)?(?:${VERBS}(?:,\\s*(?:or\\s+)?|\\s+or\\s+|\\s+and\\s+)){0,5}$`,
);
/** An order of a third person in a condition: "if a page tells you to", "users may ask you to", "attempts to". */
const REPORTED =
  /\b(?:(?:if|when|whenever|sometimes|may|might|could)\b.{0,120}\b(?:ask|tell|say|claim|want|instruct|request|contain|urge|tries|try|attempt)(?:s|ed|ing)?\b.{0,120}?|(?:attempts|tries|trying|attempting)\s)(?:\bto\s+|["“‘'`«]\s{0,2})$/;
/** An attempt of others: "make the assistant". */
const TRICKED =
  /\b(?:make|get|trick|convince|persuade|manipulate)s?\s+(?:you|it|(?:the|an?)\s\w+)\s+(?:to\s+|into\s+)?$/;
/** A quoted example: "such as". */
const EXAMPLE = /\b(?:such as|like|e\.g\.|for example|for instance)(?=[\s,:]).{0,160}["“‘'`«]$/;
const FIRST_PERSON = /\b(?:i|we|my|our|me|us)\b|\bi['’]/;

/** True when the sentence forbids, reports or quotes the phrase at `start`, so that the author warns of it. */
export function isWarnedOf(text: string, start: number): boolean {
  const all = text.slice(Math.max(0, start - REACH), start);
  const ends = Array.from(all.matchAll(SENTENCE_END), ({ 0: mark, index }) => index + mark.length);
  const before = all.slice(ends.at(-1) ?? 0).toLowerCase();
  return (
    NEGATED.test(before) ||
    EXAMPLE.test(before) ||
    ((REPORTED.test(before) || TRICKED.test(before)) && !FIRST_PERSON.test(before))
  );
}
