import "server-only";
import { Buffer } from "node:buffer";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";

const FORMAT = "google-gemini-v1";

/** Placeholder for the signature of a call that another model wrote. Newer models reject the first call of a step without a signature. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** Returns an id for an image, which has none, to attach its signature to. */
export const imageId = (index: number): string => `image_${index}`;

/** An opaque `reasoning_details` entry that callers send back; `id` names the call or image it belongs to, null the text. */
export const toSignatureDetail = (data: string, id: string | null): JsonObject => ({
  type: "reasoning.encrypted",
  data,
  id,
  format: FORMAT,
  index: 0,
});

/** Returns a call's signature in the place where OpenAI-compatible clients of Gemini look for it. */
export const toExtraContent = (signature: string): JsonObject => ({
  extra_content: { google: { thought_signature: signature } },
});

/** Returns the signature of a call from the call itself. */
export const signatureOfCall = (call: JsonObject): string | null =>
  asText(asObject(asObject(call["extra_content"])?.["google"])?.["thought_signature"]);

/** True for details that a Gemini upstream wrote. */
export const isSignature = ({ type, format }: JsonObject): boolean =>
  type === "reasoning.encrypted" && format === FORMAT;

/** Prefix of a signature in the encrypted content of a reasoning item; the id of the signed part follows. */
const SEAL = "googleSignature001.";

/** Returns the encrypted content of the reasoning item that carries a signature, in base64 and dots, so that filters treat it as opaque. */
export const toSignatureSeal = ({ id, data }: JsonObject): string =>
  `${SEAL}${Buffer.from(asText(id) ?? "").toString("base64url")}.${String(data)}`;

/** Returns the signature in the encrypted content of a reasoning item; null for another vendor's. */
export function signatureInSeal(encrypted: string): JsonObject | null {
  if (!encrypted.startsWith(SEAL)) return null;
  const [id = "", data = ""] = encrypted.slice(SEAL.length).split(".");
  return toSignatureDetail(data, Buffer.from(id, "base64url").toString() || null);
}

/** Returns the signatures in `reasoning_details`, by the id of their call or image; null for the text's. */
export const signaturesIn = (details: unknown): ReadonlyMap<string | null, string> =>
  new Map(
    asObjects(details)
      .filter(isSignature)
      .flatMap(({ data, id }): [string | null, string][] => (typeof data === "string" ? [[asText(id), data]] : [])),
  );
