import { expect, it } from "vitest";
import { growth } from "../../../testing/processor-time";
import { base32In } from "./base32";

it.each([
  ["MFWGSY3FIBSXQYLNOBWGKLTDN5WQ====", ["alice@example.com"]],
  ["AAAAAAAAAAAAAAAAAAAAAAAA", []],
  ["JBSWY3DPEHPK3PXP", []],
  ["DEADBEEFDEADBEEF CAFEBABE", []],
])("decodes %j to %j", (text, decoded) => expect(base32In(text).map((form) => form.text)).toEqual(decoded));

it("takes linear time", async () =>
  expect(await growth(400_000, (size) => base32In("A".repeat(size)))).toBeLessThan(10));
