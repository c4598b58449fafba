/** Property names and indexes that lead to a value. */
export type LeafPath = readonly (string | number)[];

/** Prefixes of the path to a message or item of a request, and to the content of a response or event. */
const TO_REQUEST = /^(?:input|messages(?:\/content)?)(?:\/|$)/;
const TO_ANSWER =
  /^(?:choices\/(?:delta|message)|(?:response\/)?output|item|content_block|message\/content|delta(?:\/citation)?)(?:\/|$)/;
/** Fields that contain images, audio or files, or are on the path to them. */
const MEDIA_FIELDS = new Set(
  "content source image image_url video_url input_audio audio images file output outputs".split(" "),
);
const ANSWER_FIELDS = new Set("choices delta message response item part content_block".split(" "));

/** Returns the names of the fields around a value. */
const around = (path: LeafPath): string[] => path.slice(0, -1).filter((part) => typeof part === "string");

/** Returns the fields between a message or item and a value, separated by slashes; null for a value outside of them. */
function fieldsWithin(path: LeafPath, start: RegExp, isOptional: boolean): string | null {
  const names = around(path);
  // A name with a slash would read like several fields.
  if (names.some((name) => name.includes("/"))) return null;
  const fields = names.join("/");
  return isOptional || start.test(fields) ? fields.replace(start, "") : null;
}

export const fieldsInRequest = (path: LeafPath): string | null => fieldsWithin(path, TO_REQUEST, false);
export const fieldsInResponse = (path: LeafPath): string | null => fieldsWithin(path, TO_ANSWER, true);

/** True for a path where a message, an item or a variable of a prompt may have media or files. */
export function isMediaPlace(path: LeafPath): boolean {
  const [first, ...names] = around(path);
  if (first === "prompt") return names[0] === "variables" && names.length === 2;
  return (first === "input" || first === "messages") && names.every((name) => MEDIA_FIELDS.has(name));
}

/** True for a path where a response or event may have media or files. */
export const isResponseMediaPlace = (path: LeafPath): boolean =>
  around(path).every((name) => MEDIA_FIELDS.has(name) || ANSWER_FIELDS.has(name));

/**
 * True for a field that the table `seals` (coverage.ts) lists.
 * @param fields The fields between a message or item and the owner of the field; null outside of them.
 */
export function isSealField(
  seals: ReadonlyMap<string, ReadonlySet<string>>,
  fields: string | null,
  path: LeafPath,
  { type }: Readonly<Record<string, unknown>>,
): boolean {
  const owner = typeof type === "string" ? type : path.at(-2);
  return fields !== null && seals.get(fields)?.has(`${owner}.${path.at(-1)}`) === true;
}

const LEAST_ENCRYPTED = 64;
/** Tests for one invalid character: a repetition over megabytes would overflow V8's stack. */
const UNENCODED = /[^\w+/=.-]/;

/** True for base64 of at least `LEAST_ENCRYPTED` characters whose bytes aren't text. Shorter values are scanned. */
export const isOpaque = (value: string): boolean =>
  value.length >= LEAST_ENCRYPTED && !UNENCODED.test(value) && !isReadable(value);

/** True when the first 48 bytes of base64 are text, or when it decodes to fewer than 32 bytes. */
function isReadable(value: string): boolean {
  const bytes = Buffer.from(value.slice(0, 64), "base64");
  return bytes.length < 32 || bytes.every((byte) => byte >= 9 && byte !== 127);
}
