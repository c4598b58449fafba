import { asObjects, asText, type JsonObject } from "../broken-answer";

/** Marks `reasoning_details` that a Messages upstream wrote, and that it takes back. */
export const THINKING_FORMAT = "anthropic-claude-v1";

/**
 * Converts `reasoning_details` of an assistant message to thinking blocks. Pieces of one block, as they are streamed,
 * belong together by their index. Reasoning without a signature, or of other vendors, isn't taken back.
 */
export function toThinkingBlocks(details: unknown): JsonObject[] {
  const blocks: JsonObject[] = [];
  let open: { index: unknown; thinking: string; signature: string } | null = null;
  const close = () => {
    if (open?.signature) blocks.push({ type: "thinking", thinking: open.thinking, signature: open.signature });
    open = null;
  };
  for (const { type, format, index, text, signature, data } of asObjects(details)) {
    if ((format ?? THINKING_FORMAT) !== THINKING_FORMAT) continue;
    if (type === "reasoning.text") {
      if (!open || open.index !== index || open.signature) {
        close();
        open = { index, thinking: "", signature: "" };
      }
      open.thinking += asText(text) ?? "";
      open.signature += asText(signature) ?? "";
    } else if (type === "reasoning.encrypted" && asText(data)) {
      close();
      blocks.push({ type: "redacted_thinking", data });
    }
  }
  close();
  return blocks;
}
