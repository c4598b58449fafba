import { describe, expect, it } from "vitest";
import { growth } from "../../../testing/processor-time";
import { base32In, hexadecimalIn } from "./digits";
import { decodedIn } from "./readings";
import { quotedPrintableView } from "./quoted-printable";

const textsIn = (text: string) => decodedIn(text, 1).map(({ view }) => view.text);

describe("digits", () => {
  it.each([
    ["MFWGSY3FIBSXQYLNOBWGKLTDN5WQ====", "alice@example.com"],
    ["61 6c 69 63 65 40 65 78 61 6d 70 6c 65 2e 63 6f 6d", "alice@example.com"],
    ["bytes: 0x61, 0x6C, 0x69, 0x63, 0x65, 0x40, 0x65, 0x78, 0x61", "alice@exa"],
    ["616c6963 65406578 616d706c 652e636f", "alice@example.co"],
    ["00 01 61 6c 69 63 65 40 65 78 61 00", "alice@exa"],
  ])("of %j are decoded", (text, decoded) => expect(textsIn(text)).toEqual([decoded]));

  it.each([
    "ages: 34 35 31 38 33 30 32 36 39 33 31 32",
    "SHA-256 AB:3C:11:90:FE:7D:02:5C:88:A1:04:9B:C3:E2:17:6F",
    "2024-10-20 12:34:56 10:20:30 40 50",
    "AAAAAAAAAAAAAAAAAAAAAAAA",
    "JBSWY3DPEHPK3PXP",
    "DEADBEEFDEADBEEF CAFEBABE",
  ])("of numbers, hashes and secrets aren't text: %j", (text) => expect(textsIn(text)).toEqual([]));

  it.each(["61 ", "0x61, ", "A", "61\n", "    1", "6162 "])("of repeated %j are read in linear time", async (unit) => {
    const read = (size: number) => {
      const text = unit.repeat(size / unit.length);
      return [base32In(text), hexadecimalIn(text)];
    };
    expect(await growth(400_000, read)).toBeLessThan(10);
  });
});

describe("quotedPrintableView", () => {
  it.each([
    ["alice=40example.com", "alice@example.com"],
    ["Caf=C3=A9 M=C3=BCller =E2=82=AC 20", "Café Müller € 20"],
    ["4111 1111 =\n1111 1111", "4111 1111 1111 1111"],
    ["caf=C3=A9 =E9 stays", "café =E9 stays"],
  ])("decodes %j", (text, decoded) => expect(quotedPrintableView(text)?.text).toBe(decoded));

  it.each(["const a =\n  1", "if (status=404) {", "a=40;b=41", "?size=40x30&q=C3", "QUJD==\n-----END"])(
    "leaves other texts alone: %j",
    (text) => expect(quotedPrintableView(text)).toBeNull(),
  );
});
