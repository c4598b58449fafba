import { describe, expect, it } from "vitest";
import { testDatabase } from "../../testing/test-context";
import { readStatement } from "./statement";

const TEXTS = [null, "", "NULL", 'a"b', "a\\b", "{a,b}", " padded ", "line\nbreak", "😀 ünï", '{"a": "\\"b\\""}'];
const LONG = 'é"\\ '.repeat(1000);
const read = async (type: string, elements: readonly (string | null)[]) => {
  const { client } = await testDatabase();
  const text = `SELECT coalesce(json_agg(value ORDER BY position), '[]') AS read FROM unnest($1::${type}[]) WITH ORDINALITY AS given(value, position)`;
  const [row] = await readStatement<{ read: unknown }>(client, { name: `read_${type}`, text }, [{ type, elements }]);
  return row?.read;
};

describe("an array parameter", () => {
  it.each([
    ["short texts", TEXTS],
    ["long texts", [...TEXTS, LONG, ...TEXTS, LONG]],
    ["long texts without null", [LONG, "", LONG]],
    ["nulls", [null, null]],
    ["no element", []],
  ])("passes %s unchanged", async (_, elements) => {
    expect(await read("text", elements)).toEqual(elements);
  });

  it.each([
    ["short", ["a", 'b"\\']],
    ["long", ["a", LONG, { [LONG]: [LONG, null] }]],
  ])("passes %s JSON unchanged, with nulls", async (_, values) => {
    expect(await read("jsonb", [null, ...values.map((value) => JSON.stringify(value))])).toEqual([null, ...values]);
  });

  it("passes values of other types as text", async () => {
    expect(await read("int4", ["1", null, "-2"])).toEqual([1, null, -2]);
  });
});
