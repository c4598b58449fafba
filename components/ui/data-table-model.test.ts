import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { directionOf, nextSort, selectionOf, toggleAll, toggleKey } from "./data-table-model";

const keys = ["a", "b", "c", "d", "e"];
const subset = fc.subarray(keys).map((some) => new Set(some));
const key = fc.constantFrom(...keys);
const sorted = (set: ReadonlySet<string>) => [...set].sort();

describe("the order of a table", () => {
  it.each([
    [null, "name", "name"],
    ["name", "name", "-name"],
    ["-name", "name", null],
    ["-created_at", "name", "name"],
  ])("from %s a press on %s leads to %s", (sort, sortKey, next) => expect(nextSort(sort, sortKey)).toBe(next));

  it("says how it orders by a column, and by no other", () => {
    expect([
      directionOf("name", "name"),
      directionOf("-name", "name"),
      directionOf("name", "created_at"),
      directionOf(null, "name"),
    ]).toEqual(["ascending", "descending", undefined, undefined]);
  });
});

describe("the selection of a table", () => {
  it.each([
    { what: "a key is added", selected: [], on: "b", anchor: null, after: ["b"] },
    { what: "a key is taken back", selected: ["a", "b"], on: "b", anchor: null, after: ["a"] },
    { what: "a range downwards is added", selected: ["b"], on: "d", anchor: "b", after: ["b", "c", "d"] },
    { what: "a range upwards is added", selected: ["d"], on: "a", anchor: "d", after: ["a", "b", "c", "d"] },
    {
      what: "a range is taken back as its last key is",
      selected: ["a", "b", "c", "e"],
      on: "c",
      anchor: "a",
      after: ["e"],
    },
    {
      what: "an anchor that has left the page counts for nothing",
      selected: [],
      on: "b",
      anchor: "gone",
      after: ["b"],
    },
    {
      what: "what is selected elsewhere stays",
      selected: ["elsewhere"],
      on: "a",
      anchor: null,
      after: ["a", "elsewhere"],
    },
  ])("$what", ({ selected, on, anchor, after }) =>
    expect(sorted(toggleKey(new Set(selected), keys, on, anchor))).toEqual(after),
  );

  it("is as before after the same key is turned twice", () => {
    fc.assert(
      fc.property(subset, key, (selected, one) => {
        expect(sorted(toggleKey(toggleKey(selected, keys, one, null), keys, one, null))).toEqual(sorted(selected));
      }),
    );
  });

  it("gives every key of a range what its last key gets", () => {
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

  it("knows all, some and none, of this page alone", () => {
    const elsewhere = new Set(["elsewhere"]);
    expect([
      selectionOf(new Set(keys), keys),
      selectionOf(new Set(["a"]), keys),
      selectionOf(elsewhere, keys),
      selectionOf(elsewhere, []),
    ]).toEqual([true, "indeterminate", false, false]);
  });

  it("selects all, then none, and leaves what is elsewhere", () => {
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
