import type { ChatChunk } from "./chat-result-contract";
import type { OutputItem } from "./responses-result-contract";

/** One server-sent event of Responses, before it is numbered. */
export interface ResponseEvent {
  type: `response.${string}`;
  [field: string]: unknown;
}

type Kind = "reasoning" | "message" | "function_call";

/** The item that is being written: chunks append to it until another kind or another call begins. */
interface Open {
  kind: Kind;
  /** Which call of the upstream; 0 for text and reasoning. */
  call: number;
  id: string;
  output_index: number;
  text: string;
  name: string;
  callId: string;
}

/**
 * Chat completions chunks → events of Responses and the output items that they describe. Items follow each other:
 * reasoning, text and calls each open their own and close the one before.
 */
export class OutputWriter {
  readonly output: OutputItem[] = [];
  #open: Open | null = null;

  /** @param generationId makes the items' ids unique. */
  constructor(private readonly generationId: string) {}

  write({ choices }: ChatChunk): ResponseEvent[] {
    const choice = choices.find(({ index }) => index === 0);
    if (!choice) return [];
    const { reasoning, content, tool_calls } = choice.delta;
    return [
      ...(reasoning ? this.#append("reasoning", 0, reasoning) : []),
      ...(content ? this.#append("message", 0, content) : []),
      ...(tool_calls ?? []).flatMap(({ index, id, function: part }) =>
        this.#append("function_call", index, part?.arguments ?? "", { name: part?.name ?? "", callId: id ?? "" }),
      ),
    ];
  }

  /** Closes the item that is being written. */
  finish(status: "completed" | "incomplete"): ResponseEvent[] {
    const open = this.#open;
    if (!open) return [];
    this.#open = null;
    const item = itemOf(open, status);
    this.output.push(item);
    const at = { item_id: open.id, output_index: open.output_index };
    return [...closing(open, at), { type: "response.output_item.done", output_index: open.output_index, item }];
  }

  #append(kind: Kind, call: number, delta: string, naming = { name: "", callId: "" }): ResponseEvent[] {
    const isSame = this.#open?.kind === kind && this.#open.call === call;
    const before = isSame ? [] : [...this.finish("completed"), ...this.#begin(kind, call, naming)];
    const open = this.#open;
    if (!open || delta === "") return before;
    open.text += delta;
    const at = { item_id: open.id, output_index: open.output_index };
    const place = kind === "function_call" ? {} : { content_index: 0, ...(kind === "message" && { logprobs: [] }) };
    return [...before, { type: DELTA[kind], ...at, ...place, delta }];
  }

  #begin(kind: Kind, call: number, naming: { name: string; callId: string }): ResponseEvent[] {
    const output_index = this.output.length;
    const open: Open = { kind, call, id: `${PREFIX[kind]}_${this.generationId}_${output_index}`, output_index, text: "", ...naming };
    this.#open = open;
    const added: ResponseEvent = { type: "response.output_item.added", output_index, item: withoutContent(itemOf(open, "in_progress")) };
    if (kind === "function_call") return [added];
    return [added, { type: "response.content_part.added", item_id: open.id, output_index, content_index: 0, part: partOf(open) }];
  }
}

const PREFIX: Readonly<Record<Kind, string>> = { reasoning: "rs", message: "msg", function_call: "fc" };

const DELTA = {
  reasoning: "response.reasoning_text.delta",
  message: "response.output_text.delta",
  function_call: "response.function_call_arguments.delta",
} as const satisfies Record<Kind, string>;

const textPart = (text: string) => ({ type: "output_text" as const, text, annotations: [], logprobs: [] });
const reasoningPart = (text: string) => ({ type: "reasoning_text" as const, text });
const partOf = ({ kind, text }: Open) => (kind === "reasoning" ? reasoningPart(text) : textPart(text));

function itemOf({ kind, id, text, name, callId }: Open, status: "in_progress" | "completed" | "incomplete"): OutputItem {
  switch (kind) {
    case "reasoning":
      return { type: kind, id, status, summary: [], content: [reasoningPart(text)] };
    case "message":
      return { type: kind, id, role: "assistant", status, content: [textPart(text)] };
    case "function_call":
      return { type: kind, id, call_id: callId, name, arguments: text, status };
  }
}

const withoutContent = (item: OutputItem): OutputItem => (item.type === "function_call" ? item : { ...item, content: [] });

/** The events that say an item's text is complete. */
function closing(open: Open, at: { item_id: string; output_index: number }): ResponseEvent[] {
  const { text } = open;
  if (open.kind === "function_call") return [{ type: "response.function_call_arguments.done", ...at, name: open.name, arguments: text }];
  const done: ResponseEvent =
    open.kind === "reasoning"
      ? { type: "response.reasoning_text.done", ...at, content_index: 0, text }
      : { type: "response.output_text.done", ...at, content_index: 0, text, logprobs: [] };
  return [done, { type: "response.content_part.done", ...at, content_index: 0, part: partOf(open) }];
}
