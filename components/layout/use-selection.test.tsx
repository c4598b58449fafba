import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { BulkBar } from "./bulk-bar";
import { useSelection } from "./use-selection";

const rowsOf = (length: number, offset = 0) => Array.from({ length }, (_, index) => ({ id: String(offset + index) }));

function List({ total, load }: { total: number; load: (place: { offset: number; limit: number }) => Promise<void> }) {
  const page = { data: rowsOf(Math.min(25, total)), total_count: total };
  const { selected, setSelected, clear, reach } = useSelection({
    subject: "keys",
    page,
    idOf: ({ id }) => id,
    load: async ({ offset, limit }) => {
      await load({ offset, limit });
      return { data: rowsOf(Math.min(limit, total - offset), offset), total_count: total };
    },
  });
  return (
    <>
      <button onClick={() => setSelected(new Set(page.data.map(({ id }) => id)))}>Select page</button>
      <BulkBar label="Selected" text={`${selected.size} selected`} reach={reach} onClear={clear}>
        {null}
      </BulkBar>
    </>
  );
}

async function open(total: number, load = () => Promise.resolve()) {
  const user = userEvent.setup();
  render(<List total={total} load={load} />);
  await user.click(screen.getByRole("button", { name: "Select page" }));
  return { user, text: () => screen.getByRole("status").textContent };
}

it("offers all that match, also above 1,000", async () => {
  const { user, text } = await open(1005);
  expect(text()).toBe("25 selected");
  await user.click(screen.getByRole("button", { name: "Select all 1,005 that match" }));
  await vi.waitFor(() => expect(text()).toBe("1005 selected"));
  expect(screen.queryByRole("button", { name: /that match/ })).toBeNull();
});

it("says how many can be selected, and how to reach the others", async () => {
  const { user, text } = await open(12_345);
  await user.click(screen.getByRole("button", { name: "Select the first 10,000 of 12,345 that match" }));
  screen.getByText("To reach the others, narrow the list by filters.");
  await vi.waitFor(() => expect(text()).toBe("10000 selected"));
});

it("shows progress, and stops when the selection is cleared", async () => {
  let answer: () => void = () => undefined;
  const load = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  const { user, text } = await open(300, load);
  await user.click(screen.getByRole("button", { name: "Select all 300 that match" }));
  answer();
  await screen.findByRole("button", { name: "Selecting 100 of 300…" });
  await user.click(screen.getByRole("button", { name: "Clear selection" }));
  answer();
  await vi.waitFor(() => expect(text()).toBe("0 selected"));
  expect(load).toHaveBeenCalledTimes(2);
});
