import { describe, expect, it } from "vitest";
import { TEST_SEED } from "../../../testing/random";
import { isText } from "./decoded-text";
import { decodedIn, readingsOf } from "./readings";

describe("isText", () => {
  it.each([
    "PROJECT-FALCON",
    "kim@example.com",
    "4111 1111 1111 1111",
    "078-05-1120",
    "192.168.10.4",
    "password: x7Kq93mZp2Lw",
    '{"email":"kim@example.com"}',
    "Meet Kim Müller",
    "ключ на столе",
    "张伟在北京工作",
  ])("is true for %j", (text) => expect(isText(text)).toBe(true));

  it.each(["@t gDF hC%u)WWP", "6@wWVspi74 dP", "Hello!\u07ad\n\n", "3Quf!fw'", "%AabQthvp#graPu", "iPqG(sV&"])(
    "is false for %j",
    (text) => expect(isText(text)).toBe(false),
  );
});

/** Returns numbers below a bound, the same in every run. */
function numbers(count: number, below: number): string[] {
  let state = TEST_SEED;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String(Math.floor((state / 2 ** 32) * below));
  });
}

describe("decoded readings", () => {
  it.each([4, 6, 8])("don't take a table of numbers of %i digits for hexadecimal", (width) => {
    const cells = numbers(600, 10 ** width).map((cell) => cell.padStart(width, "0"));
    const table = Array.from({ length: 300 }, (_, row) => cells.slice(2 * row, 2 * row + 2).join("\t")).join("\n");
    expect(decodedIn(table)).toEqual([]);
  });

  it("stand for the digits of their text, not for all digits around it", () => {
    const secret = Buffer.from("PROJECT-FALCON").toString("hex").replace(/../g, "$& ").trimEnd();
    const table = "00 01 9f 81 ff fe 03 04\n".repeat(20);
    const text = `${table}${secret}\n${table}`;
    const places = readingsOf(text).flatMap(({ text: readable, place }) => {
      const at = readable.indexOf("PROJECT-FALCON");
      return at < 0 ? [] : (place(at, at + 14) ?? []);
    });
    const [found = ""] = places.map(({ start, end }) => text.slice(start, end));
    expect(found).toContain(secret);
    expect(found.length).toBeLessThan(secret.length + "00 00 00 00 ".length);
  });
});
