import { expect, it } from "vitest";
import { Key, UpdateKeyBody } from "../records/keys/contract";
import { newName } from "./name-contract";

it.each(["\u202e", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u202a"])(
  "refuses a direction control (%j)",
  (control) => {
    const { error } = newName(100).safeParse(`Sup${control}port`);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      `must not contain characters that change the text direction (U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")})`,
    ]);
  },
);

it.each(["Support bot", "דוגמה", "مثال", "👩‍💻 desk", "é"])("accepts %s", (name) => {
  expect(newName(100).parse(` ${name} `)).toBe(name);
});

it("refuses it in a body, and reads a stored name that has it", () => {
  const name = "a\u202eb";
  expect(UpdateKeyBody.safeParse({ name }).success).toBe(false);
  expect(Key.shape.name.parse(name)).toBe(name);
});
