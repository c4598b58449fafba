import "server-only";
import { accumulate, emptyAnswer, MAX_ANSWER_CHARACTERS } from "../../engine/protocols/accumulate";
import type { AnswerChunk, Delta, ResponseEvent } from "../../engine/protocols/answer-chunk";
import { asObject, type JsonObject } from "../../engine/protocols/broken-answer";
import { ResponsesAnswerReader } from "../../engine/protocols/responses/answer-reader";
import { unscannedContent } from "../../engine/decision/denial";
import { AnswerBlocked } from "../../engine/filters/answer-blocked";
import {
  answerTexts,
  mergePieces,
  scannedFields,
  withoutLogprobs,
  type AnswerText,
} from "../../engine/filters/answer-texts";
import { ANSWER_UNSCANNED, SENT_OF_RESPONSE } from "../../engine/filters/coverage";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { deltaForm, eventPath, partPath } from "../../engine/filters/event-path";
import { contentBlock, type FilterFinding } from "../../engine/filters/findings";
import type { LeafForm, LeafPath } from "../../engine/filters/leaves";
import { reachOf } from "../../engine/filters/reach";
import { MAX_SPANS, type ScanResult, type ScanRule } from "../../engine/filters/scan";
import { ScanFailure } from "../../engine/filters/scan-failure";
import { StreamWindow, type Reach, type Slice, type WindowMatch } from "../../engine/filters/stream-window";
import { CopyOnWrite } from "../../engine/filters/write-back";
import type { Exception } from "../../engine/policy/exception";
import { runScan, type ScanLimits } from "./scan-service";

/** Maximum number of characters held back of one text, except audio; a longer one is blocked. */
const MAX_HELD = 1024 * 1024;

interface Match extends WindowMatch {
  rule: number;
  phrase: number | null;
  families: readonly string[];
}

/** A text of the answer that arrives in pieces. */
interface Channel {
  path: LeafPath;
  form: LeafForm;
  window: StreamWindow;
  received: string;
  released: string;
  /** The latest event of the channel, without its text. */
  event?: ResponseEvent;
}

export interface AnswerFilterSettings {
  rules: readonly FilterRule[];
  phrases: readonly Exception[];
  limits: ScanLimits;
  /** False: the whole answer is scanned at once. */
  isStreamed: boolean;
  /** True when the content must be valid JSON, so that it is scanned whole like the arguments of a tool call. */
  isJson: boolean;
  /** True when checks judge the answer, too. They don't judge errors of upstreams, whose texts are left out. */
  isChecked: boolean;
}

/** The texts of a chat completion that are released while they arrive; everything else is held back to its end. */
const STREAMED = ["reasoning", "content", "refusal"] as const;

/**
 * Applies content filters to an answer: holds back text until no match can begin in it, and replaces matches of `redact`
 * by their label. Throws `AnswerBlocked` at a match of `block`, or when the text can't be scanned.
 */
export class AnswerFilter {
  /** The answer as received, before redaction. */
  readonly received = emptyAnswer();
  readonly #scanRules: ScanRule[];
  readonly #allowed: string[];
  readonly #reach: Reach;
  readonly #found = new Map<number, FilterFinding>();
  /** Texts scanned so far with their redacted form: a Responses stream repeats each text several times. */
  readonly #scanned = new Map<string, string>();
  readonly #channels = new Map<string, Channel>();
  /** Fields of the message, its choice and the chunks that are held back. */
  #rest: Delta = {};
  #about: JsonObject = {};
  #envelope: JsonObject = {};
  /** The first one; chunks may follow it. */
  #finishReason: string | null = null;
  /** Pieces of events whose delta isn't a text, by their place. */
  readonly #pending = new Map<string, ResponseEvent>();

  constructor(private readonly settings: AnswerFilterSettings) {
    const { rules, phrases, isStreamed } = settings;
    this.#scanRules = rules.map(({ detector, action, label, lifted }) => ({
      detector,
      action: lifted ? ("flag" as const) : action,
      label,
      userOnly: false,
    }));
    this.#allowed = phrases.map(({ phrase }) => phrase ?? "");
    this.#reach = isStreamed ? reachOf(this.#scanRules, this.#allowed) : { before: 0, after: Infinity };
  }

  get canBlock(): boolean {
    return this.#scanRules.some(({ action }) => action === "block");
  }

  get findings(): FilterFinding[] {
    return [...this.#found.entries()].toSorted(([a], [b]) => a - b).map(([, finding]) => finding);
  }

  async *apply(chunks: AsyncIterable<AnswerChunk>): AsyncGenerator<AnswerChunk, void> {
    const reader = new ResponsesAnswerReader();
    for await (const chunk of chunks) {
      accumulate(this.received, chunk);
      if (!chunk.responseEvent) yield* this.#orBlocked(this.#chunk(chunk));
      else for await (const event of this.#orBlocked(this.#event(chunk.responseEvent))) yield* reader.read(event);
    }
    if (this.#finishReason !== null) yield* this.#orBlocked(this.#finish(this.#finishReason));
  }

  /**
   * Returns what upstreams say about their errors, which may quote the model's text, with matches replaced; null for
   * texts with a match of `block`, or that can't be scanned or judged.
   */
  async quoted<T extends object>(errors: readonly T[]): Promise<(T | null)[]> {
    if (this.settings.isChecked) return errors.map(() => null);
    return Promise.all(
      errors.map((error) =>
        this.#clean(error, ["error"]).catch((cause: unknown) => {
          if (cause instanceof AnswerBlocked || cause instanceof ScanFailure) return null;
          throw cause;
        }),
      ),
    );
  }

  /** Blocks an answer that can't be scanned. */
  async *#orBlocked<T>(released: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* released;
    } catch (error) {
      this.settings.limits.signal.throwIfAborted();
      throw error instanceof ScanFailure ? new AnswerBlocked(unscannedContent(error).error) : error;
    }
  }

  async *#chunk({ choices, ...envelope }: AnswerChunk): AsyncGenerator<AnswerChunk, void> {
    const own: JsonObject = {};
    for (const [name, value] of Object.entries(envelope))
      if (name === "usage") own[name] = (await this.#clean({ usage: value }, [])).usage;
      else (ANSWER_UNSCANNED.chat_completions.has(name) ? own : this.#envelope)[name] = value;
    const [choice] = choices;
    if (!choice) {
      yield { ...own, choices: [] };
      return;
    }
    const { delta, finish_reason, logprobs: _, index: __, ...about } = choice;
    const { role, content, reasoning, refusal, ...rest } = delta;
    const released = (text: Delta): AnswerChunk => ({
      ...own,
      choices: [{ index: 0, delta: text, finish_reason: null }],
    });
    const texts = { reasoning, content, refusal };
    // Reasoning that precedes the content is released before it.
    for (const [name, channel] of this.#channels)
      if (channel.form === "text" && !texts[name as "content"] && STREAMED.some((other) => texts[other])) {
        const text = await this.#drain(channel, true);
        if (text) yield released({ [name]: text });
      }
    const next: Delta = role === undefined ? {} : { role: await this.#clean(role, ["choices", 0, "message", "role"]) };
    for (const name of STREAMED) {
      const text = texts[name];
      if (text === "" || text === null) next[name] = text;
      if (!text) continue;
      const channel = this.#channel(name, ["choices", 0, "message", name], this.#formOf(name));
      push(channel, text);
      const safe = await this.#drain(channel, false);
      if (safe) next[name] = safe;
    }
    this.#rest = mergePieces(this.#rest, rest) as Delta;
    this.#about = mergePieces(this.#about, about) as JsonObject;
    if (Object.keys(next).length > 0) yield released(next);
    this.#finishReason ??= finish_reason || null;
  }

  /** Releases what is held back of a chat completion, with its finish reason. */
  async *#finish(finish_reason: string): AsyncGenerator<AnswerChunk, void> {
    for (const [name, channel] of this.#channels) {
      const text = await this.#drain(channel, true);
      if (text) yield { choices: [{ index: 0, delta: { [name]: text }, finish_reason: null }] };
    }
    const around = await this.#clean(this.#envelope, []);
    const last = await this.#clean({ ...this.#about, finish_reason }, ["choices", 0]);
    const delta = await this.#clean(this.#rest, ["choices", 0, "message"]);
    yield { ...around, choices: [{ ...last, index: 0, delta }] };
  }

  #formOf(name: string): LeafForm {
    return name === "content" && this.settings.isJson ? "json" : "text";
  }

  async *#event(event: ResponseEvent): AsyncGenerator<ResponseEvent, void> {
    const { type, delta, response: given, ...fields } = event;
    if (type.endsWith(".delta") && delta) {
      const about = await this.#clean(scannedFields({ type, ...fields }), [], event);
      if (typeof delta === "string") yield* this.#pieces(type, about, delta);
      else this.#hold(type, about, delta);
      return;
    }
    const response = asObject(given);
    if (response || type.endsWith(".done")) yield* this.#close(response ? null : event["output_index"]);
    if (response) {
      const sent = Object.fromEntries(SENT_OF_RESPONSE.map((name) => [name, response[name]]));
      const about = await this.#clean(scannedFields({ type, ...fields }), [], event);
      yield { ...about, response: { ...response, ...(await this.#clean(sent, [])) } };
    } else yield await this.#clean(scannedFields(event), [], event);
  }

  /** Releases what is held back of an item, or of all items. */
  async *#close(item: unknown): AsyncGenerator<ResponseEvent, void> {
    for (const [key, channel] of this.#channels)
      if (channel.path[1] === (item ?? channel.path[1])) {
        this.#channels.delete(key);
        const text = await this.#drain(channel, true);
        if (text && channel.event) yield { ...channel.event, delta: text };
      }
    for (const [key, event] of this.#pending)
      if (event["output_index"] === (item ?? event["output_index"])) {
        this.#pending.delete(key);
        yield await this.#clean(event, [], event);
      }
  }

  /** Merges pieces that aren't texts; they are released with the end of their item. */
  #hold(type: string, event: ResponseEvent, delta: unknown): void {
    const key = `${type} ${partPath(type, event).join(" ")}`;
    this.#pending.set(key, { ...event, delta: mergePieces(this.#pending.get(key)?.["delta"], delta) });
  }

  async *#pieces(type: string, event: ResponseEvent, delta: string): AsyncGenerator<ResponseEvent, void> {
    const path = partPath(type, event);
    const given = deltaForm(type);
    const form = given === "text" ? this.#formOf(type.includes("output_text") ? "content" : type) : given;
    const channel = this.#channel(`${type} ${path.join(" ")}`, path, form);
    channel.event = event;
    push(channel, delta);
    const text = await this.#drain(channel, false);
    if (text) yield { ...event, delta: text };
  }

  #channel(key: string, path: LeafPath, form: LeafForm): Channel {
    const known = this.#channels.get(key);
    if (known) return known;
    const reach = form === "text" ? this.#reach : { before: 0, after: Infinity };
    const channel = { path, form, window: new StreamWindow(reach), received: "", released: "" };
    this.#channels.set(key, channel);
    return channel;
  }

  /** Returns the text that may leave. */
  async #drain(channel: Channel, isEnd: boolean): Promise<string> {
    const { window, form } = channel;
    let text = "";
    for (let slice = window.slice(isEnd); slice; slice = window.slice(isEnd)) {
      if (form !== "text") {
        window.settle(slice, [], isEnd);
        text += await this.#clean(slice.text, channel.path, null, form);
        continue;
      }
      const { text: released, matches } = window.settle(slice, await this.#matches(slice), isEnd);
      this.#report(channel.path, matches);
      text += released;
    }
    if (window.held > (form === "media" ? MAX_ANSWER_CHARACTERS : MAX_HELD)) throw new ScanFailure("size", TOO_LONG);
    channel.released += text;
    if (isEnd) this.#scanned.set(memoKey({ text: channel.received, form, isFixed: false }), channel.released);
    return text;
  }

  async #matches({ text, offset }: Slice): Promise<Match[]> {
    const { findings } = await this.#scan([{ text, form: "text", isFixed: false }], Infinity);
    return findings.flatMap(({ rule, phrase, spans, families }) => {
      const scanRule = this.#scanRules[rule];
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

  /** Returns a complete value without log probabilities, and with its matches replaced. */
  async #clean<T>(
    given: T,
    at: LeafPath,
    event: ResponseEvent | null = null,
    form: LeafForm | null = null,
  ): Promise<T> {
    const value = withoutLogprobs(given);
    const texts: AnswerText[] =
      typeof value === "string" && form
        ? [{ path: [], text: value, form, isFixed: false }]
        : [...answerTexts(value, [], String(at.at(-1) ?? ""))];
    const unknown = [...new Map(texts.map((text) => [memoKey(text), text])).entries()].filter(
      ([key]) => !this.#scanned.has(key),
    );
    if (unknown.length > 0) {
      const { findings, redacted } = await this.#scan(
        unknown.map(([, text]) => text),
        MAX_SPANS,
      );
      for (const [key, { text }] of unknown) this.#scanned.set(key, text);
      for (const { leaf, text } of redacted) this.#scanned.set(unknown[leaf]?.[0] ?? "", text);
      for (const { rule, phrase, spans, families } of findings)
        for (const { leaf, start, end } of spans) {
          const path = unknown[leaf]?.[1].path ?? [];
          this.#report(event ? eventPath(event, path) : [...at, ...path], [
            { rule, phrase, families, start, end, replacement: null },
          ]);
        }
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

  async #scan(texts: readonly Omit<AnswerText, "path">[], mostSpans: number) {
    if (this.#scanRules.length === 0) return NOTHING_FOUND;
    const { limits } = this.settings;
    const { result } = await runScan(
      {
        rules: this.#scanRules,
        leaves: texts.map(({ text, form, isFixed }) => ({ text, form, isFixed, isUser: false })),
        phrases: this.#allowed,
        mostSpans,
      },
      limits.timeoutMs,
      { ...limits, isAdmitted: true },
    );
    return result;
  }

  /** Records matches; throws when one of them blocks. */
  #report(path: LeafPath, matches: readonly Match[]): void {
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
    if (error) throw new AnswerBlocked(error);
  }
}

const TOO_LONG = `Response blocked: more than ${MAX_HELD} characters would have to be held back`;

const NOTHING_FOUND: ScanResult = { findings: [], found: 0, redacted: [] };

const memoKey = ({ text, form, isFixed }: Omit<AnswerText, "path">) => `${form} ${isFixed} ${text}`;

function push(channel: Channel, text: string): void {
  channel.window.push(text);
  channel.received += text;
}
