import { asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { THINKING_FORMAT } from "../messages/thinking-details";

/** Format of redacted reasoning from Converse, which only Converse upstreams accept. */
export const REDACTED_FORMAT = "bedrock-converse-v1";

/**
 * Converts `reasoning_details` of an assistant's message to content blocks. Streamed pieces with the same index form
 * one block. Reasoning without a signature, or from other vendors, is left out.
 */
export function toReasoningBlocks(details: unknown): JsonObject[] {
  const blocks = new Map<unknown, { text: string; signature: string; redactedContent: string }>();
  for (const { format, index, text, signature, data } of asObjects(details)) {
    if (format !== THINKING_FORMAT && format !== REDACTED_FORMAT) continue;
    const block = blocks.get(index) ?? { text: "", signature: "", redactedContent: "" };
    block.text += asText(text) ?? "";
    block.signature += asText(signature) ?? "";
    if (format === REDACTED_FORMAT) block.redactedContent += asText(data) ?? "";
    blocks.set(index, block);
  }
  return [...blocks.values()].flatMap(({ text, signature, redactedContent }): JsonObject[] => {
    if (redactedContent !== "") return [{ reasoningContent: { redactedContent } }];
    return signature === "" ? [] : [{ reasoningContent: { reasoningText: { text, signature } } }];
  });
}
