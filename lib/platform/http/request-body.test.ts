import * as zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { readJsonObject } from "./request-body";

const BOUNDS = { bytes: 1000, values: 100 };

/** A request whose body arrives in parts of `size` bytes, and the number of bytes read of it. */
function given(bytes: Uint8Array, headers: Record<string, string>, size = 7) {
  let read = 0;
  let isClosed = false;
  const body: AsyncIterable<Uint8Array> = (async function* () {
    try {
      for (; read < bytes.length;) {
        const part = bytes.subarray(read, read + size);
        read += part.length;
        yield part;
      }
    } finally {
      isClosed = true;
    }
  })();
  const request = {
    method: "POST",
    url: "http://localhost/v1/x",
    headers: new Headers(headers),
    signal: new AbortController().signal,
    body,
  };
  return { request, read: () => read, isClosed: () => isClosed };
}

const JSON_TYPE = { "content-type": "application/json" };
const readBody = (bytes: Uint8Array, coding: string, bounds = BOUNDS) =>
  readJsonObject(given(bytes, { ...JSON_TYPE, "content-encoding": coding }).request, bounds);

const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: Buffer, options?: object) => Buffer };
const { ZSTD_c_windowLog } = zlib.constants as { ZSTD_c_windowLog?: number };
const CODINGS: readonly (readonly [string, (text: Buffer) => Buffer])[] = [
  ["gzip", zlib.gzipSync],
  ["br", zlib.brotliCompressSync],
  ...(zstdCompressSync ? [["zstd", (text: Buffer) => zstdCompressSync(text)] as const] : []),
];
const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const PLAIN = { a: "é".repeat(100), b: [1, 2] };

describe.each(CODINGS)("a body compressed with %s", (coding, compress) => {
  it("is read", async () => {
    expect(await readBody(compress(text(PLAIN)), coding)).toEqual(PLAIN);
    expect(await readBody(compress(text(PLAIN)), coding.toUpperCase())).toEqual(PLAIN);
  });

  it("is bounded by its decoded size, without being read to its end", async () => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024, " "));
    const { request, read, isClosed } = given(
      bomb,
      { ...JSON_TYPE, "content-encoding": coding, "content-length": "100" },
      16,
    );
    const before = process.memoryUsage().arrayBuffers;
    const bounds = { bytes: 64 * 1024, values: 100 };
    await expect(readJsonObject(request, bounds)).rejects.toMatchObject({ status: 413 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    await expect.poll(isClosed).toBe(true);
    expect(read()).toBeLessThanOrEqual(bounds.bytes + 16);
  });

  it.each<[string, Uint8Array]>([
    ["cut short", compress(text(PLAIN)).subarray(0, -5)],
    ["plain", text(PLAIN)],
  ])("that is %s is a 400", async (_name, bytes) => {
    await expect(readBody(bytes, coding)).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ message: `The body is not valid ${coding}`, code: "malformed_body" }] },
    });
  });

  it("has bounds of values and depth", async () => {
    await expect(readBody(compress(text({ a: Array(101).fill(1) })), coding)).rejects.toMatchObject({ status: 400 });
  });
});

it("encoded bytes that decode to nothing are bounded", async () => {
  const empty = zlib.gzipSync("");
  await expect(readBody(Buffer.concat(Array(100).fill(empty) as Buffer[]), "gzip")).rejects.toMatchObject({
    status: 413,
  });
});

it.skipIf(!zstdCompressSync)("zstd has a bounded window", async () => {
  const wide = zstdCompressSync?.(Buffer.alloc(40 * 1024 * 1024, " "), { params: { [ZSTD_c_windowLog ?? 0]: 25 } });
  await expect(readBody(wide ?? Buffer.of(), "zstd", { bytes: 1e9, values: 100 })).rejects.toMatchObject({
    status: 400,
  });
});

it.each(["compress", "gzip, gzip", "deflate", "*"])("Content-Encoding: %s is a 415", async (coding) => {
  const codings = CODINGS.map(([name]) => name).join(", ");
  await expect(readBody(text({}), coding)).rejects.toMatchObject({
    status: 415,
    headers: { "accept-encoding": codings },
  });
});

it("a body that breaks off is a 400", async () => {
  const { request } = given(zlib.gzipSync(text(PLAIN)), { ...JSON_TYPE, "content-encoding": "gzip" });
  const body = (async function* () {
    yield Buffer.of(0x1f, 0x8b);
    throw new Error("aborted");
  })();
  await expect(readJsonObject({ ...request, body }, BOUNDS)).rejects.toMatchObject({
    status: 400,
    message: "The request body is incomplete",
  });
});

describe("no body", () => {
  it.each<[string, Record<string, string>]>([
    ["no content type", {}],
    ["a content type", JSON_TYPE],
    ["another content type", { "content-type": "application/x-www-form-urlencoded" }],
  ])("is an empty object where none is needed, with %s", async (_name, headers) => {
    const { request } = given(Buffer.of(), headers);
    expect(await readJsonObject(request, BOUNDS, { isOptional: true })).toEqual({});
    expect(await readJsonObject({ ...request, body: null }, BOUNDS, { isOptional: true })).toEqual({});
    await expect(readJsonObject({ ...request, body: null }, BOUNDS)).rejects.toMatchObject({ status: 400 });
  });

  it("a body needs its content type", async () => {
    await expect(readJsonObject(given(text({}), {}).request, BOUNDS, { isOptional: true })).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe("NUL in texts", () => {
  const read = (value: object) =>
    readJsonObject(given(Buffer.from(JSON.stringify(value)), JSON_TYPE).request, BOUNDS, { withNul: ["messages"] });

  it("passes as sent in fields that may have it, at any depth", async () => {
    const body = { model: "m", messages: [{ role: "tool", content: [{ text: "ELF\0\0\u0001" }] }] };
    expect(await read(body)).toEqual(body);
  });

  it.each([
    ["another field", { model: "m\0", messages: [] }],
    ["a nested field of that name", { metadata: { messages: "\0" } }],
    ["a property's name", { messages: [{ "a\0": 1 }] }],
    ["an unpaired surrogate", { messages: ["\ud800"] }],
  ])("is refused in %s", async (_place, body) => {
    await expect(read(body)).rejects.toMatchObject({ status: 400 });
  });
});

it("reads a form where one is accepted, each field once", async () => {
  const FORM = { "content-type": "application/x-www-form-urlencoded" };
  const read = (text: string, mayBeForm = true) =>
    readJsonObject(given(Buffer.from(text), FORM).request, BOUNDS, { mayBeForm });
  expect(await read("grant_type=urn%3Aa&subject_token=a+b")).toEqual({ grant_type: "urn:a", subject_token: "a b" });
  await expect(read("a=1&a=2")).rejects.toMatchObject({ status: 400 });
  await expect(read("a=%00")).rejects.toMatchObject({ status: 400 });
  await expect(read("a=1", false)).rejects.toMatchObject({ status: 400 });
});
