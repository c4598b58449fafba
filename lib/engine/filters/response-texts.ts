import { isJsonObject } from "../../platform/json-values";
import type { ResponseEvent } from "../protocols/response-chunk";
import { ANSWER_MEDIA, ANSWER_OPAQUE, ANSWER_UNSCANNED, answerVocabulary } from "./coverage";
import { labelOf, SHORT_NUMBER, type LeafForm } from "./leaves";
import { fieldsInResponse, isResponseMediaPlace, isOpaque, isSealField, type LeafPath } from "./places";

/** A string, property name or long number in an upstream's response. */
export interface ResponseText {
  path: LeafPath;
  text: string;
  form: LeafForm;
  /**
   * True for property names and for one-word values that the server sets. One-word identifiers aren't searched for
   * names and addresses.
   */
  isFixed: boolean;
  /** Name of the property that contains the value, unless a protocol defines that name. */
  label?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the upstream's server sets, not the model. */
const SERVER_FIELDS =
  /^(?:type|id|\w+_id|object|model|provider|role|status|phase|format|detail|index|finish_reason|native_finish_reason|stop_reason|reason|service_tier|system_fingerprint|encrypted_content|signature|server_label|quality|background|size|output_format)$/;
const SINGLE_WORD = /^[\w.:/+=@-]*$/;
const DATA_URL = /^data:/i;

/** Yields every string, property name and long number of a value in a response that coverage.ts doesn't exempt. */
export function* responseTexts(
  value: unknown,
  path: LeafPath = [],
  key = "",
  owner: Fields = {},
): Generator<ResponseText> {
  if (typeof value === "string") yield* stringText(value, path, key, owner);
  else if (typeof value === "number") {
    if (Math.abs(value) >= SHORT_NUMBER && Number.isFinite(value) && path[0] !== "usage")
      yield { path, text: String(value), form: "number", isFixed: false, label: labelOf(key, answerVocabulary()) };
  } else if (Array.isArray(value))
    for (const [index, part] of value.entries()) yield* responseTexts(part, [...path, index], key, owner);
  else if (isJsonObject(value))
    for (const name of Object.keys(value)) {
      const below = [...path, name];
      if (!answerVocabulary().names.has(name)) yield { path: below, text: name, form: "name", isFixed: true };
      yield* responseTexts(value[name], below, name, value);
    }
}

function* stringText(text: string, path: LeafPath, key: string, owner: Fields): Generator<ResponseText> {
  if (text === "" || answerVocabulary().values.get(key)?.has(text)) return;
  if (isOpaque(text) && isSealField(ANSWER_OPAQUE, fieldsInResponse(path), path, owner)) return;
  const isMedia = ANSWER_MEDIA.has(key) && (DATA_URL.test(text) || !key.endsWith("url")) && isResponseMediaPlace(path);
  const form = key === "arguments" ? "json" : isMedia ? "media" : "text";
  const isFixed = SERVER_FIELDS.test(key) && SINGLE_WORD.test(text);
  yield { path, text, form, isFixed, label: labelOf(key, answerVocabulary()) };
}

/** Returns an event of the Responses API without the fields that aren't scanned. */
export const scannedFields = (event: ResponseEvent): ResponseEvent => {
  const sent = Object.entries(event).filter(([name]) => !ANSWER_UNSCANNED.responses.has(name));
  return { ...Object.fromEntries(sent), type: event.type };
};

/** Removes log probabilities, because their tokens spell out the text. */
export function withoutLogprobs<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutLogprobs) as T;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === "logprobs" ? (Array.isArray(one) ? [] : null) : withoutLogprobs(one),
  ]);
  return Object.fromEntries(entries) as T;
}
