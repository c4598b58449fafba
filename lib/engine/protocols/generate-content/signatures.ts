import { asObject, asObjects, asText, type JsonObject } from "../broken-answer";

const FORMAT = "google-gemini-v1";

/**
 * Stands in for a signature that the history doesn't have, because another model wrote it: newer models reject the first
 * call of a step without any.
 */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** The signature of an image, which has no id of its own. */
export const imageId = (index: number): string => `image_${index}`;

/** An opaque `reasoning_details` entry that callers send back; `id` names the call or image it belongs to, null the text. */
export const toSignatureDetail = (data: string, id: string | null): JsonObject => ({
  type: "reasoning.encrypted",
  data,
  id,
  format: FORMAT,
  index: 0,
});

/** A call's signature where OpenAI-compatible clients of Gemini look for it. */
export const toExtraContent = (signature: string): JsonObject => ({
  extra_content: { google: { thought_signature: signature } },
});

/** Returns the signature of a call from the call itself. */
export const signatureOfCall = (call: JsonObject): string | null =>
  asText(asObject(asObject(call["extra_content"])?.["google"])?.["thought_signature"]);

/** Returns the signatures in `reasoning_details`, by the id of their call or image; null for the text's. */
export const signaturesIn = (details: unknown): ReadonlyMap<string | null, string> =>
  new Map(
    asObjects(details).flatMap(({ type, format, data, id }): [string | null, string][] =>
      type === "reasoning.encrypted" && format === FORMAT && typeof data === "string" ? [[asText(id), data]] : [],
    ),
  );
