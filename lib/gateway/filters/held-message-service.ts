import "server-only";
import { ANSWER_UNSCANNED } from "../../engine/filters/coverage";
import { messagePath, STREAMED_TEXTS } from "../../engine/filters/message-path";
import type { MessageEvent } from "../../engine/protocols/response-chunk";
import { asObject, asText, type JsonObject } from "../../platform/json-values";
import { gatherDelta } from "../../engine/protocols/messages/whole-message";
import type { ResponseScan } from "./response-scan-service";
import type { Channel, HeldTexts, Out } from "./held-texts-service";

/** Texts that a block's start may contain and that continue in its deltas. */
const TEXTS_OF_START = ["text", "thinking"] as const;

/**
 * Holds back the texts of a Messages response. Events pass in order with their matches replaced. Pieces that aren't
 * texts, such as signatures and citations, are released at the end of their block. Changed thinking loses its
 * signature, which is no longer valid.
 */
export class HeldMessage {
  /** Pieces that aren't texts, by block index. */
  readonly #pending = new Map<number, MessageEvent[]>();

  constructor(
    private readonly scan: ResponseScan,
    private readonly texts: HeldTexts,
    /** True when the texts must be valid JSON. */
    private readonly isJson: boolean,
  ) {}

  async *apply(event: MessageEvent): AsyncGenerator<Out, void> {
    const index = Number(event["index"] ?? 0);
    switch (event.type) {
      case "content_block_start":
        yield* this.#start(event, index);
        break;
      case "content_block_delta":
        yield* this.#delta(event, index);
        break;
      case "content_block_stop":
        yield* this.#close(index);
        this.#add(event);
        break;
      case "message_delta":
      case "message_stop":
        yield* this.#closeAll();
        this.#add(event);
        yield* this.texts.flush(true);
        return;
      default:
        this.#add(event);
    }
    yield* this.texts.flush(false);
  }

  async #cleaned(event: MessageEvent): Promise<MessageEvent> {
    const message = asObject(event["message"]);
    const own = Object.entries(message ?? {}).filter(([name]) => ANSWER_UNSCANNED.messages.has(name));
    const others = Object.entries(message ?? {}).filter(([name]) => !ANSWER_UNSCANNED.messages.has(name));
    const scanned = message ? { ...event, message: Object.fromEntries(others) } : event;
    const cleaned = await this.scan.clean(scanned, (path) => messagePath(event, path));
    return message ? { ...cleaned, message: { ...Object.fromEntries(own), ...asObject(cleaned["message"]) } } : cleaned;
  }

  #add(event: MessageEvent, isSent = () => true): void {
    this.texts.add(event, async () => (isSent() ? { messageEvent: await this.#cleaned(event) } : null));
  }

  /** Adds the start of a block, and the beginning of a text in it as a piece. */
  async *#start(event: MessageEvent, index: number): AsyncGenerator<Out, void> {
    const block = { ...asObject(event["content_block"]) };
    const pieces: JsonObject[] = [];
    for (const name of TEXTS_OF_START)
      if (block["type"] === name && asText(block[name])) {
        pieces.push({ type: `${name}_delta`, [name]: block[name] });
        block[name] = "";
      }
    if (block["type"] === "thinking" && asText(block["signature"])) {
      pieces.push({ type: "signature_delta", signature: block["signature"] });
      block["signature"] = "";
    }
    this.#add({ ...event, content_block: block });
    for (const delta of pieces) yield* this.#delta({ type: "content_block_delta", index, delta }, index);
  }

  async *#delta(event: MessageEvent, index: number): AsyncGenerator<Out, void> {
    const delta = asObject(event["delta"]) ?? {};
    const streamed = STREAMED_TEXTS.get(delta["type"]);
    const text = streamed && asText(delta[streamed.name]);
    if (!streamed || text === null || text === undefined) {
      this.#hold(index, event, delta);
      return;
    }
    const { name } = streamed;
    const channel = this.#channel(index, name);
    if (text === "") {
      this.#add(event);
      return;
    }
    const about = await this.#cleaned({ ...event, delta: { ...delta, [name]: "" } });
    channel.release = (part) => ({ messageEvent: { ...about, delta: { ...asObject(about["delta"]), [name]: part } } });
    this.texts.push(channel, text);
    yield* this.texts.drain(channel, false);
  }

  /** Texts of a kind continue across the blocks of a message. */
  #channel(index: number, name: string): Channel {
    const isJson = name === "partial_json" || (name === "text" && this.isJson);
    const turn = name === "partial_json" ? String(index) : name;
    const path = ["content", index, name === "partial_json" ? "input" : name];
    return this.texts.channel(`${index} ${name}`, path, isJson ? "json" : "text", turn);
  }

  /** Merges the pieces of texts such as signatures. */
  #hold(index: number, event: MessageEvent, { type, ...piece }: JsonObject): void {
    const pending = this.#pending.get(index) ?? [];
    this.#pending.set(index, pending);
    const isText = Object.values(piece).every((value) => typeof value === "string");
    const known = isText ? pending.find(({ delta }) => asObject(delta)?.["type"] === type) : undefined;
    if (known) known["delta"] = gatherDelta({ ...asObject(known["delta"]) }, piece);
    else pending.push({ ...event });
  }

  /** Releases the rest of a block. */
  async *#close(index: number): AsyncGenerator<Out, void> {
    let thinking: Channel | null = null;
    for (const [key, channel] of this.texts.channels)
      if (channel.path[1] === index) {
        this.texts.channels.delete(key);
        yield* this.texts.drain(channel, true);
        if (channel.path[2] === "thinking") thinking = channel;
      }
    for (const event of this.#pending.get(index) ?? []) {
      const isSignature = asObject(event["delta"])?.["type"] === "signature_delta";
      this.#add(event, () => !isSignature || thinking?.released === thinking?.received);
    }
    this.#pending.delete(index);
  }

  async *#closeAll(): AsyncGenerator<Out, void> {
    const open = [...this.texts.channels.values()].map(({ path }) => Number(path[1]));
    for (const index of new Set([...open, ...this.#pending.keys()])) yield* this.#close(index);
  }
}
