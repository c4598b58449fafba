import { toMessagesCitation } from "./to-citation";
import { toRedactedThinking } from "./sealed-thinking";
import { MAX_ANSWER_CHARACTERS } from "../accumulate";
import type { ResponseChunk, MessageEvent } from "../response-chunk";
import { asObjects, asText, objectIn, type JsonObject } from "../../../platform/json-values";
import { BrokenResponse } from "../broken-response";
import type { ResponseBlock } from "../contracts/messages-result-contract";

type Open =
  | { kind: "text" | "thinking"; index: number; block: JsonObject }
  | { kind: "call"; index: number; call: Call };

interface Call {
  id: string;
  name: string;
  input: string;
  /** Pieces that arrived while another block was open. */
  waiting: string;
  isClosed: boolean;
}

type ToolCallDelta = NonNullable<ResponseChunk["choices"][number]["delta"]["tool_calls"]>[number];

/**
 * Converts chat completion chunks to Messages events and blocks. Blocks don't overlap, so a call waits until earlier
 * calls are complete.
 */
export class MessageWriter {
  /** Completed blocks; all of them after `finish`. */
  readonly content: ResponseBlock[] = [];
  readonly #calls = new Map<number, Call>();
  #open: Open | null = null;
  #count = 0;
  #size = 0;

  /** @param showsThinking False when the request asks for an answer without the text of its reasoning. */
  constructor(private readonly showsThinking = true) {}

  /** Throws `BrokenResponse` when the answer is too long. */
  write({ choices }: ResponseChunk): MessageEvent[] {
    const choice = choices.find(({ index }) => index === 0);
    if (!choice) return [];
    const {
      reasoning: given,
      reasoning_content,
      reasoning_details,
      content,
      refusal,
      tool_calls,
      annotations,
    } = choice.delta;
    const reasoning = given || reasoning_content;
    return [
      ...(reasoning && this.showsThinking ? this.#append("thinking", reasoning) : []),
      ...asObjects(reasoning_details).flatMap((detail) => this.#detail(detail)),
      ...(content ? this.#append("text", content) : []),
      ...(refusal ? this.#append("text", refusal) : []),
      ...asObjects(annotations).flatMap((annotation) => this.#cite(toMessagesCitation(annotation))),
      ...(tool_calls ?? []).flatMap((call) => this.#call(call)),
    ];
  }

  /** Closes the open block and writes the waiting calls. */
  finish(): MessageEvent[] {
    const waiting = [...this.#calls.values()].filter((call) => !call.isClosed && !this.#isOpen(call));
    return [...this.#close(), ...waiting.flatMap((call) => [...this.#openCall(call), ...this.#close()])];
  }

  #append(kind: "text" | "thinking", words: string): MessageEvent[] {
    this.#grow(words.length);
    const before = this.#open?.kind === kind ? [] : this.#start(kind);
    if (this.#open?.kind !== kind) return before;
    const { block, index } = this.#open;
    block[kind] = String(block[kind]) + words;
    return [...before, delta(index, { type: `${kind}_delta`, [kind]: words })];
  }

  /** Writes a signature, which is valid for the reasoning right before it, or encrypted reasoning, which is a separate block. */
  #detail(detail: JsonObject): MessageEvent[] {
    const redacted = toRedactedThinking(detail);
    if (redacted) {
      const before = this.#close();
      const index = this.#count++;
      this.content[index] = redacted;
      return [...before, ...wholeBlock(index, redacted)];
    }
    const signature = asText(detail["signature"]);
    if (detail["type"] !== "reasoning.text" || !signature) return [];
    if (this.#open?.kind !== "thinking") return [];
    const { block, index } = this.#open;
    block["signature"] = String(block["signature"]) + signature;
    return [delta(index, { type: "signature_delta", signature })];
  }

  #cite(citation: JsonObject): MessageEvent[] {
    if (this.#open?.kind !== "text") return [];
    const { block, index } = this.#open;
    block["citations"] = [...asObjects(block["citations"]), citation];
    return [delta(index, { type: "citations_delta", citation })];
  }

  #call({ index, id, function: called, custom }: ToolCallDelta): MessageEvent[] {
    const words = custom ? (custom.input ?? "") : (called?.arguments ?? "");
    this.#grow(words.length);
    let call = this.#calls.get(index);
    const isNew = !call;
    call ??= { id: id ?? "", name: called?.name ?? custom?.name ?? "", input: "", waiting: "", isClosed: false };
    this.#calls.set(index, call);
    call.waiting += words;
    if (call.isClosed && words.trim() !== "")
      throw new BrokenResponse("The upstream sent arguments of a tool call after its end", words);
    if (this.#isOpen(call)) return this.#release(call);
    const isFree = this.#open?.kind !== "call" || isComplete(this.#open.call);
    return isNew && isFree ? this.#openCall(call) : [];
  }

  #isOpen(call: Call): boolean {
    return this.#open?.kind === "call" && this.#open.call === call;
  }

  #openCall(call: Call): MessageEvent[] {
    const before = this.#close();
    const index = this.#count++;
    this.#open = { kind: "call", index, call };
    const content_block = { type: "tool_use", id: call.id, name: call.name, input: {} };
    return [...before, { type: "content_block_start", index, content_block }, ...this.#release(call)];
  }

  #release(call: Call): MessageEvent[] {
    const words = call.waiting;
    if (words === "" || this.#open?.kind !== "call") return [];
    call.input += words;
    call.waiting = "";
    return [delta(this.#open.index, { type: "input_json_delta", partial_json: words })];
  }

  #start(kind: "text" | "thinking"): MessageEvent[] {
    const before = this.#close();
    const index = this.#count++;
    const block = kind === "text" ? { type: kind, text: "" } : { type: kind, thinking: "", signature: "" };
    this.#open = { kind, index, block };
    return [...before, { type: "content_block_start", index, content_block: { ...block } }];
  }

  #close(): MessageEvent[] {
    const open = this.#open;
    if (!open) return [];
    this.#open = null;
    if (open.kind === "call") open.call.isClosed = true;
    this.content[open.index] = (open.kind === "call" ? calledBlock(open.call) : open.block) as ResponseBlock;
    return [{ type: "content_block_stop", index: open.index }];
  }

  #grow(length: number): void {
    this.#size += length;
    if (this.#size > MAX_ANSWER_CHARACTERS)
      throw new BrokenResponse(`The upstream's response is longer than ${MAX_ANSWER_CHARACTERS} characters`, "");
  }
}

const delta = (index: number, given: JsonObject): MessageEvent => ({
  type: "content_block_delta",
  index,
  delta: given,
});

const wholeBlock = (index: number, content_block: ResponseBlock): MessageEvent[] => [
  { type: "content_block_start", index, content_block },
  { type: "content_block_stop", index },
];

const inputOf = ({ input, waiting }: Call): JsonObject | null => objectIn(input + waiting || "{}");

const isComplete = (call: Call): boolean => call.input + call.waiting !== "" && inputOf(call) !== null;

/** Returns the block of a call. Input that isn't an object, as models sometimes write it, is wrapped in one. */
const calledBlock = (call: Call): JsonObject => ({
  type: "tool_use",
  id: call.id,
  name: call.name,
  input: inputOf(call) ?? { input: call.input + call.waiting },
});
