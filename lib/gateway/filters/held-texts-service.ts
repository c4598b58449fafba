import "server-only";
import { MAX_ANSWER_CHARACTERS } from "../../engine/protocols/accumulate";
import type { ResponseChunk, MessageEvent, ResponseEvent } from "../../engine/protocols/response-chunk";
import type { LeafForm } from "../../engine/filters/leaves";
import type { LeafPath } from "../../engine/filters/places";
import { responseTexts } from "../../engine/filters/response-texts";
import { tooLongToHold } from "../../engine/filters/response-blocked";
import { ScanFailure } from "../../engine/filters/scan-failure";
import { redact } from "../../engine/filters/redact";
import { PROSE } from "../../engine/filters/search";
import { joinedSeam, SeamQueue, type SaidText, type TextSeam } from "../../engine/filters/seam-queue";
import { StreamWindow, type Reach } from "../../engine/filters/stream-window";
import { callWithout, pairsBeforeCall } from "../../engine/filters/text-pairs";
import { REACH } from "../../engine/filters/readings/joins";
import { CopyOnWrite } from "../../engine/filters/write-back";
import type { ResponseMatch, ResponseScan } from "./response-scan-service";

/** Maximum number of characters held back per text, except audio; a longer text is blocked. */
const MAX_HELD = 1024 * 1024;

export type Out = { chunk: ResponseChunk } | { event: ResponseEvent } | { messageEvent: MessageEvent };

/** Returns a part of the response, or null for a part that is no longer sent. */
type Part = () => Out | null | Promise<Out | null>;

/** A text of the response that arrives in pieces. */
export interface Channel extends SaidText {
  path: LeafPath;
  form: LeafForm;
  window: StreamWindow;
  /** End of the scanned part. */
  settled: number;
  released: string;
  /** Matches in the part that may still continue in another text. */
  matches: ResponseMatch[];
  /** Returns a text in the form of the latest chunk or event; null for a text that isn't sent in one. */
  release: (text: string) => Out | null;
}

/** Holds back the texts of one choice, or of a Responses API response, until no match can begin in them. */
export class HeldTexts {
  readonly channels = new Map<string, Channel>();
  readonly queue: SeamQueue<Channel, Part>;
  readonly #scan: ResponseScan;
  /** The text that the model wrote last. */
  #said: Channel | null = null;

  /**
   * @param isWhole True when the response is scanned at its end.
   */
  constructor(
    scan: ResponseScan,
    private readonly reach: Reach,
    isWhole: boolean,
  ) {
    this.#scan = scan;
    this.queue = new SeamQueue(isWhole);
  }

  channel(key: string, path: LeafPath, form: LeafForm, turn: string): Channel {
    const known = this.channels.get(key);
    if (known) return known;
    const reach = form === "text" ? this.reach : { before: 0, after: Infinity };
    const texts = { received: "", released: "", settled: 0, spans: [], matches: [] };
    const release = (part: string): Out => ({
      chunk: { choices: [{ index: 0, delta: { [key]: part } }] },
    });
    const channel: Channel = { path, form, turn, window: new StreamWindow(reach), release, ...texts };
    this.channels.set(key, channel);
    return channel;
  }

  push(channel: Channel, text: string): void {
    channel.window.push(text);
    channel.received += text;
    if (channel.form !== "text") return;
    this.queue.open(channel, channel.settled);
    this.#said = channel;
  }

  /**
   * Returns the arguments of a call without the rest of a value that begins in the text before it. The held part of
   * that text loses its part of the value, too.
   */
  async withoutSplit(call: string, path: LeafPath): Promise<string> {
    const said = this.#said;
    const end = said?.received.slice(-REACH) ?? "";
    const pairs = pairsBeforeCall(end, call);
    if (!said || pairs.length === 0) return call;
    const split = await this.#scan.split(pairs, path);
    const offset = said.received.length - end.length;
    for (const span of split.get(end) ?? [])
      said.spans.push({ ...span, start: span.start + offset, end: span.end + offset });
    return callWithout(call, split);
  }

  /** Returns the rest of a message after `withoutSplit` on the arguments of its calls. */
  async messageWithoutSplit<T extends object>(message: T, at: LeafPath): Promise<T> {
    if (!this.#said) return message;
    const copy = new CopyOnWrite(message);
    for (const { path, text } of responseTexts(message))
      if (isCallField(path)) copy.write(path, await this.withoutSplit(text, [...at, ...path]));
    return copy.value;
  }

  /** Adds an event after the current texts. */
  add(event: object, part: Part): void {
    this.queue.add(part, JSON.stringify(event).length);
    if (this.queue.held > MAX_ANSWER_CHARACTERS) throw tooLong(MAX_ANSWER_CHARACTERS);
  }

  /** Releases the settled text. */
  async *drain(channel: Channel, isEnd: boolean): AsyncGenerator<Out, void> {
    const { window, form } = channel;
    for (let slice = window.slice(isEnd); slice; slice = window.slice(isEnd)) {
      if (form === "text") {
        const { end, matches } = window.settle(slice, await this.#scan.matches(slice), isEnd);
        this.#scan.report(channel.path, matches);
        channel.settled = end;
        channel.matches.push(...matches);
        channel.spans.push(...spansOf(matches));
        this.queue.append(channel, end);
        yield* this.flush(false);
        continue;
      }
      window.settle(slice, [], isEnd);
      const given = isCallField(channel.path) ? await this.withoutSplit(slice.text, channel.path) : slice.text;
      const text = await this.#scan.clean(given, channel.path, form);
      channel.released += text;
      const { release } = channel;
      if (text) this.queue.add(() => release(text), text.length);
      if (isEnd) this.#scan.remember(channel);
    }
    const most = form === "media" ? MAX_ANSWER_CHARACTERS : MAX_HELD;
    if (window.held > most) throw tooLong(most);
    if (!isEnd) return;
    this.queue.close(channel);
    yield* this.flush(false);
  }

  /** Releases everything that no later text can change, in order. `isEnd` when no more text follows. */
  async *flush(isEnd: boolean): AsyncGenerator<Out, void> {
    for (let seam = this.queue.seam(isEnd); seam; seam = this.queue.seam(isEnd)) await this.#join(seam);
    for (const part of this.queue.released()) {
      if ("item" in part) {
        const out = await part.item();
        if (out) yield out;
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
      const out = text ? channel.release(text) : null;
      if (out) yield out;
    }
  }

  /** Finds the matches that continue from one text in the next. */
  async #join(seam: TextSeam<Channel>): Promise<void> {
    const found = new Map<string, { match: ResponseMatch; parts: { text: Channel; from: number; to: number }[] }>();
    for (const separator of ["", " "]) {
      const { text, partsOf } = joinedSeam(seam, separator);
      for (const match of await this.#scan.matches({ text, offset: 0 })) {
        const detector = this.#scan.rules[match.rule]?.detector;
        // A sentence doesn't continue in another turn.
        if (!seam.isOneTurn && detector?.kind === "builtin" && PROSE.has(detector.slug)) continue;
        const parts = partsOf(match);
        // A value that is complete in one text doesn't continue in the next.
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

/** True for the arguments of a call. */
const isCallField = (path: LeafPath): boolean => /(?:arguments|input)$/.test(String(path.at(-1)));

const tooLong = (characters: number) => new ScanFailure("size", tooLongToHold(characters));

const spansOf = (matches: readonly ResponseMatch[]) =>
  matches.flatMap(({ start, end, replacement }) => (replacement ? [{ start, end, ...replacement }] : []));
