import type { MessageEvent } from "../response-chunk";
import { asObject, asObjects, asText, parseJson, type JsonObject } from "../../../platform/json-values";
import { mergeUsage } from "./read-usage";

/** A message, assembled from the events so far. */
export interface GatheredMessage {
  message: JsonObject;
  blocks: Map<number, JsonObject>;
  /** Inputs of calls, as JSON, by the index of their block. */
  inputs: Map<number, string>;
}

/** Adds an event in place. */
export function gatherMessage(given: GatheredMessage | null, event: MessageEvent): GatheredMessage {
  const sum: GatheredMessage = given ?? { message: {}, blocks: new Map(), inputs: new Map() };
  const index = Number(event["index"]);
  switch (event.type) {
    case "message_start":
      Object.assign(sum.message, asObject(event["message"]));
      break;
    case "content_block_start":
      sum.blocks.set(index, { ...asObject(event["content_block"]) });
      break;
    case "content_block_delta":
      addDelta(sum, index, asObject(event["delta"]) ?? {});
      break;
    case "message_delta": {
      const { type: _, delta, usage, ...rest } = event;
      const total = mergeUsage(asObject(sum.message["usage"]) ?? {}, usage);
      Object.assign(sum.message, asObject(delta), rest, { usage: total });
    }
  }
  return sum;
}

function addDelta({ blocks, inputs }: GatheredMessage, index: number, { type, ...delta }: JsonObject): void {
  const block = blocks.get(index);
  if (!block) return;
  if (type === "input_json_delta") inputs.set(index, (inputs.get(index) ?? "") + (asText(delta["partial_json"]) ?? ""));
  else if (type === "citations_delta") block["citations"] = [...asObjects(block["citations"]), delta["citation"]];
  else gatherDelta(block, delta);
}

/** Adds a delta in place; texts are concatenated. */
export function gatherDelta(sum: JsonObject, delta: JsonObject): JsonObject {
  for (const [name, piece] of Object.entries(delta)) {
    const before = sum[name];
    sum[name] = typeof before === "string" && typeof piece === "string" ? before + piece : (piece ?? before);
  }
  return sum;
}

/** Returns the message with its blocks. */
export function gatheredMessage({ message, blocks, inputs }: GatheredMessage): JsonObject {
  const content = [...blocks]
    .toSorted(([a], [b]) => a - b)
    .map(([index, block]) => (inputs.has(index) ? { ...block, input: inputOf(inputs.get(index) ?? "") } : block));
  return { ...message, content };
}

function inputOf(json: string): unknown {
  try {
    return parseJson(json || "{}");
  } catch {
    return { input: json };
  }
}
