import type { ResponseChunk, UpstreamReader, Delta, MessageEvent } from "../response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { madeUpCallId } from "../call-id";
import { BrokenResponse, reportedError } from "../broken-response";
import { toChatCitation } from "./citations";
import { mergeUsage, readMessageUsage, readUsageSoFar } from "./read-usage";
import { THINKING_FORMAT } from "./thinking-details";
import { wholeEvents } from "./whole-events";

/** Events before the answer. While only these have arrived, another endpoint can be tried. */
const PREAMBLE: ReadonlySet<string> = new Set(["message_start", "ping"]);

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** A content block that is being received. */
interface Block {
  type: string;
  /** Index among the calls, or among the reasoning details. */
  place: number;
  /** Offset of its text in the answer's content. */
  start: number;
  /** Input of a call that arrived with its start. */
  input: unknown;
  hasInput: boolean;
  thinking: string;
  signature: string;
  citations: JsonObject[];
}

/**
 * Converts Messages events to canonical chunks, each with its source event. Blocks of server tools have no counterpart
 * in a chat completion, so only their events pass.
 */
export class MessagesUpstreamReader implements UpstreamReader {
  isComplete = false;
  #id: string | null = null;
  #usage: JsonObject = {};
  #blocks = new Map<unknown, Block>();
  #preamble: ResponseChunk[] = [];
  #calls = 0;
  #thoughts = 0;
  #length = 0;
  #isFinished = false;
  #isWhole: boolean;
  readonly #seed: string;

  /**
   * `isWhole` if every text arrives in one piece; `seed` makes the ids of calls unique that the upstream sends without one, in an
   * answer without an id.
   */
  constructor({ isWhole = false, seed = "upstream" } = {}) {
    this.#isWhole = isWhole;
    this.#seed = seed;
  }

  read(value: unknown): ResponseChunk[] {
    const event = asObject(value);
    const type = asText(event?.["type"]);
    if (event?.["error"]) throw reportedError(event["error"], event);
    if (!event || type === null) throw notMessage(value);
    if (type === "error") throw reportedError(event, event);
    const messageEvent: MessageEvent = { ...event, type };
    if (type === "message_start") this.#start(event["message"]);
    const chunk: ResponseChunk = {
      id: this.#id,
      choices: [],
      messageEvent,
      ...(type === "message_start" && { usageSoFar: readUsageSoFar(this.#usage) }),
    };
    if (PREAMBLE.has(type) && !this.#blocks.size && !this.#isFinished) {
      this.#preamble.push(chunk);
      return [];
    }
    const answer = type === "message_delta" ? this.#last(event) : { choices: choicesOf(this.#delta(type, event)) };
    this.isComplete ||= type === "message_stop";
    return [...this.#preamble.splice(0), { ...chunk, ...answer }];
  }

  readWhole(value: unknown): ResponseChunk[] {
    const message = asObject(value);
    if (message?.["error"]) throw reportedError(message["error"], message);
    if (message?.["type"] === "error") throw reportedError(message, message);
    if (!message || !Array.isArray(message["content"])) throw notMessage(value);
    this.#isWhole = true;
    return wholeEvents(message).flatMap((event) => this.read(event));
  }

  end(): ResponseChunk[] {
    if (!this.#isFinished) throw new BrokenResponse("The upstream's stream ended before the response was complete", "");
    return [];
  }

  #start(given: unknown): void {
    const message = asObject(given) ?? {};
    this.#id ??= asText(message["id"]);
    this.#usage = mergeUsage(this.#usage, message["usage"]);
  }

  #last(event: JsonObject): Partial<ResponseChunk> & Pick<ResponseChunk, "choices"> {
    const { stop_reason, stop_details } = asObject(event["delta"]) ?? {};
    const reason = asText(stop_reason);
    this.#usage = mergeUsage(this.#usage, event["usage"]);
    if (reason === null) return { choices: [], usageSoFar: readUsageSoFar(this.#usage) };
    this.#isFinished = true;
    const explanation = asText(asObject(stop_details)?.["explanation"]);
    const tier = asText(this.#usage["service_tier"]);
    return {
      choices: [
        {
          index: 0,
          delta: reason === "refusal" && explanation ? { refusal: explanation } : {},
          finish_reason: FINISH_REASONS[reason] ?? "stop",
          native_finish_reason: reason,
        },
      ],
      usage: readMessageUsage(this.#usage),
      ...(tier !== null && { service_tier: tier === "standard" ? "default" : tier }),
    };
  }

  #delta(type: string, event: JsonObject): Delta {
    switch (type) {
      case "content_block_start":
        return this.#open(event["index"], asObject(event["content_block"]) ?? {});
      case "content_block_delta": {
        const block = this.#blocks.get(event["index"]);
        return block ? this.#piece(block, asObject(event["delta"]) ?? {}) : {};
      }
      case "content_block_stop": {
        const block = this.#blocks.get(event["index"]);
        return block ? this.#close(block) : {};
      }
      default:
        return {};
    }
  }

  #open(index: unknown, { type, ...given }: JsonObject): Delta {
    const block: Block = {
      type: String(type),
      place: 0,
      start: this.#length,
      input: given["input"],
      hasInput: false,
      thinking: "",
      signature: "",
      citations: asObjects(given["citations"]),
    };
    this.#blocks.set(index, block);
    switch (type) {
      case "text":
        return this.#text(asText(given["text"]));
      case "thinking":
        block.place = this.#thoughts++;
        return this.#thought(block, asText(given["thinking"]) ?? "", asText(given["signature"]) ?? "");
      case "redacted_thinking": {
        const detail = { type: "reasoning.encrypted", data: given["data"], format: THINKING_FORMAT };
        return { reasoning_details: [{ ...detail, index: this.#thoughts++ }] };
      }
      case "tool_use": {
        block.place = this.#calls++;
        const named = { name: asText(given["name"]) ?? "", arguments: "" };
        const id = asText(given["id"]) || madeUpCallId(this.#id || this.#seed, block.place, "toolu");
        return { tool_calls: [{ index: block.place, id, type: "function", function: named }] };
      }
      default:
        return {};
    }
  }

  #piece(block: Block, { type, ...delta }: JsonObject): Delta {
    switch (type) {
      case "text_delta":
        return block.type === "text" ? this.#text(asText(delta["text"])) : {};
      case "thinking_delta":
        return this.#thought(block, asText(delta["thinking"]) ?? "", "");
      case "signature_delta":
        return this.#thought(block, "", asText(delta["signature"]) ?? "");
      case "citations_delta":
        block.citations.push(...asObjects([delta["citation"]]));
        return {};
      case "input_json_delta": {
        const words = asText(delta["partial_json"]);
        if (block.type !== "tool_use" || !words) return {};
        block.hasInput = true;
        return { tool_calls: [{ index: block.place, function: { arguments: words } }] };
      }
      default:
        return {};
    }
  }

  /** Returns the parts of a block that are complete only at its end. */
  #close(block: Block): Delta {
    switch (block.type) {
      case "text":
        return block.citations.length > 0
          ? { annotations: block.citations.map((citation) => toChatCitation(citation, block.start, this.#length)) }
          : {};
      case "thinking":
        return this.#isWhole && (block.thinking || block.signature)
          ? { reasoning_details: [this.#detail(block, block.thinking, block.signature)] }
          : {};
      case "tool_use":
        return block.hasInput
          ? {}
          : { tool_calls: [{ index: block.place, function: { arguments: JSON.stringify(block.input ?? {}) } }] };
      default:
        return {};
    }
  }

  #text(text: string | null): Delta {
    if (!text) return {};
    this.#length += text.length;
    return { content: text };
  }

  #thought(block: Block, thinking: string, signature: string): Delta {
    block.thinking += thinking;
    block.signature += signature;
    const isPiece = !this.#isWhole && (thinking !== "" || signature !== "");
    return {
      ...(thinking !== "" && { reasoning: thinking }),
      ...(isPiece && { reasoning_details: [this.#detail(block, thinking, signature)] }),
    };
  }

  #detail({ place }: Block, text: string, signature: string): JsonObject {
    return {
      type: "reasoning.text",
      ...(text !== "" && { text }),
      ...(signature !== "" && { signature }),
      format: THINKING_FORMAT,
      index: place,
    };
  }
}

const choicesOf = (delta: Delta): ResponseChunk["choices"] =>
  Object.keys(delta).length > 0 ? [{ index: 0, delta, finish_reason: null }] : [];

const notMessage = (value: unknown) =>
  new BrokenResponse("The upstream's response is not a message", JSON.stringify(value));
