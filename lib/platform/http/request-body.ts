import { ApiError, invalid } from "../api-error";

const MAX_DEPTH = 64;

const malformed = (message: string) => invalid([{ path: [], message, code: "malformed_body" }]);
const tooLarge = (maxBytes: number) => new ApiError(413, `The request body is larger than ${maxBytes} bytes`);

async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
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

function assertBounded(root: object): void {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && !isStorable(value)) {
      throw malformed("Text must not contain NUL or unpaired surrogate characters");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels`);
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) throw malformed("Field names must not contain NUL or unpaired surrogate characters");
      if (key === "__proto__") throw malformed("A field must not be named __proto__");
      pending.push({ value: child, depth: depth + 1 });
    }
  }
}

/**
 * Reads a JSON object: at most `maxBytes` (413), valid UTF-8, at most 64 levels deep (400). See
 * docs/semantics.md#formats.
 */
export async function readJsonObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw malformed("Content-Type must be application/json");
  const bytes = request.body ? await readBounded(request.body, maxBytes) : Buffer.alloc(0);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`The body is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed("The body must be a JSON object");
  assertBounded(value);
  return value as Record<string, unknown>;
}
