import "server-only";
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
 * Bounds of a body by the size that its operation declares. The number of values bounds the time that parsing and
 * validation take, since text costs little: 50,000 values of a prompt are validated in at most 50 ms, also invalid ones.
 */
const BOUNDS: Readonly<Record<BodySize, BodyBounds>> = {
  small: { bytes: 16 * 1024, values: 1000 },
  medium: { bytes: 1024 * 1024, values: 10_000 },
  large: { bytes: Infinity, values: 50_000 },
};

/** Maximum number of fields of one object: lists are cheap to validate, records of free keys aren't. */
const MAX_FIELDS = 1000;

export const bodyBounds = (size: BodySize, maxBytes: number): BodyBounds => ({
  bytes: Math.min(BOUNDS[size].bytes, maxBytes),
  values: BOUNDS[size].values,
});

const decode = (decoder: TextDecoder, bytes?: Uint8Array): string => {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw malformedBody("The body is not valid UTF-8");
  }
};

/** Reads and decodes a body as it arrives; throws as soon as it exceeds a bound. */
async function readText(body: AsyncIterable<Uint8Array>, { bytes, values }: BodyBounds): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bounds = new JsonBounds();
  const parts = body[Symbol.asyncIterator]();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw error instanceof ApiError ? error : incompleteBody();
      });
      if (part.done) return text + decode(decoder);
      const { value } = part;
      size += value.byteLength;
      if (size > bytes) throw bodyTooLarge(bytes);
      bounds.add(value);
      if (bounds.depth > MAX_DEPTH) throw malformedBody(`The body is nested deeper than ${MAX_DEPTH} levels`);
      if (bounds.values > values) throw malformedBody(`The body has more than ${values} values`);
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

function assertStorableValues(root: object): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string" && !isStorable(value)) {
      throw malformedBody("Text must not contain NUL or unpaired surrogate characters");
    }
    if (typeof value !== "object" || value === null) continue;
    const children = Object.entries(value);
    if (children.length > MAX_FIELDS && !Array.isArray(value))
      throw malformedBody(`An object has more than ${MAX_FIELDS} fields`);
    for (const [key, child] of children) {
      if (!isStorable(key)) throw malformedBody("Field names must not contain NUL or unpaired surrogate characters");
      if (key === "__proto__") throw malformedBody("A field must not be named __proto__");
      pending.push(child);
    }
  }
}

const notJson = () => malformedBody("Content-Type must be application/json");

/** The body without its content coding. */
function decoded(body: AsyncIterable<Uint8Array>, headers: ApiRequest["headers"], maxBytes: number) {
  const encoding = headers.get("content-encoding") ?? "";
  return /^(identity)?$/i.test(encoding) ? body : decodedBody(body, encoding, maxBytes);
}

/**
 * Reads a JSON object within `bounds`: at most so many bytes (413), valid UTF-8, at most so many values and 64 levels (400).
 * No body is an empty object for an operation that needs none. See docs/semantics.md#formats.
 */
export async function readJsonObject(
  request: ApiRequest,
  bounds: BodyBounds,
  isOptional: boolean,
): Promise<Record<string, unknown>> {
  if (Number(request.headers.get("content-length") ?? 0) > bounds.bytes) throw bodyTooLarge(bounds.bytes);
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
  if (!isJson && !isOptional) throw notJson();
  const { body, headers } = request;
  const text = body ? await readText(decoded(body, headers, bounds.bytes), bounds) : "";
  if (text === "" && isOptional) return {};
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
  assertStorableValues(value);
  await yieldAfter(text.length);
  return value as Record<string, unknown>;
}
