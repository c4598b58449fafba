import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { ConfirmDialog } from "./confirm-dialog";

function ask(props: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) {
  const [confirm, change] = [vi.fn(), vi.fn()];
  render(
    <ConfirmDialog open onOpenChange={change} title="Delete “Ada”?" action="Delete" onConfirm={confirm} {...props}>
      <p>Its keys stop working.</p>
    </ConfirmDialog>,
  );
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });
  return { user: userEvent.setup(), confirm, change, button };
}

it("asks before the action", async () => {
  const { user, confirm, change, button } = ask();
  expect(
    screen.getByRole("alertdialog", { name: "Delete “Ada”?", description: "Its keys stop working." }),
  ).toBeTruthy();
  await user.click(button);
  expect(confirm).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(change).toHaveBeenCalledWith(false);
});

it("requires the name to be typed", async () => {
  const { user, confirm, button } = ask({ typed: "Ada" });
  const field = screen.getByRole("textbox", { name: "Type Ada to confirm" });
  await user.type(field, "Ad{Enter}");
  expect(button.disabled).toBe(true);
  expect(confirm).not.toHaveBeenCalled();
  await user.type(field, "a");
  expect(button.disabled).toBe(false);
  await user.type(field, "{Enter}");
  expect(confirm).toHaveBeenCalledOnce();
});

it.each([{ isPending: true }, { isImpossible: true, touches: "The last admin" }])("can't be confirmed: %o", (props) => {
  expect(ask(props).button.disabled).toBe(true);
});

it.each([true, false])("Escape closes it, unless the action runs: %s", async (isPending) => {
  const { user, change } = ask({ isPending });
  await user.keyboard("{Escape}");
  expect(change.mock.calls).toEqual(isPending ? [] : [[false]]);
});

it("can be cancelled while it can't be confirmed", async () => {
  const { user, change, button } = ask({ isDisabled: true });
  expect(button.disabled).toBe(true);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(change).toHaveBeenCalledWith(false);
});

it("returns the focus to what opened it", async () => {
  const user = userEvent.setup();
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Delete…
        </button>
        <ConfirmDialog open={isOpen} onOpenChange={setOpen} title="Delete?" action="Delete" onConfirm={vi.fn()}>
          <p>It is gone then.</p>
        </ConfirmDialog>
      </>
    );
  }
  render(<Page />);
  const opener = screen.getByRole("button", { name: "Delete…" });
  await user.click(opener);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(opener);
});
