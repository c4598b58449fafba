import "server-only";
import { isUtf8 } from "node:buffer";
import { ApiError, invalid } from "../api-error";
import { yieldAfter } from "../yield-after";
import type { ApiRequest } from "./api-request";
import { bodyTooLarge, incompleteBody, malformedBody } from "./body-error";
import { decodedBody } from "./content-encoding";
import { JsonBounds, MAX_DEPTH } from "./json-bounds";
import type { BodySize } from "./operation";

export interface BodyBounds {
  bytes: number;
  /** Maximum number of values: objects, arrays, strings, numbers … */
  values: number;
}

/**
 * Bounds of a body by the size that its operation declares. The number of values bounds the time of parsing and validation, because
 * text costs little: 50,000 values of a prompt are validated in at most 50 ms, even invalid ones.
 */
const BOUNDS: Readonly<Record<BodySize, BodyBounds>> = {
  small: { bytes: 16 * 1024, values: 1000 },
  medium: { bytes: 1024 * 1024, values: 10_000 },
  large: { bytes: Infinity, values: 50_000 },
};

/** Maximum number of fields of one object, because records with free keys are expensive to validate, unlike lists. */
export const MAX_FIELDS = 1000;

export const bodyBounds = (size: BodySize, maxBytes: number): BodyBounds => ({
  bytes: Math.min(BOUNDS[size].bytes, maxBytes),
  values: BOUNDS[size].values,
});

const NOT_UTF8 = "The body is not valid UTF-8";

const decode = (decoder: TextDecoder, bytes?: Uint8Array): string => {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw malformedBody(NOT_UTF8);
  }
};

const BYTE_ORDER_MARK = "\uFEFF";

/** Decodes a body that arrived in one part, as most bodies do, at half the cost of a decoder. */
function decodeWhole(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw malformedBody(NOT_UTF8);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** A body's text, and an upper bound of the number of its values. */
interface ReadText {
  text: string;
  values: number;
}

/** Reads and decodes a body as it arrives; throws as soon as it exceeds a bound. */
async function readText(body: AsyncIterable<Uint8Array>, { bytes, values }: BodyBounds): Promise<ReadText> {
  const bounds = new JsonBounds();
  const parts = body[Symbol.asyncIterator]();
  /** The first part, until a second one arrives. */
  let only: Uint8Array | null = null;
  let decoder: TextDecoder | null = null;
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw error instanceof ApiError ? error : incompleteBody();
      });
      if (part.done) {
        text += only ? decodeWhole(only) : decoder ? decode(decoder) : "";
        return { text, values: bounds.values };
      }
      const { value } = part;
      size += value.byteLength;
      if (size > bytes) throw bodyTooLarge(bytes);
      bounds.add(value);
      if (bounds.depth > MAX_DEPTH) throw malformedBody(`The body is nested deeper than ${MAX_DEPTH} levels`);
      if (bounds.values > values) throw malformedBody(`The body has more than ${values} values`);
      if (size === value.byteLength) {
        only = value;
        continue;
      }
      decoder ??= new TextDecoder("utf-8", { fatal: true });
      if (only) text += decode(decoder, only);
      only = null;
      text += decode(decoder, value);
    }
  } catch (error) {
    await parts.return?.().catch(() => undefined);
    throw error;
  }
}

/** True for text without NUL and lone surrogates, which PostgreSQL can't store. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

export function assertStorable(texts: Iterable<readonly [name: string, text: string]>): void {
  for (const [name, text] of texts) {
    if (!isStorable(text) || !isStorable(name)) {
      throw invalid([
        { path: [name], message: "must not contain NUL or unpaired surrogate characters", code: "invalid_characters" },
      ]);
    }
  }
}

/** Checks a body's values; the texts of the fields `withNul` may contain NUL. */
function assertStorableValues(root: object, withNul: readonly string[]): void {
  const pending: [value: unknown, mayHaveNul: boolean][] = [[root, false]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, mayHaveNul] = next;
    if (typeof value === "string" && !(mayHaveNul ? value.isWellFormed() : isStorable(value))) {
      throw malformedBody("Text must not contain NUL or unpaired surrogate characters");
    }
    if (typeof value !== "object" || value === null) continue;
    const children = Object.entries(value);
    if (children.length > MAX_FIELDS && !Array.isArray(value))
      throw malformedBody(`An object has more than ${MAX_FIELDS} fields`);
    for (const [key, child] of children) {
      if (!isStorable(key)) throw malformedBody("Field names must not contain NUL or unpaired surrogate characters");
      if (key === "__proto__") throw malformedBody("A field must not be named __proto__");
      pending.push([child, mayHaveNul || (value === root && withNul.includes(key))]);
    }
  }
}

/**
 * False for a JSON text whose values can certainly be stored. NUL and unpaired surrogates appear in valid JSON only as escapes, and an
 * object has no more fields than the text has values.
 */
const mayNeedCheck = (text: string, values: number): boolean =>
  text.includes("\\u") || text.includes("__proto__") || values > MAX_FIELDS;

const NO_TEXT: ReadText = { text: "", values: 0 };

const notJson = () => malformedBody("Content-Type must be application/json");

/** The body without its content coding. */
function decoded(body: AsyncIterable<Uint8Array>, headers: ApiRequest["headers"], maxBytes: number) {
  const encoding = headers.get("content-encoding") ?? "";
  return /^(identity)?$/i.test(encoding) ? body : decodedBody(body, encoding, maxBytes);
}

interface BodyOptions {
  isOptional?: boolean;
  mayBeForm?: boolean;
  /** Fields whose texts may contain NUL. */
  withNul?: readonly string[];
  /** A content type for JSON besides `application/json`. */
  mediaType?: string | undefined;
}

const hasType = (type: string, wanted: string) => type.split(";", 1)[0]?.trim().toLowerCase() === wanted;

/** The fields of a form; a repeated one is refused (RFC 6749, section 3.2). */
function formOf(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)];
  const names = fields.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw malformedBody(`The form has ${repeated} more than once`);
  assertStorable(fields);
  return Object.fromEntries(fields);
}

/**
 * Reads a JSON object, or a form, within `bounds`: limited bytes (413), valid UTF-8, limited values, and at most 64 levels (400). If an operation
 * doesn't need a body, no body is an empty object. See docs/semantics.md#formats.
 */
export async function readJsonObject(
  request: ApiRequest,
  bounds: BodyBounds,
  { isOptional = false, mayBeForm = false, withNul = [], mediaType }: BodyOptions = {},
): Promise<Record<string, unknown>> {
  if (Number(request.headers.get("content-length") ?? 0) > bounds.bytes) throw bodyTooLarge(bounds.bytes);
  const type = request.headers.get("content-type") ?? "";
  const isJson = /^application\/json\s*(;|$)/i.test(type) || (mediaType !== undefined && hasType(type, mediaType));
  const isForm = mayBeForm && /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
  if (!isJson && !isForm && !isOptional) throw notJson();
  const { body, headers } = request;
  const { text, values } = body ? await readText(decoded(body, headers, bounds.bytes), bounds) : NO_TEXT;
  if (text === "" && isOptional) return {};
  if (isForm) return formOf(text);
  if (!isJson) throw notJson();
  await yieldAfter(text.length);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformedBody(`The body is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformedBody("The body must be a JSON object");
  await yieldAfter(text.length);
  if (mayNeedCheck(text, values)) {
    assertStorableValues(value, withNul);
    await yieldAfter(text.length);
  }
  return value as Record<string, unknown>;
}
