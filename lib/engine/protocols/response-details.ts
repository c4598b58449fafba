import { asObject, asObjects, asText, type JsonObject } from "../../platform/json-values";

/** Converts a citation, which is flat in Responses and nested under its type in chat completions. */
export function toChatAnnotation(annotation: unknown): JsonObject {
  const { type, ...fields } = asObject(annotation) ?? {};
  return type === "url_citation" ? { type, url_citation: fields } : { type, ...fields };
}

export function toResponsesAnnotation(annotation: unknown): JsonObject {
  const { type, ...fields } = asObject(annotation) ?? {};
  return { type, ...(asObject(fields[String(type)]) ?? fields) };
}

/** Converts the log probabilities of a choice's tokens to the chat completions format. */
export const toChatLogprobs = (tokens: unknown): { content: JsonObject[]; refusal: null } | null => {
  const list = asObjects(tokens);
  return list.length > 0 ? { content: list, refusal: null } : null;
};

const SEALED_FORMAT = "openai-responses-v1";

/**
 * Converts encrypted reasoning to an opaque `reasoning_details` entry that the caller sends back in its next request.
 */
export const toReasoningDetails = ({ id, encrypted_content: data }: JsonObject): JsonObject[] =>
  asText(data) ? [{ type: "reasoning.encrypted", data, id: asText(id), format: SEALED_FORMAT, index: 0 }] : [];

/**
 * Converts `reasoning_details` of an assistant message to reasoning items. Keeps only encrypted details, since a
 * Responses upstream ignores the others.
 */
export const toReasoningItems = (
  details: unknown,
): { type: "reasoning"; id: string; summary: []; encrypted_content: string }[] =>
  asObjects(details).flatMap(({ type, data, id, format }) =>
    type === "reasoning.encrypted" && typeof data === "string" && typeof id === "string" && format === SEALED_FORMAT
      ? [{ type: "reasoning" as const, id, summary: [] as [], encrypted_content: data }]
      : [],
  );
