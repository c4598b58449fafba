import { asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { isSignature, signatureInSeal, toSignatureSeal } from "../generate-content/signatures";

/** Format of `reasoning_details` from Messages upstreams, which accept them in later requests. */
export const THINKING_FORMAT = "anthropic-claude-v1";

/**
 * Converts `reasoning_details` of an assistant message to thinking blocks. Streamed pieces with the same index form one
 * block. Reasoning without a signature, or from other vendors, is left out.
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

/** Prefixes of thinking in the encrypted content of reasoning items. They are base64 like the rest, so that filters treat it as opaque. */
const SIGNED = "anthropicThinking001";
const REDACTED = "anthropicRedacted001";

/** Returns the `reasoning_details` that their upstreams accept from Responses clients, too. */
export const thinkingDetails = (details: unknown): JsonObject[] =>
  asObjects(details).filter((detail) => detail["format"] === THINKING_FORMAT || isSignature(detail));

/** Returns the encrypted content of the reasoning item that a signature or redacted thinking belongs to. */
export function toSeal(detail: JsonObject): string | null {
  const { type, signature, data } = detail;
  if (isSignature(detail)) return toSignatureSeal(detail);
  if (type === "reasoning.encrypted") return asText(data) && REDACTED + String(data);
  return asText(signature) && SIGNED + String(signature);
}

/** True for reasoning items that can go only to Messages or Gemini upstreams. */
export const isSealed = (encrypted: unknown): boolean => fromSeal(encrypted, "").length > 0;

/** Converts the encrypted content and text of a reasoning item back to `reasoning_details`. */
export function fromSeal(encrypted: unknown, text: string): JsonObject[] {
  if (typeof encrypted !== "string") return [];
  if (encrypted.startsWith(REDACTED))
    return [{ type: "reasoning.encrypted", data: encrypted.slice(REDACTED.length), format: THINKING_FORMAT }];
  const signature = signatureInSeal(encrypted);
  if (signature) return [signature];
  if (!encrypted.startsWith(SIGNED)) return [];
  return [{ type: "reasoning.text", text, signature: encrypted.slice(SIGNED.length), format: THINKING_FORMAT }];
}
