import type { MessageEvent } from "../response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";

/** Returns the events of a stream with the message. */
export function wholeEvents(message: JsonObject): MessageEvent[] {
  const { content, stop_reason, stop_sequence, stop_details, container, usage } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    ...asObjects(content).flatMap(blockEvents),
    {
      type: "message_delta",
      delta: {
        stop_reason: asText(stop_reason) ?? "end_turn",
        stop_sequence: stop_sequence ?? null,
        ...(stop_details !== undefined && { stop_details }),
        ...(container !== undefined && { container }),
      },
      usage: asObject(usage) ?? {},
    },
    { type: "message_stop" },
  ];
}

/** Blocks whose input is streamed as JSON. */
const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

function blockEvents(block: JsonObject, index: number): MessageEvent[] {
  const { opening, deltas } = partsOf(block);
  return [
    { type: "content_block_start", index, content_block: opening },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** Splits a block into its start and the deltas that follow. */
function partsOf(block: JsonObject): { opening: JsonObject; deltas: JsonObject[] } {
  const { type, text, citations, thinking, signature, input } = block;
  if (type === "text")
    return {
      opening: { ...block, text: "", ...(Array.isArray(citations) && { citations: [] }) },
      deltas: [
        { type: "text_delta", text },
        ...asObjects(citations).map((citation) => ({ type: "citations_delta", citation })),
      ],
    };
  if (type === "thinking")
    return {
      opening: { ...block, thinking: "", signature: "" },
      deltas: [
        ...(thinking ? [{ type: "thinking_delta", thinking }] : []),
        ...(signature ? [{ type: "signature_delta", signature }] : []),
      ],
    };
  if (CALLS.has(type))
    return {
      opening: { ...block, input: {} },
      deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(input ?? {}) }],
    };
  return { opening: block, deltas: [] };
}
