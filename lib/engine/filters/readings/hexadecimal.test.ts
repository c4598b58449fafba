import { expect, it } from "vitest";
import { growth } from "../../../testing/processor-time";
import { hexadecimalIn } from "./hexadecimal";

it.each([
  ["61 6c 69 63 65 40 65 78 61 6d 70 6c 65 2e 63 6f 6d", ["alice@example.com"]],
  ["bytes: 0x61, 0x6C, 0x69, 0x63, 0x65, 0x40, 0x65, 0x78, 0x61", ["alice@exa"]],
  ["616c6963 65406578 616d706c 652e636f", ["alice@example.co"]],
  ["00 01 61 6c 69 63 65 40 65 78 61 00", ["\0\x01alice@exa\0"]],
  ["ages: 34 35 31 38 33 30 32 36 39 33 31 32", []],
  ["SHA-256 AB:3C:11:90:FE:7D:02:5C:88:A1:04:9B:C3:E2:17:6F", []],
  ["2024-10-20 12:34:56 10:20:30 40 50", []],
  ["DEADBEEFDEADBEEF CAFEBABE", []],
])("decodes %j to %j", (text, decoded) => expect(hexadecimalIn(text).map((form) => form.text)).toEqual(decoded));

it.each(["61 ", "0x61, ", "A", "61\n", "    1", "6162 "])("reads repeated %j in linear time", async (unit) =>
  expect(await growth(400_000, (size) => hexadecimalIn(unit.repeat(size / unit.length)))).toBeLessThan(10),
);
