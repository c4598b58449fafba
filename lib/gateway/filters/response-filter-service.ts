import "server-only";
import { accumulate, choicesOf, newAccumulated, type AccumulatedChoice } from "../../engine/protocols/accumulate";
import type { ResponseChunk, Delta, ResponseEvent } from "../../engine/protocols/response-chunk";
import { newResponseSeed } from "../../platform/ids";
import { asObject, asObjects, asText, type JsonObject } from "../../platform/json-values";
import { MessagesUpstreamReader } from "../../engine/protocols/messages/upstream-reader";
import { ResponsesUpstreamReader } from "../../engine/protocols/responses/upstream-reader";
import { unscannedContent } from "../../engine/decision/denial";
import { ResponseBlocked } from "../../engine/filters/response-blocked";
import { scannedFields } from "../../engine/filters/response-texts";
import { choiceIndexOf } from "../../engine/protocols/chat/choice-index";
import { passedCompletion, type PassedChoice } from "../../engine/protocols/chat/passed-completion";
import { OWN_OF_COMPLETION } from "../../engine/protocols/vocabulary";
import { laterUsage } from "../../engine/protocols/read-usage";
import { mergePieces } from "../../engine/protocols/merge-pieces";
import { ANSWER_UNSCANNED, ownOfResponse, sentOfResponse } from "../../engine/filters/coverage";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { deltaForm, eventPath, partPath } from "../../engine/filters/event-path";
import type { FilterFinding } from "../../engine/filters/findings";
import type { LeafForm } from "../../engine/filters/leaves";
import type { LeafPath } from "../../engine/filters/places";
import { reachOf } from "../../engine/filters/reach";
import { ScanFailure } from "../../engine/filters/scan-failure";
import type { Reach } from "../../engine/filters/stream-window";
import { errorWithout, pairsOf, textsOfError } from "../../engine/filters/text-pairs";
import type { Exception } from "../../engine/policy/exception";
import { ResponseScan } from "./response-scan-service";
import { HeldMessage } from "./held-message-service";
import { HeldTexts, type Out } from "./held-texts-service";
import type { ScanLimits } from "./scan-service";

export interface ResponseFilterSettings {
  rules: readonly FilterRule[];
  phrases: readonly Exception[];
  limits: ScanLimits;
  /** False when the whole response is scanned at once. */
  isStreamed: boolean;
  /** True when the content must be valid JSON. It is scanned whole, like the arguments of a tool call. */
  isJson: boolean;
  /** True when checks judge the response. They don't judge upstream errors, so these are returned without texts. */
  isChecked: boolean;
}

/** A choice of a chat completion: its texts, other fields, and its first finish reason. */
interface HeldChoice {
  texts: HeldTexts;
  hasRole: boolean;
  rest: Delta;
  about: JsonObject;
  finishReason: string | null;
}

/** True if no text of a choice was changed. */
const isUnchanged = ({ message }: PassedChoice, before: Pick<AccumulatedChoice, "content" | "reasoning">): boolean =>
  (message["content"] ?? "") === before.content &&
  (message["reasoning"] ?? message["reasoning_content"] ?? "") === before.reasoning;

/** Fields that servers repeat in every chunk. */
const REPEATED = ["service_tier", "system_fingerprint"] as const;

/** Items with texts of the model. */
const SAID = new Set(["message", "reasoning"]);

const isWithheld = (cause: unknown): cause is ResponseBlocked | ScanFailure =>
  cause instanceof ResponseBlocked || cause instanceof ScanFailure;

/** Returns null for a text that filters withhold, otherwise rethrows. */
function withheld(cause: unknown): null {
  if (isWithheld(cause)) return null;
  throw cause;
}

/** Texts of a chat completion that are released as they arrive; everything else is held back to the end. */
const STREAMED = ["reasoning", "reasoning_content", "content", "refusal"] as const;

/**
 * Applies content filters to a response. Holds back text until no match can begin in it, and replaces matches of
 * `redact` with their label. Throws `ResponseBlocked` at a match of `block`, or when the text can't be scanned.
 */
export class ResponseFilter {
  /** The response as received, before redaction. */
  readonly received = newAccumulated();
  readonly #scan: ResponseScan;
  readonly #reach: Reach;
  /** The choices of a chat completion, by index. */
  readonly #choices = new Map<number, HeldChoice>();
  /** Fields of the chunks that are held back. */
  #envelope: JsonObject = {};
  /** Fields that all of the first chunks have. */
  readonly #repeated: JsonObject = {};
  /** A completion that the upstream sent whole, and the part already released. */
  #sentCompletion: JsonObject | null = null;
  #passedEnvelope: JsonObject = {};
  readonly #passed = new Map<number, PassedChoice>();
  /** The last usage of the chunks. */
  #usage: ResponseChunk["usage"];
  /** Texts of a response of the Responses API. */
  readonly #texts: HeldTexts;
  /** Texts of a Messages response. */
  readonly #blocks: HeldTexts;
  readonly #message: HeldMessage;
  /** The text shown before the content of each choice, and the released part of it by choice. */
  #textBefore = "";
  readonly #textsBefore = new Map<number, string>();
  /** The cause if a repeated part of the request blocks the response. */
  #blocked: ResponseBlocked | ScanFailure | null = null;
  /** Pieces of events whose delta isn't a text, by place. */
  readonly #pending = new Map<string, ResponseEvent>();

  constructor(private readonly settings: ResponseFilterSettings) {
    this.#scan = new ResponseScan(settings);
    const { rules, allowed } = this.#scan;
    this.#reach = settings.isStreamed ? reachOf(rules, allowed) : { before: 0, after: Infinity };
    this.#texts = this.#held();
    this.#blocks = this.#held();
    this.#message = new HeldMessage(this.#scan, this.#blocks, settings.isJson);
  }

  #held(): HeldTexts {
    return new HeldTexts(this.#scan, this.#reach, !this.settings.isStreamed);
  }

  get canBlock(): boolean {
    return this.#scan.rules.some(({ action }) => action === "block");
  }

  get findings(): FilterFinding[] {
    return this.#scan.findings;
  }

  /** Sets the text shown before the content of each choice. Call before `apply`. */
  showBefore(text: string): void {
    this.#textBefore = text;
  }

  /** Returns the text before the content of a choice with matches replaced, once the content begins. */
  textBefore(index: number): string {
    return this.#textsBefore.get(index) ?? "";
  }

  /**
   * Returns a part of the request that the response repeats, with matches replaced; null if it blocks the response.
   * Call before `apply`.
   */
  async repeated<T>(value: T): Promise<T | null> {
    try {
      return await this.#scan.clean(value, ["debug"]);
    } catch (error) {
      if (!isWithheld(error)) throw error;
      this.#blocked = error;
      return null;
    }
  }

  async *apply(chunks: AsyncIterable<ResponseChunk>): AsyncGenerator<ResponseChunk, void> {
    const responses = new ResponsesUpstreamReader(newResponseSeed());
    const messages = new MessagesUpstreamReader({ isWhole: !this.settings.isStreamed, seed: newResponseSeed() });
    const notePassed = (chunk: ResponseChunk) => this.#notePassed(chunk);
    const sent = async function* (released: AsyncIterable<Out>) {
      for await (const out of released)
        if ("event" in out) yield* responses.read(out.event);
        else if ("messageEvent" in out) yield* messages.read(out.messageEvent);
        else yield notePassed(out.chunk);
    };
    for await (const chunk of chunks) {
      accumulate(this.received, chunk);
      yield* sent(this.#orBlocked(this.#released(chunk)));
    }
    for (const [place, [index, choice]] of [...this.#choices].entries())
      yield* sent(this.#orBlocked(this.#finish(index, choice, place === 0)));
    if (this.#sentCompletion) yield* sent(this.#orBlocked(this.#completion(this.#sentCompletion)));
    if (this.#usage) yield* sent(this.#orBlocked(this.#counted(this.#usage)));
  }

  async *#released(chunk: ResponseChunk): AsyncGenerator<Out, void> {
    if (this.#blocked) throw this.#blocked;
    if (chunk.responseEvent) {
      yield* this.#begin(this.#texts, 0, "0");
      yield* this.#event(chunk.responseEvent);
    } else if (chunk.messageEvent) {
      yield* this.#begin(this.#blocks, 0, "text");
      yield* this.#message.apply(chunk.messageEvent);
    } else yield* this.#chunk(chunk);
  }

  /** Scans the text before the content of a choice once, since it continues in the content. */
  async *#begin(texts: HeldTexts, index: number, turn: string): AsyncGenerator<Out, void> {
    if (this.#textBefore === "" || this.#textsBefore.has(index)) return;
    this.#textsBefore.set(index, "");
    const channel = texts.channel("before", ["choices", index, "text"], "text", turn);
    channel.release = (part) => {
      this.#textsBefore.set(index, this.textBefore(index) + part);
      return null;
    };
    texts.push(channel, this.#textBefore);
    yield* texts.drain(channel, true);
    texts.channels.delete("before");
  }

  /** Returns upstream error texts that are safe to return: as recorded, or null when checks judge the response. */
  async quoted<T extends object>(errors: readonly T[]): Promise<(T | null)[]> {
    return this.settings.isChecked ? errors.map(() => null) : this.recorded(errors);
  }

  /**
   * Returns upstream error texts, which may quote the model, with matches replaced, including matches split over
   * several texts. A text with a match of `block`, or that can't be scanned, becomes null.
   */
  async recorded<T extends object>(errors: readonly T[]): Promise<(T | null)[]> {
    const pairs = pairsOf(errors.flatMap(textsOfError));
    const split = await this.#scan.split(pairs, ["error"]).catch(withheld);
    if (split === null) return errors.map(() => null);
    return Promise.all(errors.map((error) => this.#scan.clean(errorWithout(error, split), ["error"]).catch(withheld)));
  }

  /** Blocks a response that can't be scanned. */
  async *#orBlocked<T>(released: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* released;
    } catch (error) {
      this.settings.limits.signal.throwIfAborted();
      throw error instanceof ScanFailure ? new ResponseBlocked(unscannedContent(error).error) : error;
    }
  }

  async *#chunk({
    choices,
    usage,
    contentLists: _,
    sentCompletion,
    ...envelope
  }: ResponseChunk): AsyncGenerator<Out, void> {
    this.#sentCompletion ??= sentCompletion ?? null;
    this.#usage = laterUsage(this.#usage, usage);
    const own: JsonObject = {};
    for (const [name, value] of Object.entries(envelope))
      if (OWN_OF_COMPLETION.has(name)) own[name] = value;
      else if (!ANSWER_UNSCANNED.chat_completions.has(name)) this.#envelope[name] = value;
    for (const name of REPEATED)
      if (name in envelope && !(name in this.#repeated))
        this.#repeated[name] = await this.#scan.clean(envelope[name], [name]);
    if (choices.length === 0) yield { chunk: { ...own, choices: [] } };
    for (const [place, choice] of choices.entries())
      yield* this.#choice(choice, { ...this.#repeated, ...(place === 0 && own) });
  }

  /** Releases the settled part of a choice. `own` are the fields that all chunks have, or that Signalbox sets. */
  async *#choice(given: ResponseChunk["choices"][number], own: JsonObject): AsyncGenerator<Out, void> {
    const { index, delta, finish_reason, logprobs: _, ...about } = given;
    let choice = this.#choices.get(index);
    if (!choice)
      this.#choices.set(
        index,
        (choice = { texts: this.#held(), hasRole: false, rest: {}, about: {}, finishReason: null }),
      );
    const { texts } = choice;
    yield* this.#begin(texts, index, "content");
    const { role, content, reasoning, reasoning_content, refusal, ...rest } = delta;
    const released = (text: Delta): Out => ({
      chunk: { ...own, choices: [{ index, delta: text, finish_reason: null }] },
    });
    const said = { reasoning, reasoning_content, content, refusal };
    // Reasoning that precedes the content is released before it.
    for (const [name, channel] of texts.channels)
      if (channel.form === "text" && !said[name as "content"] && STREAMED.some((other) => said[other]))
        yield* texts.drain(channel, true);
    const next: Delta =
      role === undefined || choice.hasRole
        ? {}
        : { role: await this.#scan.clean(role, ["choices", index, "message", "role"]) };
    choice.hasRole ||= role !== undefined;
    for (const name of STREAMED) if (said[name] === "" || said[name] === null) next[name] = said[name];
    if (Object.keys(next).length > 0) texts.queue.add(() => released(next), 1);
    for (const name of STREAMED) {
      const text = said[name];
      if (!text) continue;
      const channel = texts.channel(name, ["choices", index, "message", name], this.#formOf(name), name);
      channel.release = (part) => released({ [name]: part });
      texts.push(channel, text);
      yield* texts.drain(channel, false);
    }
    choice.rest = mergePieces(choice.rest, rest) as Delta;
    choice.about = mergePieces(choice.about, about) as JsonObject;
    yield* texts.flush(false);
    choice.finishReason ||= finish_reason ?? choice.finishReason;
  }

  /**
   * Releases the rest of a choice with its finish reason. The first choice to finish also releases the rest of the
   * chunks.
   */
  async *#finish(
    index: number,
    { texts, about, rest, finishReason }: HeldChoice,
    isFirst: boolean,
  ): AsyncGenerator<Out, void> {
    for (const channel of texts.channels.values()) yield* texts.drain(channel, true);
    const calls = await texts.messageWithoutSplit(rest, ["choices", index, "message"]);
    yield* texts.flush(true);
    const around = isFirst ? await this.#scan.clean(this.#envelope, []) : this.#repeated;
    const last = await this.#scan.clean({ ...about, finish_reason: finishReason }, ["choices", index]);
    const delta = await this.#scan.clean(calls, ["choices", index, "message"]);
    if (this.#sentCompletion) {
      this.#passedEnvelope = { ...this.#passedEnvelope, ...around };
      this.#passed.set(index, { about: last, message: { ...this.#passed.get(index)?.message, ...delta }, list: null });
    }
    yield { chunk: { ...around, choices: [{ ...last, index, delta }] } };
  }

  /** Collects the released texts of a completion that was sent whole. */
  #notePassed(chunk: ResponseChunk): ResponseChunk {
    if (this.#sentCompletion)
      for (const { index, delta } of chunk.choices) {
        const { message, about, list } = this.#passed.get(index) ?? { message: {}, about: {}, list: null };
        const said = STREAMED.flatMap((name): [string, string][] =>
          delta[name] ? [[name, `${asText(message[name]) ?? ""}${delta[name]}`]] : [],
        );
        this.#passed.set(index, { message: { ...message, ...Object.fromEntries(said) }, about, list });
      }
    return chunk;
  }

  /** Returns the completion as it was sent, without matches and log probabilities, for callers of the same protocol. */
  async *#completion(sent: JsonObject): AsyncGenerator<Out, void> {
    const received = new Map(choicesOf(this.received));
    for (const given of asObjects(sent["choices"])) {
      const index = choiceIndexOf(given);
      const [choice, before] = [this.#passed.get(index), received.get(index)];
      const list = asObject(given["message"])?.["content"];
      // The parts of a content are sent if they spell the unchanged text. Checks judge texts, not parts.
      if (this.settings.isChecked || !choice || !before || !Array.isArray(list) || !isUnchanged(choice, before))
        continue;
      const parts = await this.#scan.clean(list as unknown[], ["choices", index, "message", "content"]);
      this.#passed.set(index, { ...choice, list: parts });
    }
    yield { chunk: { choices: [], sentCompletion: passedCompletion(sent, this.#passedEnvelope, this.#passed) } };
  }

  /** Releases the usage in a separate chunk, since the text of its chunk may be held back or empty. */
  async *#counted(usage: ResponseChunk["usage"]): AsyncGenerator<Out, void> {
    yield { chunk: { ...this.#repeated, choices: [], ...(await this.#scan.clean({ usage }, [])) } };
  }

  #formOf(name: string): LeafForm {
    return name === "content" && this.settings.isJson ? "json" : "text";
  }

  async *#event(event: ResponseEvent): AsyncGenerator<Out, void> {
    const { type, delta, response: given, ...fields } = event;
    const at = (path: LeafPath) => eventPath(event, path);
    if (type.endsWith(".delta") && delta) {
      const about = await this.#scan.clean(scannedFields({ type, ...fields }), at);
      if (typeof delta === "string") yield* this.#pieces(type, about, delta);
      else this.#hold(type, about, delta);
      return;
    }
    const response = asObject(given);
    if (response || type.endsWith(".done")) yield* this.#close(response ? null : event["output_index"]);
    // Text before a tool call doesn't continue after it.
    if (type === "response.output_item.added" && !SAID.has(String(asObject(event["item"])?.["type"])))
      this.#texts.queue.part();
    this.#texts.add(event, async () => {
      if (!response) return { event: await this.#scan.clean(scannedFields(event), at) };
      const sent = sentOfResponse(response);
      const about = await this.#scan.clean(scannedFields({ type, ...fields }), at);
      return { event: { ...about, response: { ...ownOfResponse(response), ...(await this.#scan.clean(sent, [])) } } };
    });
    yield* this.#texts.flush(response !== null);
  }

  async *#close(item: unknown): AsyncGenerator<Out, void> {
    for (const [key, channel] of this.#texts.channels)
      if (channel.path[1] === (item ?? channel.path[1])) {
        this.#texts.channels.delete(key);
        yield* this.#texts.drain(channel, true);
      }
    for (const [key, event] of this.#pending)
      if (event["output_index"] === (item ?? event["output_index"])) {
        this.#pending.delete(key);
        const at = (path: LeafPath) => eventPath(event, path);
        this.#texts.add(event, async () => ({ event: await this.#scan.clean(event, at) }));
      }
  }

  /** Merges pieces that aren't texts until the end of their item. */
  #hold(type: string, event: ResponseEvent, delta: unknown): void {
    const key = `${type} ${partPath(type, event).join(" ")}`;
    this.#pending.set(key, { ...event, delta: mergePieces(this.#pending.get(key)?.["delta"], delta) });
  }

  async *#pieces(type: string, event: ResponseEvent, delta: string): AsyncGenerator<Out, void> {
    const path = partPath(type, event);
    const given = deltaForm(type);
    const form = given === "text" ? this.#formOf(type.includes("output_text") ? "content" : type) : given;
    const channel = this.#texts.channel(`${type} ${path.join(" ")}`, path, form, String(path[1]));
    channel.release = (part) => ({ event: { ...event, delta: part } });
    this.#texts.push(channel, delta);
    yield* this.#texts.drain(channel, false);
  }
}
