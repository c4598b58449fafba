import "server-only";
import { ResponseBlocked } from "../../engine/filters/response-blocked";
import { responseTexts, withoutLogprobs, type ResponseText } from "../../engine/filters/response-texts";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { answerVocabulary } from "../../engine/filters/coverage";
import { contentBlock, withoutNames, type FilterFinding } from "../../engine/filters/findings";
import type { LeafForm } from "../../engine/filters/leaves";
import type { LeafPath } from "../../engine/filters/places";
import type { LabelledSpan } from "../../engine/filters/redact";
import { MAX_SPANS, type ScanResult, type ScanRule } from "../../engine/filters/scan";
import { PROSE } from "../../engine/filters/search";
import type { Slice, WindowMatch } from "../../engine/filters/stream-window";
import { joinedPair, type TextPair } from "../../engine/filters/text-pairs";
import { CopyOnWrite } from "../../engine/filters/write-back";
import type { Exception } from "../../engine/policy/exception";
import { runScan, type ScanLimits } from "./scan-service";

export interface ResponseMatch extends WindowMatch {
  rule: number;
  phrase: number | null;
  families: readonly string[];
}

/** A text and its redacted form. */
interface ReleasedText {
  received: string;
  released: string;
  form: LeafForm;
}

type PlaceOf = (path: LeafPath) => LeafPath;

interface ResponseScanSettings {
  rules: readonly FilterRule[];
  phrases: readonly Exception[];
  limits: ScanLimits;
}

/** Scans the texts of one response, and records their matches. */
export class ResponseScan {
  readonly rules: readonly ScanRule[];
  /** Exact texts in which matches don't count. */
  readonly allowed: readonly string[];
  readonly #found = new Map<number, FilterFinding>();
  /** Texts scanned so far with their redacted form: a Responses stream repeats each text several times. */
  readonly #scanned = new Map<string, string>();

  constructor(private readonly settings: ResponseScanSettings) {
    this.rules = settings.rules.map(({ detector, action, label, lifted }) => ({
      detector,
      action: lifted ? ("flag" as const) : action,
      label,
      scanScope: "all_messages",
    }));
    this.allowed = settings.phrases.map(({ phrase }) => phrase ?? "");
  }

  get findings(): FilterFinding[] {
    const findings = [...this.#found.entries()].toSorted(([a], [b]) => a - b).map(([, finding]) => finding);
    return withoutNames(findings, answerVocabulary());
  }

  /** Remembers a text's redacted form. If equal texts have two forms, the redacted one is kept. */
  remember({ received, released, form }: ReleasedText): void {
    const key = memoKey({ text: received, form, isFixed: false });
    if (released !== received || !this.#scanned.has(key)) this.#scanned.set(key, released);
  }

  /** Finds the matches in a part of a text. */
  async matches({ text, offset }: Slice): Promise<ResponseMatch[]> {
    const { findings } = await this.#scan([{ text, form: "text", isFixed: false }], Infinity);
    return findings.flatMap(({ rule, phrase, spans, families }) => {
      const scanRule = this.rules[rule];
      const replacement = scanRule && scanRule.action !== "flag" && phrase === null ? scanRule : null;
      return spans.map(({ start, end }) => ({
        rule,
        phrase,
        families,
        start: start + offset,
        end: end + offset,
        replacement,
      }));
    });
  }

  /**
   * Returns a complete value without log probabilities and with its matches replaced.
   * @param at The value's place in the response, or a function that returns the place of a path in the value.
   */
  async clean<T>(given: T, at: LeafPath | PlaceOf, form: LeafForm | null = null): Promise<T> {
    const value = withoutLogprobs(given);
    const texts: ResponseText[] =
      typeof value === "string" && form
        ? [{ path: [], text: value, form, isFixed: false }]
        : [...responseTexts(value, [], typeof at === "function" ? "" : String(at.at(-1) ?? ""))];
    const unknown = [...new Map(texts.map((text) => [memoKey(text), text])).entries()].filter(
      ([key]) => !this.#scanned.has(key),
    );
    if (unknown.length > 0) {
      const { findings, redacted } = await this.#scan(
        unknown.map(([, text]) => text),
        MAX_SPANS,
      );
      for (const { rule, phrase, spans, families } of findings)
        for (const { leaf, start, end } of spans) {
          const { path = [] } = unknown[leaf]?.[1] ?? {};
          this.report(typeof at === "function" ? at(path) : [...at, ...path], [
            { rule, phrase, families, start, end, replacement: null },
          ]);
        }
      // A text that blocks isn't remembered, so that it blocks again.
      for (const [key, { text }] of unknown) this.#scanned.set(key, text);
      for (const { leaf, text } of redacted) this.#scanned.set(unknown[leaf]?.[0] ?? "", text);
    }
    const copy = new CopyOnWrite<{ value: T }>({ value });
    // A renamed property comes after the values below it: their paths contain its old name.
    for (const text of texts.toReversed()) {
      const redacted = this.#scanned.get(memoKey(text)) ?? text.text;
      if (redacted === text.text) continue;
      if (text.form === "name") copy.rename(["value", ...text.path], redacted);
      else copy.write(["value", ...text.path], redacted);
    }
    return copy.value.value;
  }

  /**
   * Finds values that are split between the texts of a pair. Returns the matching parts by text. A value that is
   * complete in one text doesn't continue in the next.
   */
  async split(pairs: readonly TextPair[], at: LeafPath): Promise<ReadonlyMap<string, readonly LabelledSpan[]>> {
    const texts = [...new Set(pairs.flat())];
    const joins = pairs.flatMap(joinedPair);
    const { findings } = await this.#scan(
      [...texts, ...joins.map(({ text }) => text)].map((text) => ({ text, form: "text", isFixed: false })),
      Infinity,
    );
    const found = new Map<string, LabelledSpan[]>();
    for (const { rule, phrase, spans, families } of findings) {
      const scanRule = this.rules[rule];
      if (!scanRule || isProse(scanRule)) continue;
      const whole = spans.flatMap(({ leaf, start, end }) => {
        const text = texts[leaf];
        return text === undefined ? [] : [{ text, start, end }];
      });
      for (const span of spans) {
        const parts = joins[span.leaf - texts.length]?.partsOf(span);
        const isContinued = parts?.every((part) =>
          whole.every(({ text, start, end }) => text !== part.text || start >= part.end || end <= part.start),
        );
        if (!parts || !isContinued) continue;
        for (const { text, start, end } of parts) {
          this.report(at, [{ rule, phrase, families, start, end, replacement: null }]);
          if (scanRule.action !== "flag" && phrase === null)
            found.set(text, [...(found.get(text) ?? []), { ...scanRule, start, end }]);
        }
      }
    }
    return found;
  }

  async #scan(texts: readonly Omit<ResponseText, "path">[], mostSpans: number) {
    if (this.rules.length === 0) return NOTHING_FOUND;
    const { limits } = this.settings;
    const { result } = await runScan(
      {
        rules: this.rules,
        leaves: texts.map((text) => ({ ...text, isUser: false })),
        phrases: this.allowed,
        mostSpans,
      },
      limits.timeoutMs,
      { ...limits, isAdmitted: true },
    );
    return result;
  }

  /** Records matches; throws if one blocks. */
  report(path: LeafPath, matches: readonly ResponseMatch[]): void {
    const { rules, phrases } = this.settings;
    for (const { rule: index, phrase, start, end, families } of matches) {
      const rule = rules[index] as FilterRule;
      const exception = (phrase === null ? undefined : phrases[phrase]) ?? rule.lifted;
      const place = index * (phrases.length + 1) + (phrase === null ? 0 : phrase + 1);
      const { spans, families: known } = this.#found.get(place) ?? { spans: [], families: [] };
      this.#found.set(place, {
        rule,
        spans: [...spans, { path: [...path], start, end }].slice(0, MAX_SPANS),
        families: [...new Set([...known, ...families])],
        ...(exception && { exception }),
      });
    }
    const error = matches.length > 0 ? contentBlock(this.findings, "response") : null;
    if (error) throw new ResponseBlocked(error);
  }
}

const isProse = ({ detector }: ScanRule) => detector.kind === "builtin" && PROSE.has(detector.slug);

const NOTHING_FOUND: ScanResult = { findings: [], found: 0, redacted: [] };

const memoKey = ({ text, form, isFixed, label = "" }: Omit<ResponseText, "path">) =>
  `${form} ${isFixed} ${label.length} ${label} ${text}`;
