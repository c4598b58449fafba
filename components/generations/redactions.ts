import type { TextSpan } from "@/components/ui/highlighted-text";
import type { Decision } from "@/lib/generations/contract";
import { BUILTIN_LABELS } from "@/lib/guardrails/vocabulary";

interface Replaced {
  start: number;
  end: number;
  label: string;
  rule: string;
}

const isBuiltin = (rule: string): rule is keyof typeof BUILTIN_LABELS => Object.hasOwn(BUILTIN_LABELS, rule);

/** What stands in place of what a rule found: a builtin's own label, else the rule's name is its label. */
const labelOf = ({ field, rule }: Decision): string | null =>
  field === "content_filter_builtins" && rule !== null && isBuiltin(rule) ? BUILTIN_LABELS[rule] : rule;

/** What was replaced, by the text that it stood in; in order, without what another rule had replaced already. */
function replacements(decisions: readonly Decision[]): Replaced[][] {
  const byText = new Map<string, Replaced[]>();
  for (const decision of decisions) {
    const label = labelOf(decision);
    if (decision.action !== "redact" || label === null) continue;
    for (const { path, start, end } of decision.spans) {
      const key = JSON.stringify(path);
      byText.set(key, [...(byText.get(key) ?? []), { start, end, label, rule: decision.rule ?? label }]);
    }
  }
  return [...byText.values()].map((found) => {
    const kept: Replaced[] = [];
    for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end))
      if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
    return kept;
  });
}

/** Where the labels stand after the replacement, counted from the beginning of the text. */
function labelsAt(replaced: readonly Replaced[]): TextSpan[] {
  let shift = 0;
  return replaced.map(({ start, end, label, rule }) => {
    const at = start + shift;
    shift += label.length - (end - start);
    return { start: at, end: at + label.length, label: rule, tone: "warning" };
  });
}

/** Where in `text` a part begins in which every label stands where it must; a message of several parts shows them line by line. */
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

/** The redacted spans of each stored text. One whose labels don't stand where they must gets none: nothing is guessed. */
export function redactedSpans(decisions: readonly Decision[], texts: readonly string[]): TextSpan[][] {
  const found: TextSpan[][] = texts.map(() => []);
  const taken = new Set<string>();
  for (const replaced of replacements(decisions)) {
    const spans = labelsAt(replaced);
    const places = texts.flatMap((text, index) =>
      [...placesIn(text, replaced, spans)].map((base) => ({ index, base })),
    );
    const place = places.find(({ index, base }) => !taken.has(`${index}:${base}`));
    if (!place) continue;
    taken.add(`${place.index}:${place.base}`);
    found[place.index]?.push(
      ...spans.map((span) => ({ ...span, start: span.start + place.base, end: span.end + place.base })),
    );
  }
  return found;
}
