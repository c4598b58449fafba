import type { LeafForm, LeafPath } from "./leaves";

/** A text in an upstream's answer. */
export interface AnswerText {
  path: LeafPath;
  text: string;
  form: LeafForm;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that the upstream's server sets, not the model: not scanned while they contain a single word. */
const SERVER_FIELDS =
  /^(?:type|id|\w+_id|object|model|provider|role|status|phase|format|detail|index|finish_reason|native_finish_reason|stop_reason|service_tier|system_fingerprint|encrypted_content|signature|server_label|quality|background|size|output_format)$/;
const SINGLE_WORD = /^[\w.:/+=@-]*$/;
/** Base64 data: its decoded text is scanned; images and audio aren't. */
const PAYLOADS = new Set(["result", "b64_json", "partial_image_b64", "file_data", "data"]);
const DATA_URL = /^data:[^,\s]{0,200},/i;

/** Yields every text of an answer's value that the model may have written. */
export function* answerTexts(value: unknown, path: LeafPath = []): Generator<AnswerText> {
  if (typeof value === "string") {
    if (value !== "") yield { path, text: value, form: DATA_URL.test(value) ? "media" : "text" };
  } else if (Array.isArray(value))
    for (const [index, part] of value.entries()) yield* answerTexts(part, [...path, index]);
  else if (isFields(value)) for (const key of Object.keys(value)) yield* field(key, value[key], [...path, key]);
}

function* field(key: string, value: unknown, path: LeafPath): Generator<AnswerText> {
  if (typeof value !== "string") yield* answerTexts(value, path);
  else if (value === "" || (SERVER_FIELDS.test(key) && SINGLE_WORD.test(value))) return;
  else if (key === "arguments") yield { path, text: value, form: "json" };
  else if (PAYLOADS.has(key)) yield { path, text: value, form: "media" };
  else yield* answerTexts(value, path);
}

/** Removes log probabilities, whose tokens spell the answer. */
export function withoutLogprobs<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutLogprobs) as T;
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === "logprobs" ? (Array.isArray(one) ? [] : null) : withoutLogprobs(one),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Text fields whose pieces are concatenated even when two pieces are equal. */
const STREAMED = new Set(["arguments", "text", "summary", "transcript", "data", "input", "thinking"]);

/** Merges the pieces of streamed fields; list entries belong together by `index` and type. */
export function mergePieces(before: unknown, piece: unknown, key = ""): unknown {
  if (before === undefined || before === null) return piece;
  if (piece === undefined || piece === null) return before;
  if (typeof before === "string" && typeof piece === "string")
    return before === piece && !STREAMED.has(key) ? before : before + piece;
  if (Array.isArray(before) && Array.isArray(piece))
    return (piece as unknown[]).reduce<unknown[]>((list, entry) => mergeEntry(list, entry), [...(before as unknown[])]);
  if (isFields(before) && isFields(piece))
    return Object.fromEntries(
      [...new Set([...Object.keys(before), ...Object.keys(piece)])].map((name) => [
        name,
        mergePieces(before[name], piece[name], name),
      ]),
    );
  return piece;
}

function mergeEntry(list: unknown[], entry: unknown): unknown[] {
  const place = isFields(entry)
    ? list.findIndex(
        (other) =>
          isFields(other) &&
          other["index"] !== undefined &&
          other["index"] === entry["index"] &&
          (other["type"] ?? entry["type"]) === (entry["type"] ?? other["type"]),
      )
    : -1;
  return place < 0 ? [...list, entry] : list.with(place, mergePieces(list[place], entry));
}
