import { describe, expect, it } from "vitest";
import { fromSorting, toSorting, type Column } from "./data-table-model";

const column = (header: string, sortKey?: string): Column<never> => ({
  id: header.toLowerCase(),
  header,
  cell: () => null,
  ...(sortKey !== undefined && { sortKey }),
});
const columns = [column("Name", "name"), column("Created", "created_at"), column("Actions")];

describe("table sorting", () => {
  it.each([
    ["name", [{ id: "name", desc: false }]],
    ["-created_at", [{ id: "created", desc: true }]],
    [null, []],
  ])("%s is shown, and sent back to the server unchanged", (sort, sorting) => {
    expect(toSorting(sort, columns)).toEqual(sorting);
    expect(fromSorting(sorting, columns)).toBe(sort);
  });

  it("is empty for a field that no column sorts by", () => {
    expect(toSorting("-spend", columns)).toEqual([]);
  });
});
