import { describe, expect, test } from "vitest";
import { fieldChanges } from "./field-changes";

const paths = (before: unknown, after: unknown) =>
  fieldChanges(before, after).map(({ path, kind }) => `${kind} ${path.join(".")}`);

describe("fieldChanges", () => {
  test("equal values have no changes, with null equal to a missing field", () => {
    expect(fieldChanges({ a: 1, b: null }, { a: 1 })).toEqual([]);
  });

  test("reports each field as added, removed or changed", () => {
    expect(paths({ gone: 1, limit: 5, deep: { on: true } }, { limit: 6, deep: { on: false }, fresh: "x" })).toEqual([
      "removed gone",
      "changed limit",
      "changed deep.on",
      "added fresh",
    ]);
  });

  test("reports the added and removed entries of a list of primitive values", () => {
    expect(fieldChanges({ models: ["a", "b"] }, { models: ["b", "c"] })).toEqual([
      {
        path: ["models"],
        kind: "changed",
        before: ["a", "b"],
        after: ["b", "c"],
        entries: { added: ["c"], removed: ["a"] },
      },
    ]);
  });

  test("reports a list that was null as added", () => {
    expect(fieldChanges({ models: null }, { models: ["a"] })).toEqual([
      { path: ["models"], kind: "added", before: null, after: ["a"], entries: { added: ["a"], removed: [] } },
    ]);
  });

  test("compares records by name, at any position", () => {
    const one = { slug: "email", action: "redact" };
    const other = { slug: "phone", action: "flag" };
    expect(paths({ filters: [one, other] }, { filters: [{ ...other, action: "block" }, one] })).toEqual([
      "changed filters.phone.action",
    ]);
    expect(paths({ filters: [one] }, { filters: [one, other] })).toEqual(["added filters.phone"]);
  });

  test("a changed order is one change without entries", () => {
    expect(fieldChanges({ order: ["a", "b"] }, { order: ["b", "a"] })[0]?.entries).toEqual({ added: [], removed: [] });
    expect(paths([{ id: "a" }, { id: "b" }], [{ id: "b" }, { id: "a" }])).toEqual(["changed "]);
  });

  test("a value of a different type is one change", () => {
    expect(paths({ stop: "x" }, { stop: ["x"] })).toEqual(["changed stop"]);
  });
});
