import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { directionOf, nextSort, selectionOf, toggleAll, toggleKey } from "./data-table-model";

const keys = ["a", "b", "c", "d", "e"];
const subset = fc.subarray(keys).map((some) => new Set(some));
const key = fc.constantFrom(...keys);
const sorted = (set: ReadonlySet<string>) => [...set].sort();

describe("table sorting", () => {
  it.each([
    [null, "name", "name"],
    ["name", "name", "-name"],
    ["-name", "name", null],
    ["-created_at", "name", "name"],
  ])("from %s, pressing %s sorts by %s", (sort, sortKey, next) => expect(nextSort(sort, sortKey)).toBe(next));

  it("reports the direction of the sorted column only", () => {
    expect([
      directionOf("name", "name"),
      directionOf("-name", "name"),
      directionOf("name", "created_at"),
      directionOf(null, "name"),
    ]).toEqual(["ascending", "descending", undefined, undefined]);
  });
});

describe("table selection", () => {
  it.each([
    { what: "adds a key", selected: [], on: "b", anchor: null, after: ["b"] },
    { what: "removes a key", selected: ["a", "b"], on: "b", anchor: null, after: ["a"] },
    { what: "adds a range downwards", selected: ["b"], on: "d", anchor: "b", after: ["b", "c", "d"] },
    { what: "adds a range upwards", selected: ["d"], on: "a", anchor: "d", after: ["a", "b", "c", "d"] },
    {
      what: "removes a range if its last key is removed",
      selected: ["a", "b", "c", "e"],
      on: "c",
      anchor: "a",
      after: ["e"],
    },
    {
      what: "ignores an anchor that is no longer on the page",
      selected: [],
      on: "b",
      anchor: "gone",
      after: ["b"],
    },
    {
      what: "keeps selections on other pages",
      selected: ["elsewhere"],
      on: "a",
      anchor: null,
      after: ["a", "elsewhere"],
    },
  ])("$what", ({ selected, on, anchor, after }) =>
    expect(sorted(toggleKey(new Set(selected), keys, on, anchor))).toEqual(after),
  );

  it("is unchanged after toggling the same key twice", () => {
    fc.assert(
      fc.property(subset, key, (selected, one) => {
        expect(sorted(toggleKey(toggleKey(selected, keys, one, null), keys, one, null))).toEqual(sorted(selected));
      }),
    );
  });

  it("sets every key of a range like its last key", () => {
    fc.assert(
      fc.property(subset, key, key, (selected, from, to) => {
        const after = toggleKey(selected, keys, to, from);
        const [low, high] = [keys.indexOf(from), keys.indexOf(to)].sort();
        for (const one of keys)
          expect(after.has(one)).toBe(
            keys.indexOf(one) >= (low ?? 0) && keys.indexOf(one) <= (high ?? 0) ? !selected.has(to) : selected.has(one),
          );
      }),
    );
  });

  it("distinguishes all, some and none on this page", () => {
    const elsewhere = new Set(["elsewhere"]);
    expect([
      selectionOf(new Set(keys), keys),
      selectionOf(new Set(["a"]), keys),
      selectionOf(elsewhere, keys),
      selectionOf(elsewhere, []),
    ]).toEqual([true, "indeterminate", false, false]);
  });

  it("toggles all on this page and keeps other pages", () => {
    fc.assert(
      fc.property(subset, (selected) => {
        const before = new Set([...selected, "elsewhere"]);
        const after = toggleAll(before, keys);
        expect(selectionOf(after, keys)).toBe(selectionOf(before, keys) !== true);
        expect(after.has("elsewhere")).toBe(true);
      }),
    );
  });
});
