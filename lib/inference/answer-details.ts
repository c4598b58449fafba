import { asObject, asObjects, asText, type JsonObject } from "./broken-answer";

/** Responses says a citation flat, chat completions under its type's name. */
export function toChatAnnotation(annotation: unknown): JsonObject {
  const { type, ...fields } = asObject(annotation) ?? {};
  return type === "url_citation" ? { type, url_citation: fields } : { type, ...fields };
}

export function toResponsesAnnotation(annotation: unknown): JsonObject {
  const { type, ...fields } = asObject(annotation) ?? {};
  return { type, ...(asObject(fields[String(type)]) ?? fields) };
}

/** The log probabilities of a choice's words, as chat completions have them. */
export const toChatLogprobs = (tokens: unknown): { content: JsonObject[]; refusal: null } | null => {
  const list = asObjects(tokens);
  return list.length > 0 ? { content: list, refusal: null } : null;
};

const SEALED_FORMAT = "openai-responses-v1";

/** Sealed reasoning as an opaque detail that the caller sends back in its next request (the public API's `reasoning_details`). */
export const toReasoningDetails = ({ id, encrypted_content: data }: JsonObject): JsonObject[] =>
  asText(data) ? [{ type: "reasoning.encrypted", data, id: asText(id), format: SEALED_FORMAT, index: 0 }] : [];

/** Reasoning items from the details of an assistant's message: only sealed ones mean anything to a Responses upstream. */
export const toReasoningItems = (
  details: unknown,
): { type: "reasoning"; id: string; summary: []; encrypted_content: string }[] =>
  asObjects(details).flatMap(({ type, data, id, format }) =>
    type === "reasoning.encrypted" && typeof data === "string" && typeof id === "string" && format === SEALED_FORMAT
      ? [{ type: "reasoning" as const, id, summary: [] as [], encrypted_content: data }]
      : [],
  );
