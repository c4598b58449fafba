import { expect, it } from "vitest";
import { statementNames } from "./statement-names";

const read = (table: string) => `SELECT "t0"."id" FROM "public"."${table}" AS "t0" WHERE "t0"."id" = $1 LIMIT $2`;

it("names a statement by its text", () => {
  const name = statementNames();
  const first = name({ sql: read("keys"), args: ["a", 1] });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(name({ sql: read("keys"), args: ["b", 1] })).toBe(first);
  expect(name({ sql: read("members"), args: ["a", 1] })).not.toBe(first);
});

it.each([
  ["values in its text", "SELECT 1", []],
  ["a list of values", `SELECT "id" FROM "keys" WHERE "id" IN ($1,$2)`, ["a", "b"]],
  ["a list of rows", `SELECT "id" FROM "keys" WHERE "organization_id" = $1 ORDER BY "id" DESC`, ["a"]],
])("leaves one with %s unnamed", (_, sql, args) => {
  expect(statementNames()({ sql, args })).toBe("");
});

it("names no more statements than connections may keep", () => {
  const name = statementNames(2);
  const names = ["a", "b", "c"].map((table) => name({ sql: read(table), args: ["x", 1] }));
  expect(names.map((one) => one !== "")).toEqual([true, true, false]);
  expect(name({ sql: read("a"), args: ["x", 1] })).toBe(names[0]);
});
