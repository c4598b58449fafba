import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decrypt, encrypt, randomBase62, secretKeyId, toBase62 } from "./secrets";

const KEY = Buffer.alloc(32, 1);

describe("encrypt", () => {
  it("round-trips, and never gives the same ciphertext twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = encrypt(KEY, "test", "row-1", text);
        expect(decrypt(KEY, "test", "row-1", sealed)).toBe(text);
        expect(encrypt(KEY, "test", "row-1", text)).not.toBe(sealed);
      }),
    );
  });

  it.each([
    ["another row", () => decrypt(KEY, "test", "row-2", encrypt(KEY, "test", "row-1", "x"))],
    ["another purpose", () => decrypt(KEY, "other", "row-1", encrypt(KEY, "test", "row-1", "x"))],
    ["another secret", () => decrypt(Buffer.alloc(32, 2), "test", "row-1", encrypt(KEY, "test", "row-1", "x"))],
    [
      "a changed byte",
      () =>
        decrypt(
          KEY,
          "test",
          "row-1",
          encrypt(KEY, "test", "row-1", "xy").replace(
            /\.([^.])([^.]*)\.([^.]+)$/,
            (_, a: string, b: string, c: string) => `.${a === "A" ? "B" : "A"}${b}.${c}`,
          ),
        ),
    ],
    ["an unknown envelope", () => decrypt(KEY, "test", "row-1", "v9.a.b.c.d")],
  ])("rejects %s", (_, open) => expect(open).toThrow());

  it("identifies its secret, so that one of several decrypts it", () => {
    const sealed = encrypt(KEY, "test", "row-1", "x");
    expect(sealed.split(".")[1]).toBe(secretKeyId(KEY));
    expect(secretKeyId(KEY)).not.toBe(secretKeyId(Buffer.alloc(32, 2)));
    expect(decrypt([Buffer.alloc(32, 2), KEY], "test", "row-1", sealed)).toBe("x");
  });
});

describe("randomBase62", () => {
  it("has the requested length and only letters and digits", () => {
    for (const length of [0, 1, 20, 42, 200])
      expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  });
});

describe("toBase62", () => {
  it.each([
    [0, "000000"],
    [61, "00000z"],
    [62, "000010"],
    [2 ** 31 - 1, "2LKcb1"],
  ])("writes %i as %s", (value, text) => expect(toBase62(value, 6)).toBe(text));
});
