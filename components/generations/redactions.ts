import type { TextSpan } from "@/components/ui/highlighted-text";
import type { Decision } from "@/lib/engine/decision/contract";
import { BUILTIN_LABELS, ruleName } from "@/lib/engine/filters/vocabulary";

interface Replaced {
  start: number;
  end: number;
  label: string;
  rule: string;
}

const isBuiltin = (rule: string): rule is keyof typeof BUILTIN_LABELS => Object.hasOwn(BUILTIN_LABELS, rule);

/** The label that replaces a match: the built-in filter's label, or the custom rule's own name. */
const labelOf = ({ field, rule }: Decision): string | null =>
  field === "content_filter_builtins" && rule !== null && isBuiltin(rule) ? BUILTIN_LABELS[rule] : rule;

const REPLACING = new Set(["redact", "block"]);

/** Redacted and blocked spans grouped by text, in order, without spans another rule had already replaced. */
function replacements(decisions: readonly Decision[]): Replaced[][] {
  const byText = new Map<string, Replaced[]>();
  for (const decision of decisions) {
    const label = labelOf(decision);
    if (!REPLACING.has(decision.action) || decision.direction === "response" || label === null) continue;
    for (const { path, start, end } of decision.spans) {
      const key = JSON.stringify(path);
      byText.set(key, [...(byText.get(key) ?? []), { start, end, label, rule: ruleName(decision) ?? label }]);
    }
  }
  return [...byText.values()].map((found) => {
    const kept: Replaced[] = [];
    for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end))
      if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
    return kept;
  });
}

/** Label positions after replacement, from the start of the text. */
function labelsAt(replaced: readonly Replaced[]): TextSpan[] {
  let shift = 0;
  return replaced.map(({ start, end, label, rule }) => {
    const at = start + shift;
    shift += label.length - (end - start);
    return { start: at, end: at + label.length, ...(rule !== label && { label: rule }), tone: "warning" };
  });
}

/**
 * Start offset of the part of `text` where all labels are at their expected positions. Parts of a message are joined
 * by line breaks.
 */
function* placesIn(text: string, replaced: readonly Replaced[], spans: readonly TextSpan[]): Generator<number> {
  const [first] = spans;
  const label = replaced[0]?.label;
  if (!first || label === undefined) return;
  for (let at = text.indexOf(label); at !== -1; at = text.indexOf(label, at + 1)) {
    const base = at - first.start;
    const isLineStart = base === 0 || text[base - 1] === "\n";
    if (
      base >= 0 &&
      isLineStart &&
      spans.every(({ start }, index) => text.startsWith(replaced[index]?.label ?? "", base + start))
    )
      yield base;
  }
}

interface Placed {
  text: number;
  base: number;
  replaced: readonly Replaced[];
  spans: readonly TextSpan[];
}

/** Places of the labels in the stored texts, without labels that aren't at the expected positions. */
function placed(decisions: readonly Decision[], texts: readonly string[]): Placed[] {
  const taken = new Set<string>();
  return replacements(decisions).flatMap((replaced) => {
    const spans = labelsAt(replaced);
    const places = texts.flatMap((text, index) =>
      [...placesIn(text, replaced, spans)].map((base) => ({ text: index, base, replaced, spans })),
    );
    const place = places.find(({ text, base }) => !taken.has(`${text}:${base}`));
    if (place) taken.add(`${place.text}:${place.base}`);
    return place ?? [];
  });
}

/** Redacted and blocked spans of each stored text. */
export const redactedSpans = (decisions: readonly Decision[], texts: readonly string[]): TextSpan[][] => {
  const places = placed(decisions, texts);
  return texts.map((_, index) =>
    places
      .filter(({ text }) => text === index)
      .flatMap(({ spans, base }) => spans.map((span) => ({ ...span, start: span.start + base, end: span.end + base }))),
  );
};

/**
 * Blocked spans of each revealed text, found by their labels in the stored one. Further parts of a message have none: their
 * place depends on the lengths of the parts before.
 */
export const revealedSpans = (
  decisions: readonly Decision[],
  stored: readonly string[],
  revealed: readonly string[],
): TextSpan[][] => {
  const places = placed(decisions, stored).filter(({ base }) => base === 0);
  return revealed.map((text, index) =>
    text === stored[index]
      ? []
      : places
          .filter((place) => place.text === index)
          .flatMap(({ replaced }) =>
            replaced
              .filter(({ end }) => end <= text.length)
              .map(({ start, end, rule }) => ({ start, end, label: rule, tone: "warning" as const })),
          ),
  );
};
