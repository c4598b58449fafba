import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fragmentsOf } from "./fragments";
import type { LeafForm } from "./leaves";

/** Characters that are difficult for encodings and offsets. */
const UNIT = fc.constantFrom("a", "7", " ", '"', "\\", "\n", "\u0000", "é", "😀", "\ud83d", "$&");

const textsOf = (form: LeafForm, text: string) => fragmentsOf(form, text).map((fragment) => fragment.text);
const dataUrl = (type: string, content: string | Uint8Array) =>
  `data:${type};base64,${Buffer.from(content).toString("base64")}`;

describe("fragmentsOf JSON", () => {
  it("are its decoded texts, keys and numbers", () => {
    expect(textsOf("json", '{"to": "ann\\u0040example.com", "n": [-1.5e3, 4111111111111111], "ok": true}')).toEqual([
      "to",
      "ann@example.com",
      "n",
      "-1.5e3",
      "4111111111111111",
      "ok",
    ]);
  });

  it("is the text itself when it isn't valid JSON", () => {
    expect(textsOf("json", '{"to": "ann@example')).toEqual(['{"to": "ann@example']);
  });

  it("stays valid and otherwise unchanged, whatever is written into any fragment", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: UNIT }), fc.nat(), (value, label, pick) => {
        const json = JSON.stringify(value);
        const fragments = fragmentsOf("json", json);
        const fragment = fragments[pick % Math.max(1, fragments.length)];
        if (!fragment) return;
        const written = json.slice(0, fragment.start) + fragment.encode(label) + json.slice(fragment.end);
        JSON.parse(written);
        expect(fragmentsOf("json", written)).toHaveLength(fragments.length);
        expect(json.slice(0, fragment.start) + fragment.encode(fragment.text) + json.slice(fragment.end)).toBe(json);
      }),
    );
  });

  it("maps a span to its escaped text", () => {
    const escaped = fc
      .string({ unit: UNIT, minLength: 1 })
      .map((text) => ({ text, raw: JSON.stringify(text).slice(1, -1) }));
    const everyUnit = fc.string({ minLength: 1 }).map((text) => ({
      text,
      raw: Array.from(
        { length: text.length },
        (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
      ).join(""),
    }));
    fc.assert(
      fc.property(fc.oneof(escaped, everyUnit), fc.nat(), fc.nat(), ({ text, raw }, a, b) => {
        const json = `["${raw}"]`;
        const [fragment] = fragmentsOf("json", json);
        const [start, end] = [a % text.length, b % text.length].toSorted((x, y) => x - y) as [number, number];
        const placed = fragment?.place(start, end);
        expect(JSON.parse(`"${json.slice(placed?.start, placed?.end)}"`)).toBe(text.slice(start, end));
      }),
    );
  });
});

describe("fragmentsOf payloads", () => {
  const wide = (text: string, isBigEndian = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return isBigEndian ? bytes.swap16() : bytes;
  };

  it.each<[string, string, string]>([
    ["a text file", dataUrl("text/plain", "call Ann"), "data:text/plain;base64,"],
    ["a text under another field name", dataUrl("image/png", "call Ann"), "data:image/png;base64,"],
    ["bare base64", Buffer.from("call Ann").toString("base64"), ""],
    ["base64 with line breaks", "Y2Fs\r\nbCBB\r\nbm4=", ""],
    ["base64 with percent escapes", "data:;base64,Y2FsbCBB%62m4%3D", "data:;base64,"],
    ["a percent-encoded URL", "data:,call%20Ann", "data:,"],
    ["UTF-16 without a mark", dataUrl("text/plain", Buffer.from("call Ann", "utf16le")), "data:text/plain;base64,"],
  ])("%s is read and written back in its encoding", (_, payload, head) => {
    const fragments = fragmentsOf("file", payload);
    const fragment = fragments.at(-1);
    expect(fragments.map(({ text }) => text)).toEqual([...(head ? [head] : []), "call Ann"]);
    const written = payload.slice(0, fragment?.start) + (fragment?.encode("call [PERSON_NAME]") ?? "");
    expect(textsOf("file", written).at(-1)).toBe("call [PERSON_NAME]");
  });

  it.each([
    ["little-endian", wide("call Ann")],
    ["big-endian", wide("call Ann", true)],
  ])("%s UTF-16 keeps its byte order mark", (_, bytes) => {
    const [fragment] = fragmentsOf("file", bytes.toString("base64"));
    expect(fragment?.text).toBe("\ufeffcall Ann");
    expect(fragment?.encode(fragment.text)).toBe(bytes.toString("base64"));
  });

  it("reads a text in Latin-1, and one with zeros", () => {
    expect(textsOf("file", Buffer.from("call Ann: caf\xe9", "latin1").toString("base64"))).toContain(
      "call Ann: caf\xe9",
    );
    expect(textsOf("file", Buffer.from("call Ann\0").toString("base64"))).toContain("call Ann\0");
  });

  it("skips images, except for the head of their URL", () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    expect(textsOf("media", dataUrl("image/png", png))).toEqual(["data:image/png;base64,"]);
    expect(textsOf("media", Buffer.from(png).toString("base64"))).toEqual([]);
  });

  it("reads a text that begins like an image", () => {
    expect(textsOf("file", Buffer.from(`GIF89a ${"call Ann ".repeat(9)}`).toString("base64")).join()).toContain(
      "call Ann",
    );
  });

  it.each([
    "call Ann at noon",
    "data:text/plain,100% Ann",
    "data:;base64,PROJECT-FALCON",
    "data:;base64,call Ann",
    "PROJECT-FALCON",
  ])("%j is read as it is, because it isn't encoded", (payload) =>
    expect(textsOf("media", payload).join("")).toContain(payload),
  );
});
