import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fragmentsOf } from "./fragments";

/** Characters that are difficult for encodings and offsets. */
const UNIT = fc.constantFrom("a", "7", " ", '"', "\\", "\n", "\u0000", "é", "😀", "\ud83d", "$&");

const textsOf = (form: "text" | "json" | "payload", text: string) =>
  fragmentsOf(form, text).map((fragment) => fragment.text);
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
  it.each([
    ["a text file", dataUrl("text/plain", "call Ann")],
    ["a text under another field name", dataUrl("image/png", "call Ann")],
    ["bare base64", Buffer.from("call Ann").toString("base64")],
    ["a percent-encoded URL", "data:,call%20Ann"],
  ])("%s is read and written back in its encoding", (_, payload) => {
    const [fragment] = fragmentsOf("payload", payload);
    expect(fragment?.text).toBe("call Ann");
    const written = payload.slice(0, fragment?.start) + (fragment?.encode("call [PERSON_NAME]") ?? "");
    expect(textsOf("payload", written)).toEqual(["call [PERSON_NAME]"]);
  });

  it("skips images", () => {
    expect(
      textsOf("payload", dataUrl("image/png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]))),
    ).toEqual([]);
  });

  it("is the text itself when it isn't encoded", () => {
    expect(textsOf("payload", "call Ann at noon")).toEqual(["call Ann at noon"]);
    expect(textsOf("payload", "data:text/plain,100% Ann")).toEqual(["data:text/plain,100% Ann"]);
  });
});
