import { asText, type JsonObject } from "../../../platform/json-values";
import { THINKING_FORMAT } from "./thinking-details";

/** Another vendor's encrypted reasoning in the data of a block: format, id and text. */
const FOREIGN = /^([a-z][\w-]{2,40})\.([\w-]{0,200})\.(.+)$/s;

/** Converts encrypted reasoning to a block that the client sends back; null for other details. */
export function toRedactedThinking({ type, data, format, id }: JsonObject): {
  type: "redacted_thinking";
  data: string;
} | null {
  const text = asText(data);
  if (type !== "reasoning.encrypted" || !text) return null;
  const origin = asText(format) ?? THINKING_FORMAT;
  return {
    type: "redacted_thinking",
    data: origin === THINKING_FORMAT ? text : `${origin}.${asText(id) ?? ""}.${text}`,
  };
}

/** Returns the detail from which a block was written; null for a block of a Messages upstream. */
export function foreignReasoning(data: string): JsonObject | null {
  const [, format, id, text] = FOREIGN.exec(data) ?? [];
  return text === undefined ? null : { type: "reasoning.encrypted", data: text, id, format, index: 0 };
}
