import type { ResponseChunk, UpstreamReader, Delta, ResponseEvent } from "../response-chunk";
import { toChatLogprobs } from "../response-details";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenResponse, reportedError } from "../broken-response";
import { itemEvents } from "./item-events";
import { readResponseUsage } from "../read-usage";
import { OutputItem } from "../contracts/responses-result-contract";
import { mergeDeltas, DeltaDeduplicator } from "./delta-deduplicator";
import { ItemPlaces, typeOfPiece } from "./item-places";

/** Events before the answer. While only these have arrived, another endpoint can be tried. */
export const PREAMBLE: ReadonlySet<string> = new Set(["response.created", "response.in_progress", "response.queued"]);
export const TERMINAL: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);
const FAILED = new Set(["response.failed", "response.cancelled"]);

const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

/** Converts Responses events to canonical chunks, each with its source event. */
export class ResponsesUpstreamReader implements UpstreamReader {
  isComplete = false;
  #id: string | null = null;
  #deltas: DeltaDeduplicator;
  #places = new ItemPlaces();
  /** Events before the answer, until it begins. */
  #preamble: ResponseChunk[] = [];
  #hasBegun = false;

  /** @param seed Makes the ids of calls unique that the upstream sends without one. */
  constructor(seed = "upstream") {
    this.#deltas = new DeltaDeduplicator(seed);
  }

  read(value: unknown): ResponseChunk[] {
    const event = answerObject(value);
    const type = asText(event["type"]);
    if (type === null)
      throw new BrokenResponse("The upstream's response is not a Responses event", JSON.stringify(value));
    const response = asObject(event["response"]);
    this.#id ??= asText(response?.["id"]);
    if (FAILED.has(type)) throw reportedError(response?.["error"], event);
    if (type === "response.created") this.#places.startPhase();
    if (PREAMBLE.has(type)) {
      if (!this.#hasBegun) this.#preamble.push({ id: this.#id, choices: [], responseEvent: { ...event, type } });
      return [];
    }
    const chunk = TERMINAL.has(type) ? this.#last({ ...event, type }, response ?? {}) : this.#piece(type, event);
    this.#hasBegun = true;
    return [...this.#preamble.splice(0), chunk];
  }

  #piece(type: string, event: JsonObject): ResponseChunk {
    const place = this.#placeOf(type, event);
    const delta = place === null ? {} : this.#delta(type, place, event);
    const logprobs = toChatLogprobs(event["logprobs"]);
    const choices =
      Object.keys(delta).length > 0 ? [{ index: 0, delta, finish_reason: null, ...(logprobs && { logprobs }) }] : [];
    return { id: this.#id, choices, responseEvent: { ...event, ...(place !== null && { output_index: place }), type } };
  }

  /** Returns the place of the item that an event is about; null for events about none. */
  #placeOf(type: string, event: JsonObject): number | null {
    const { output_index, item_id } = event;
    const item = asObject(event["item"]);
    if (type === "response.output_item.added") return this.#places.added(output_index, item ?? {});
    if (type === "response.output_item.done") return this.#places.done(output_index, item ?? {});
    return output_index === undefined && item_id === undefined && typeOfPiece(type) === null
      ? null
      : this.#places.piece(output_index, item_id, type);
  }

  readWhole(value: unknown): ResponseChunk[] {
    const response = answerObject(value);
    const { status } = response;
    const output = outputOf(response);
    const type = `response.${asText(status) ?? "completed"}`;
    if (!TERMINAL.has(type))
      throw reportedError({ message: `The upstream returned a response with status ${String(status)}` }, response);
    const events: ResponseEvent[] = output.flatMap((item, index) => itemEvents(item, index));
    return [...events, { type, response }].flatMap((event) => this.read(event));
  }

  end(): ResponseChunk[] {
    throw new BrokenResponse("The upstream's stream ended before the response was complete", "");
  }

  #last(event: ResponseEvent, response: JsonObject): ResponseChunk {
    this.isComplete = true;
    const output = outputOf(response);
    const places = this.#places.final(output);
    const delta = output.map((item, index) => this.#deltas.item(places[index] ?? index, item)).reduce(mergeDeltas, {});
    const reason = asText(asObject(response["incomplete_details"])?.["reason"]);
    const isIncomplete = event.type === "response.incomplete";
    const finish_reason = !isIncomplete
      ? this.#deltas.hasCalls
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
      usage: readResponseUsage(response["usage"] ?? event["usage"]),
      ...(asText(response["service_tier"]) && { service_tier: response["service_tier"] }),
      responseEvent: event,
    };
  }

  #delta(type: string, item: number, { content_index, summary_index, ...event }: JsonObject): Delta {
    const deltas = this.#deltas;
    const part = indexOf(content_index);
    const delta = asText(event["delta"]);
    const text = asText(event["text"]);
    switch (type) {
      case "response.output_text.delta":
        return deltas.text("content", item, part, delta, "delta");
      case "response.output_text.done":
        return deltas.text("content", item, part, text, "complete");
      case "response.refusal.delta":
        return deltas.text("refusal", item, part, delta, "delta");
      case "response.refusal.done":
        return deltas.text("refusal", item, part, asText(event["refusal"]), "complete");
      case "response.output_text.annotation.added":
        return deltas.annotation(item, part, event["annotation_index"], event["annotation"]);
      case "response.reasoning_summary_text.delta":
        return deltas.reasoning("summary", item, indexOf(summary_index), delta, "delta");
      case "response.reasoning_summary_text.done":
        return deltas.reasoning("summary", item, indexOf(summary_index), text, "complete");
      case "response.reasoning_text.delta":
        return deltas.reasoning("content", item, part, delta, "delta");
      case "response.reasoning_text.done":
        return deltas.reasoning("content", item, part, text, "complete");
      case "response.output_item.added":
        return CALLS.has(String(asObject(event["item"])?.["type"]))
          ? deltas.call(item, asObject(event["item"]) ?? {})
          : {};
      case "response.function_call_arguments.delta":
        return deltas.callArguments(item, delta, "delta");
      case "response.function_call_arguments.done":
        return deltas.callArguments(item, asText(event["arguments"]), "complete");
      case "response.custom_tool_call_input.delta":
        return deltas.callInput(item, delta, "delta");
      case "response.custom_tool_call_input.done":
        return deltas.callInput(item, asText(event["input"]), "complete");
      case "response.output_item.done":
        return deltas.item(item, asObject(event["item"]) ?? {});
      default:
        return {};
    }
  }
}

/** Index of a part; some upstreams leave out the index of the only one. */
const indexOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function outputOf(response: JsonObject): OutputItem[] {
  const { data } = OutputItem.array().safeParse(response["output"]);
  if (!data) throw new BrokenResponse("The upstream's response is not a Responses object", JSON.stringify(response));
  return data;
}
