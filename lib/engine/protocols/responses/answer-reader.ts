import type { AnswerChunk, AnswerReader, Delta, ResponseEvent } from "../answer-chunk";
import { toChatLogprobs } from "../answer-details";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenAnswer, reportedError } from "../broken-answer";
import { itemEvents } from "./item-events";
import { readResponseUsage } from "../read-usage";
import { OutputItem } from "../contracts/responses-result-contract";
import { mergeDeltas, DeltaDeduplicator } from "./delta-deduplicator";

/**
 * Events that repeat the request; they are regenerated here, and as long as only these have arrived another endpoint
 * can be tried.
 */
const PREAMBLE = new Set(["response.created", "response.in_progress", "response.queued"]);
const TERMINAL = new Set(["response.completed", "response.incomplete"]);
const FAILED = new Set(["response.failed", "response.cancelled"]);

const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** Converts Responses events to canonical chunks, each with its source event. */
export class ResponsesAnswerReader implements AnswerReader {
  isComplete = false;
  #id: string | null = null;
  #spoken = new DeltaDeduplicator();

  read(value: unknown): AnswerChunk[] {
    const event = answerObject(value);
    const type = asText(event["type"]);
    if (type === null) throw new BrokenAnswer("The answer is not a Responses event", JSON.stringify(value));
    const response = asObject(event["response"]);
    this.#id ??= asText(response?.["id"]);
    if (FAILED.has(type)) throw reportedError(response?.["error"], event);
    if (PREAMBLE.has(type)) return [];
    if (TERMINAL.has(type)) return [this.#last({ ...event, type }, response ?? {})];
    const delta = this.#delta(type, event);
    const logprobs = toChatLogprobs(event["logprobs"]);
    const choices =
      Object.keys(delta).length > 0 ? [{ index: 0, delta, finish_reason: null, ...(logprobs && { logprobs }) }] : [];
    return [{ id: this.#id, choices, responseEvent: { ...event, type } }];
  }

  readWhole(value: unknown): AnswerChunk[] {
    const response = answerObject(value);
    const { status } = response;
    const output = outputOf(response);
    const type = `response.${asText(status) ?? "completed"}`;
    if (!TERMINAL.has(type))
      throw reportedError({ message: `The upstream returned an answer with status ${String(status)}` }, response);
    const events: ResponseEvent[] = output.flatMap((item, index) => itemEvents(item, index));
    return [...events, { type, response }].flatMap((event) => this.read(event));
  }

  end(): AnswerChunk[] {
    throw new BrokenAnswer("The stream ended in the middle of the answer", "");
  }

  #last(event: ResponseEvent, response: JsonObject): AnswerChunk {
    this.isComplete = true;
    const delta = outputOf(response)
      .map((item, index) => this.#spoken.item(index, item))
      .reduce(mergeDeltas, {});
    const reason = asText(asObject(response["incomplete_details"])?.["reason"]);
    const isIncomplete = event.type === "response.incomplete";
    const finish_reason = !isIncomplete
      ? this.#spoken.hasCalls
        ? "tool_calls"
        : "stop"
      : reason === "content_filter"
        ? reason
        : "length";
    return {
      id: this.#id,
      choices: [
        { index: 0, delta, finish_reason, native_finish_reason: reason ?? event.type.replace("response.", "") },
      ],
      usage: readResponseUsage(response["usage"]),
      ...(asText(response["service_tier"]) && { service_tier: response["service_tier"] }),
      responseEvent: event,
    };
  }

  #delta(type: string, { output_index: item, content_index, summary_index, ...event }: JsonObject): Delta {
    const spoken = this.#spoken;
    const delta = asText(event["delta"]);
    const text = asText(event["text"]);
    switch (type) {
      case "response.output_text.delta":
        return spoken.text("content", item, content_index, delta, false);
      case "response.output_text.done":
        return spoken.text("content", item, content_index, text, true);
      case "response.refusal.delta":
        return spoken.text("refusal", item, content_index, delta, false);
      case "response.refusal.done":
        return spoken.text("refusal", item, content_index, asText(event["refusal"]), true);
      case "response.output_text.annotation.added":
        return spoken.annotation(item, content_index, event["annotation_index"], event["annotation"]);
      case "response.reasoning_summary_text.delta":
        return spoken.reasoning("summary", item, summary_index, delta, false);
      case "response.reasoning_summary_text.done":
        return spoken.reasoning("summary", item, summary_index, text, true);
      case "response.reasoning_text.delta":
        return spoken.reasoning("content", item, content_index, delta, false);
      case "response.reasoning_text.done":
        return spoken.reasoning("content", item, content_index, text, true);
      case "response.output_item.added":
        return CALLS.has(String(asObject(event["item"])?.["type"]))
          ? spoken.call(item, asObject(event["item"]) ?? {})
          : {};
      case "response.function_call_arguments.delta":
        return spoken.callArguments(item, delta, false);
      case "response.function_call_arguments.done":
        return spoken.callArguments(item, asText(event["arguments"]), true);
      case "response.custom_tool_call_input.delta":
        return spoken.callInput(item, delta, false);
      case "response.custom_tool_call_input.done":
        return spoken.callInput(item, asText(event["input"]), true);
      case "response.output_item.done":
        return spoken.item(item, asObject(event["item"]) ?? {});
      default:
        return {};
    }
  }
}

function outputOf(response: JsonObject): OutputItem[] {
  const { data } = OutputItem.array().safeParse(response["output"]);
  if (!data) throw new BrokenAnswer("The answer is not a Responses object", JSON.stringify(response));
  return data;
}
