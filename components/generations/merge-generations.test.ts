import { expect, it } from "vitest";
import { mergeNewestFirst } from "./merge-generations";

const row = (id: string, second: number) => ({
  id,
  created_at: new Date(1_700_000_000_000 + second * 1000).toISOString(),
});
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join("");

it("merges new rows by time, without duplicates", () => {
  const loaded = [row("d", 4), row("b", 2)];
  expect(ids(mergeNewestFirst(loaded, [row("e", 5), row("c", 3), row("d", 4)], false))).toBe("edcb");
});

it("omits rows older than the loaded ones, unless everything is loaded", () => {
  const loaded = [row("d", 4), row("b", 2)];
  expect(ids(mergeNewestFirst(loaded, [row("a", 1)], false))).toBe("db");
  expect(ids(mergeNewestFirst(loaded, [row("a", 1)], true))).toBe("dba");
});

it("orders equal times by id, newest first", () => {
  expect(ids(mergeNewestFirst([row("b", 1)], [row("c", 1), row("a", 1)], true))).toBe("cba");
});
