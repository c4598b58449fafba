import type { ResponseChunk, UpstreamReader, Delta } from "../response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenResponse } from "../broken-response";
import { madeUpCallId } from "../call-id";
import { exceptionIn } from "./errors";
import { readConverseUsage } from "./read-usage";
import { THINKING_FORMAT } from "../messages/thinking-details";
import { REDACTED_FORMAT } from "./reasoning-details";

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  guardrail_intervened: "content_filter",
  content_filtered: "content_filter",
};

/** Converts the events of ConverseStream, and whole answers of Converse, to canonical chunks. */
export class ConverseUpstreamReader implements UpstreamReader {
  /** @param seed Makes the ids of calls unique that the upstream sends without one. */
  constructor(private readonly seed = "upstream") {}

  /** True after the metadata, which follows the end of the message. */
  isComplete = false;
  #isFinished = false;
  /** Places of calls and of reasoning by the index of their block. */
  readonly #calls = new Map<unknown, number>();
  readonly #thoughts = new Map<unknown, number>();
  /** Blocks of calls whose input hasn't begun. */
  readonly #withoutInput = new Set<unknown>();

  read(value: unknown): ResponseChunk[] {
    const event = answerObject(value);
    const exception = exceptionIn(event);
    if (exception) throw exception;
    if (event["messageStart"]) return [];
    const { contentBlockStart, contentBlockDelta, contentBlockStop, messageStop, metadata } = event;
    if (contentBlockStart) return this.#start(asObject(contentBlockStart) ?? {});
    if (contentBlockDelta) return this.#piece(asObject(contentBlockDelta) ?? {});
    if (contentBlockStop) return this.#stop(asObject(contentBlockStop)?.["contentBlockIndex"]);
    if (messageStop) return [this.#finish(asObject(messageStop) ?? {})];
    if (metadata) {
      this.isComplete = true;
      return [{ choices: [], usage: readConverseUsage(asObject(metadata)?.["usage"]), ...tierOf(asObject(metadata)) }];
    }
    return [];
  }

  readWhole(value: unknown): ResponseChunk[] {
    const body = answerObject(value);
    const message = asObject(asObject(body["output"])?.["message"]);
    if (!message || !Array.isArray(message["content"])) throw notConverse(value);
    const pieces = asObjects(message["content"]).flatMap((block, index) => this.#whole(block, index));
    return [...pieces, { ...this.#finish(body), usage: readConverseUsage(body["usage"]), ...tierOf(body) }];
  }

  end(): ResponseChunk[] {
    if (!this.#isFinished) throw new BrokenResponse("The upstream's stream ended before the response was complete", "");
    return [];
  }

  #start({ contentBlockIndex, start }: JsonObject): ResponseChunk[] {
    const call = asObject(asObject(start)?.["toolUse"]);
    if (!call) return [];
    this.#withoutInput.add(contentBlockIndex);
    return [this.#call(contentBlockIndex, call, "")];
  }

  /** Ends a block: a call without an input has an empty one. */
  #stop(block: unknown): ResponseChunk[] {
    const index = this.#calls.get(block);
    if (index === undefined || !this.#withoutInput.delete(block)) return [];
    return [said({ tool_calls: [{ index, function: { arguments: "{}" } }] })];
  }

  #piece({ contentBlockIndex, delta }: JsonObject): ResponseChunk[] {
    const { text, toolUse, reasoningContent } = asObject(delta) ?? {};
    if (typeof text === "string") return text === "" ? [] : [said({ content: text })];
    const words = asText(asObject(toolUse)?.["input"]);
    if (words) {
      const index = this.#calls.get(contentBlockIndex);
      this.#withoutInput.delete(contentBlockIndex);
      return index === undefined ? [] : [said({ tool_calls: [{ index, function: { arguments: words } }] })];
    }
    return asObject(reasoningContent) ? this.#thought(contentBlockIndex, asObject(reasoningContent) ?? {}) : [];
  }

  #whole(block: JsonObject, index: number): ResponseChunk[] {
    const { text, toolUse, reasoningContent, citationsContent } = block;
    if (typeof text === "string") return text === "" ? [] : [said({ content: text })];
    const call = asObject(toolUse);
    if (call) return [this.#call(index, call, JSON.stringify(call["input"] ?? {}))];
    const { reasoningText, redactedContent } = asObject(reasoningContent) ?? {};
    if (reasoningText || redactedContent) return this.#thought(index, asObject(reasoningText) ?? { redactedContent });
    const cited = asObjects(asObject(citationsContent)?.["content"]).flatMap((part) => asText(part["text"]) ?? []);
    return cited.map((content) => said({ content }));
  }

  #call(block: unknown, { toolUseId, name }: JsonObject, args: string): ResponseChunk {
    const index = this.#calls.size;
    this.#calls.set(block, index);
    const id = asText(toolUseId) || madeUpCallId(this.seed, index, "tooluse");
    return said({
      tool_calls: [{ index, id, type: "function", function: { name: asText(name) ?? "", arguments: args } }],
    });
  }

  /** Returns reasoning as text and as a detail that the caller sends back. */
  #thought(block: unknown, { text, signature, redactedContent }: JsonObject): ResponseChunk[] {
    const index = this.#thoughts.get(block) ?? this.#thoughts.size;
    this.#thoughts.set(block, index);
    if (asText(redactedContent)) {
      const detail = { type: "reasoning.encrypted", data: redactedContent, format: REDACTED_FORMAT, index };
      return [said({ reasoning_details: [detail] })];
    }
    const [words, seal] = [asText(text) ?? "", asText(signature) ?? ""];
    if (words === "" && seal === "") return [];
    const detail = {
      type: "reasoning.text",
      ...(words !== "" && { text: words }),
      ...(seal !== "" && { signature: seal }),
      format: THINKING_FORMAT,
      index,
    };
    return [said({ ...(words !== "" && { reasoning: words }), reasoning_details: [detail] })];
  }

  #finish({ stopReason }: JsonObject): ResponseChunk {
    this.#isFinished = true;
    const reason = asText(stopReason) ?? "end_turn";
    const finish_reason = FINISH_REASONS[reason] ?? "stop";
    return { choices: [{ index: 0, delta: {}, finish_reason, native_finish_reason: reason }] };
  }
}

const said = (delta: Delta): ResponseChunk => ({ choices: [{ index: 0, delta, finish_reason: null }] });

/** Returns the tier that served the request, as chat completions name it. */
function tierOf(body: JsonObject | null): { service_tier?: string } {
  const tier = asText(asObject(body?.["serviceTier"])?.["type"]);
  return tier === null ? {} : { service_tier: tier };
}

const notConverse = (value: unknown) =>
  new BrokenResponse("The upstream's response is not a Converse response", JSON.stringify(value));
