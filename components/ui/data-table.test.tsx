import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { DataTable, type Column } from "./data-table";

interface Key {
  name: string;
  calls: number;
}
const KEYS: Key[] = ["One", "Two", "Three", "Four"].map((name, calls) => ({ name, calls }));
const COLUMNS: Column<Key>[] = [
  { id: "name", header: "Name", cell: ({ name }) => name, sortKey: "name" },
  { id: "calls", header: "Calls", cell: ({ calls }) => calls, align: "right" },
];
const table = { label: "Keys", columns: COLUMNS, rows: KEYS, rowKey: ({ name }: Key) => name };

function Selectable() {
  const [selected, onChange] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DataTable {...table} selection={{ selected, onChange, nameOf: ({ name }) => name }} />
      <output>{[...selected].join()}</output>
    </>
  );
}

it("selects every row from the last one clicked by a shift-click", async () => {
  const user = userEvent.setup();
  render(<Selectable />);
  const choice = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });
  await user.click(choice("One"));
  await user.keyboard("{Shift>}");
  await user.click(choice("Three"));
  await user.keyboard("{/Shift}");
  expect(screen.getByRole("status").textContent).toBe("One,Two,Three");
  const [all] = screen.getAllByRole("checkbox", { name: "Select all on this page" });
  expect(all?.getAttribute("aria-checked")).toBe("mixed");
  if (all) await user.click(all);
  expect(screen.getByRole("status").textContent).toBe("One,Two,Three,Four");
});

it.each([
  [null, "name", null],
  ["name", "-name", "ascending"],
  ["-name", null, "descending"],
] as const)("sorted by %s, a header's button sorts by %s", async (value, next, direction) => {
  const onChange = vi.fn();
  render(<DataTable {...table} sort={{ value, onChange }} />);
  const header = screen.getByRole("columnheader", { name: "Name" });
  expect(header.getAttribute("aria-sort")).toBe(direction);
  await userEvent.setup().click(screen.getByRole("button", { name: "Name" }));
  expect(onChange).toHaveBeenCalledWith(next);
});

it.each([
  [null, "-name"],
  ["-name", "name"],
  ["name", null],
] as const)("a column that sorts down first goes from %s to %s", async (value, next) => {
  const onChange = vi.fn();
  const columns = COLUMNS.map((column) => ({ ...column, isDescendingFirst: true }));
  render(<DataTable {...table} columns={columns} sort={{ value, onChange }} />);
  await userEvent.setup().click(screen.getByRole("button", { name: "Name" }));
  expect(onChange).toHaveBeenCalledWith(next);
});

it("leaves out hidden columns", () => {
  render(<DataTable {...table} chooser={{ hidden: ["calls"], onChange: vi.fn() }} />);
  expect(screen.getByRole("columnheader", { name: /Name/ })).toBeTruthy();
  expect(screen.queryByRole("columnheader", { name: "Calls" })).toBeNull();
});

it("moves between rows by keys, and opens one by Enter", async () => {
  const user = userEvent.setup();
  const onOpen = vi.fn();
  render(<DataTable {...table} onOpen={onOpen} />);
  screen.getByRole("row", { name: /One/ }).focus();
  await user.keyboard("j{ArrowDown}k{Enter}");
  expect(onOpen).toHaveBeenCalledWith(KEYS[1]);
  await user.keyboard("{End}{Enter}");
  expect(onOpen).toHaveBeenLastCalledWith(KEYS[3]);
});
