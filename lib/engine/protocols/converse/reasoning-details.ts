import { asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { THINKING_FORMAT } from "../messages/thinking-details";

/** Marks redacted reasoning that a Converse upstream wrote, and that only such an upstream takes back. */
export const REDACTED_FORMAT = "bedrock-converse-v1";

/**
 * Converts `reasoning_details` of an assistant's message to content blocks. Pieces of one block, as they are streamed,
 * belong together by their index. Reasoning without a signature, or of other vendors, isn't taken back.
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
