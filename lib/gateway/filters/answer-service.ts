import "server-only";
import { accumulate, emptyAnswer, MAX_ANSWER_CHARACTERS } from "../../engine/protocols/accumulate";
import type { AnswerChunk, Delta, ResponseEvent } from "../../engine/protocols/answer-chunk";
import { asObject, type JsonObject } from "../../engine/protocols/broken-answer";
import { ResponsesAnswerReader } from "../../engine/protocols/responses/answer-reader";
import { unscannedContent } from "../../engine/decision/denial";
import { AnswerBlocked } from "../../engine/filters/answer-blocked";
import { mergePieces, scannedFields } from "../../engine/filters/answer-texts";
import { ANSWER_UNSCANNED, SENT_OF_RESPONSE } from "../../engine/filters/coverage";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { deltaForm, partPath } from "../../engine/filters/event-path";
import type { FilterFinding } from "../../engine/filters/findings";
import type { LeafForm, LeafPath } from "../../engine/filters/leaves";
import { reachOf } from "../../engine/filters/reach";
import { ScanFailure } from "../../engine/filters/scan-failure";
import { redact } from "../../engine/filters/redact";
import { PROSE } from "../../engine/filters/search";
import { joinedSeam, SeamQueue, type SaidText, type TextSeam } from "../../engine/filters/seam-queue";
import { StreamWindow, type Reach } from "../../engine/filters/stream-window";
import { REACH } from "../../engine/filters/view/joins";
import type { Exception } from "../../engine/policy/exception";
import { AnswerScan, type AnswerMatch } from "./answer-scan-service";
import type { ScanLimits } from "./scan-service";

/** Maximum number of characters held back of one text, except audio; a longer one is blocked. */
const MAX_HELD = 1024 * 1024;

type Out = { chunk: AnswerChunk } | { event: ResponseEvent };

/** A text of the answer that arrives in pieces. */
interface Channel extends SaidText {
  path: LeafPath;
  form: LeafForm;
  window: StreamWindow;
  /** The end of what has been scanned. */
  settled: number;
  released: string;
  /** Matches in what may still continue in another text. */
  matches: AnswerMatch[];
  /** Returns a text in the latest chunk or event. */
  release: (text: string) => Out;
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

/** Items whose texts belong to what the model says. */
const SAID = new Set(["message", "reasoning"]);

/** The texts of a chat completion that are released while they arrive; everything else is held back to its end. */
const STREAMED = ["reasoning", "content", "refusal"] as const;

/**
 * Applies content filters to an answer: holds back text until no match can begin in it, and replaces matches of `redact`
 * by their label. Throws `AnswerBlocked` at a match of `block`, or when the text can't be scanned.
 */
export class AnswerFilter {
  /** The answer as received, before redaction. */
  readonly received = emptyAnswer();
  readonly #scan: AnswerScan;
  readonly #reach: Reach;
  readonly #channels = new Map<string, Channel>();
  /** Fields of the message, its choice and the chunks that are held back. */
  #rest: Delta = {};
  #about: JsonObject = {};
  #envelope: JsonObject = {};
  /** The first one; chunks may follow it. */
  #finishReason: string | null = null;
  readonly #queue: SeamQueue<Channel, () => Out | Promise<Out>>;
  /** Pieces of events whose delta isn't a text, by their place. */
  readonly #pending = new Map<string, ResponseEvent>();

  constructor(private readonly settings: AnswerFilterSettings) {
    this.#scan = new AnswerScan(settings);
    this.#queue = new SeamQueue(!settings.isStreamed);
    const { rules, allowed } = this.#scan;
    this.#reach = settings.isStreamed ? reachOf(rules, allowed) : { before: 0, after: Infinity };
  }

  get canBlock(): boolean {
    return this.#scan.rules.some(({ action }) => action === "block");
  }

  get findings(): FilterFinding[] {
    return this.#scan.findings;
  }

  async *apply(chunks: AsyncIterable<AnswerChunk>): AsyncGenerator<AnswerChunk, void> {
    const reader = new ResponsesAnswerReader();
    const sent = async function* (released: AsyncIterable<Out>) {
      for await (const out of released) yield* "event" in out ? reader.read(out.event) : [out.chunk];
    };
    for await (const chunk of chunks) {
      accumulate(this.received, chunk);
      const released = chunk.responseEvent ? this.#event(chunk.responseEvent) : this.#chunk(chunk);
      yield* sent(this.#orBlocked(released));
    }
    if (this.#finishReason !== null) yield* sent(this.#orBlocked(this.#finish(this.#finishReason)));
  }

  /**
   * Returns what upstreams say about their errors, which may quote the model's text, with matches replaced; null for
   * texts with a match of `block`, or that can't be scanned or judged.
   */
  async quoted<T extends object>(errors: readonly T[]): Promise<(T | null)[]> {
    if (this.settings.isChecked) return errors.map(() => null);
    return Promise.all(
      errors.map((error) =>
        this.#scan.clean(error, ["error"]).catch((cause: unknown) => {
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

  async *#chunk({ choices, ...envelope }: AnswerChunk): AsyncGenerator<Out, void> {
    const own: JsonObject = {};
    for (const [name, value] of Object.entries(envelope))
      if (name === "usage") own[name] = (await this.#scan.clean({ usage: value }, [])).usage;
      else (ANSWER_UNSCANNED.chat_completions.has(name) ? own : this.#envelope)[name] = value;
    const [choice] = choices;
    if (!choice) {
      yield { chunk: { ...own, choices: [] } };
      return;
    }
    const { delta, finish_reason, logprobs: _, index: __, ...about } = choice;
    const { role, content, reasoning, refusal, ...rest } = delta;
    const released = (text: Delta): Out => ({
      chunk: { ...own, choices: [{ index: 0, delta: text, finish_reason: null }] },
    });
    const texts = { reasoning, content, refusal };
    // Reasoning that precedes the content is released before it.
    for (const [name, channel] of this.#channels)
      if (channel.form === "text" && !texts[name as "content"] && STREAMED.some((other) => texts[other]))
        yield* this.#drain(channel, true);
    const next: Delta =
      role === undefined ? {} : { role: await this.#scan.clean(role, ["choices", 0, "message", "role"]) };
    for (const name of STREAMED) if (texts[name] === "" || texts[name] === null) next[name] = texts[name];
    if (Object.keys(next).length > 0) this.#queue.add(() => released(next), 1);
    for (const name of STREAMED) {
      const text = texts[name];
      if (!text) continue;
      const channel = this.#channel(name, ["choices", 0, "message", name], this.#formOf(name), name);
      channel.release = (part) => released({ [name]: part });
      this.#push(channel, text);
      yield* this.#drain(channel, false);
    }
    this.#rest = mergePieces(this.#rest, rest) as Delta;
    this.#about = mergePieces(this.#about, about) as JsonObject;
    yield* this.#flush(false);
    this.#finishReason ??= finish_reason || null;
  }

  /** Releases what is held back of a chat completion, with its finish reason. */
  async *#finish(finish_reason: string): AsyncGenerator<Out, void> {
    for (const channel of this.#channels.values()) yield* this.#drain(channel, true);
    yield* this.#flush(true);
    const around = await this.#scan.clean(this.#envelope, []);
    const last = await this.#scan.clean({ ...this.#about, finish_reason }, ["choices", 0]);
    const delta = await this.#scan.clean(this.#rest, ["choices", 0, "message"]);
    yield { chunk: { ...around, choices: [{ ...last, index: 0, delta }] } };
  }

  #formOf(name: string): LeafForm {
    return name === "content" && this.settings.isJson ? "json" : "text";
  }

  async *#event(event: ResponseEvent): AsyncGenerator<Out, void> {
    const { type, delta, response: given, ...fields } = event;
    if (type.endsWith(".delta") && delta) {
      const about = await this.#scan.clean(scannedFields({ type, ...fields }), [], event);
      if (typeof delta === "string") yield* this.#pieces(type, about, delta);
      else this.#hold(type, about, delta);
      return;
    }
    const response = asObject(given);
    if (response || type.endsWith(".done")) yield* this.#close(response ? null : event["output_index"]);
    // What is said before the call of a tool doesn't continue behind it.
    if (type === "response.output_item.added" && !SAID.has(String(asObject(event["item"])?.["type"])))
      this.#queue.part();
    this.#add(event, async () => {
      if (!response) return this.#scan.clean(scannedFields(event), [], event);
      const sent = Object.fromEntries(SENT_OF_RESPONSE.map((name) => [name, response[name]]));
      const about = await this.#scan.clean(scannedFields({ type, ...fields }), [], event);
      return { ...about, response: { ...response, ...(await this.#scan.clean(sent, [])) } };
    });
    yield* this.#flush(response !== null);
  }

  /** Adds an event behind the texts so far. */
  #add(given: ResponseEvent, cleaned: () => Promise<ResponseEvent>): void {
    this.#queue.add(async () => ({ event: await cleaned() }), JSON.stringify(given).length);
    if (this.#queue.held > MAX_ANSWER_CHARACTERS) throw new ScanFailure("size", TOO_LONG);
  }

  /** Releases what is held back of an item, or of all items. */
  async *#close(item: unknown): AsyncGenerator<Out, void> {
    for (const [key, channel] of this.#channels)
      if (channel.path[1] === (item ?? channel.path[1])) {
        this.#channels.delete(key);
        yield* this.#drain(channel, true);
      }
    for (const [key, event] of this.#pending)
      if (event["output_index"] === (item ?? event["output_index"])) {
        this.#pending.delete(key);
        this.#add(event, () => this.#scan.clean(event, [], event));
      }
  }

  /** Merges pieces that aren't texts; they are released with the end of their item. */
  #hold(type: string, event: ResponseEvent, delta: unknown): void {
    const key = `${type} ${partPath(type, event).join(" ")}`;
    this.#pending.set(key, { ...event, delta: mergePieces(this.#pending.get(key)?.["delta"], delta) });
  }

  async *#pieces(type: string, event: ResponseEvent, delta: string): AsyncGenerator<Out, void> {
    const path = partPath(type, event);
    const given = deltaForm(type);
    const form = given === "text" ? this.#formOf(type.includes("output_text") ? "content" : type) : given;
    const channel = this.#channel(`${type} ${path.join(" ")}`, path, form, String(path[1]));
    channel.release = (part) => ({ event: { ...event, delta: part } });
    this.#push(channel, delta);
    yield* this.#drain(channel, false);
  }

  #channel(key: string, path: LeafPath, form: LeafForm, turn: string): Channel {
    const known = this.#channels.get(key);
    if (known) return known;
    const reach = form === "text" ? this.#reach : { before: 0, after: Infinity };
    const texts = { received: "", released: "", settled: 0, spans: [], matches: [] };
    const release = (part: string): Out => ({
      chunk: { choices: [{ index: 0, delta: { [key]: part } }] },
    });
    const channel: Channel = { path, form, turn, window: new StreamWindow(reach), release, ...texts };
    this.#channels.set(key, channel);
    return channel;
  }

  #push(channel: Channel, text: string): void {
    channel.window.push(text);
    channel.received += text;
    if (channel.form === "text") this.#queue.open(channel, channel.settled);
  }

  /** Releases the text that may leave. */
  async *#drain(channel: Channel, isEnd: boolean): AsyncGenerator<Out, void> {
    const { window, form } = channel;
    for (let slice = window.slice(isEnd); slice; slice = window.slice(isEnd)) {
      if (form === "text") {
        const { end, matches } = window.settle(slice, await this.#scan.matches(slice), isEnd);
        this.#scan.report(channel.path, matches);
        channel.settled = end;
        channel.matches.push(...matches);
        channel.spans.push(...spansOf(matches));
        this.#queue.append(channel, end);
        yield* this.#flush(false);
        continue;
      }
      window.settle(slice, [], isEnd);
      const text = await this.#scan.clean(slice.text, channel.path, null, form);
      channel.released += text;
      const { release } = channel;
      if (text) this.#queue.add(() => release(text), text.length);
      if (isEnd) this.#scan.remember(channel);
    }
    if (window.held > (form === "media" ? MAX_ANSWER_CHARACTERS : MAX_HELD)) throw new ScanFailure("size", TOO_LONG);
    if (!isEnd) return;
    this.#queue.close(channel);
    yield* this.#flush(false);
  }

  /** Releases what no later text can change, in order. `isEnd` when no more text will follow. */
  async *#flush(isEnd: boolean): AsyncGenerator<Out, void> {
    for (let seam = this.#queue.seam(isEnd); seam; seam = this.#queue.seam(isEnd)) await this.#join(seam);
    for (const part of this.#queue.released()) {
      if ("item" in part) {
        yield await part.item();
        continue;
      }
      const { text: channel, from, to } = part;
      const spans = channel.spans
        .filter(({ start, end }) => start < to && end > from)
        .map((span) => ({ ...span, start: Math.max(0, span.start - from), end: span.end - from }));
      const text = redact(channel.received.slice(from, to), spans);
      channel.released += text;
      channel.spans = channel.spans.filter(({ end }) => end > to);
      channel.matches = channel.matches.filter(({ end }) => end > to - REACH);
      if (to === channel.received.length) this.#scan.remember(channel);
      if (text) yield channel.release(text);
    }
  }

  /** Finds the matches that continue from one text in the next. */
  async #join(seam: TextSeam<Channel>): Promise<void> {
    const found = new Map<string, { match: AnswerMatch; parts: { text: Channel; from: number; to: number }[] }>();
    for (const separator of ["", " "]) {
      const { text, partsOf } = joinedSeam(seam, separator);
      for (const match of await this.#scan.matches({ text, offset: 0 })) {
        const detector = this.#scan.rules[match.rule]?.detector;
        // Sentences of different turns don't belong together.
        if (!seam.isOneTurn && detector?.kind === "builtin" && PROSE.has(detector.slug)) continue;
        const parts = partsOf(match);
        // A value that is complete in one text isn't continued by the next.
        const isContinued = parts?.every(({ text: { matches }, from, to }) =>
          matches.every(({ rule, start, end }) => rule !== match.rule || start >= to || end <= from),
        );
        if (!parts || !isContinued) continue;
        const places = parts.map(({ text: { path }, from, to }) => [path, from, to]);
        found.set(JSON.stringify([match.rule, match.phrase, places]), { match, parts });
      }
    }
    for (const { match, parts } of found.values())
      for (const { text, from, to } of parts) {
        const part = { ...match, start: from, end: to };
        text.matches.push(part);
        text.spans.push(...spansOf([part]));
        this.#scan.report(text.path, [part]);
      }
  }
}

const TOO_LONG = `Response blocked: more than ${MAX_HELD} characters would have to be held back`;

const spansOf = (matches: readonly AnswerMatch[]) =>
  matches.flatMap(({ start, end, replacement }) => (replacement ? [{ start, end, ...replacement }] : []));
