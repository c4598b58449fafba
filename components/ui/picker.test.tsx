import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { Picker } from "./picker";

const MODELS = [{ value: "sandbox/echo" }, { value: "openai/gpt-5" }];

function Models({ chosen = [] }: { chosen?: string[] }) {
  const [value, setValue] = useState(chosen);
  return <Picker aria-label="Models" value={value} onChange={setValue} options={MODELS} />;
}

/** Opens the picker and returns it with the texts of its chosen values. */
function open(chosen?: string[]) {
  const user = userEvent.setup();
  render(<Models {...(chosen && { chosen })} />);
  const picker = screen.getByRole("combobox", { name: "Models" });
  picker.focus();
  return { user, picker, values: () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent) };
}

it("splits a pasted list into values, and marks unknown ones", async () => {
  const { user, values } = open();
  await user.paste("sandbox/echo, no/such-model\nno/such-model");
  expect(values()).toEqual(["sandbox/echo", "no/such-model (not in the catalogue)"]);
});

it.each(["{Escape}", "{Tab}"])("adds nothing of the typed text when it is left by %s", async (key) => {
  const { user, picker, values } = open();
  await user.type(picker, `gpt${key}`);
  if (key === "{Escape}") await user.click(document.body);
  expect(picker).toHaveProperty("value", "");
  expect(values()).toEqual([]);
  await user.type(picker, "gpt");
  await user.click(screen.getByRole("option", { name: /^Add “\s?gpt/ }));
  expect(values()).toEqual(["gpt (not in the catalogue)"]);
});

it("takes the first match by Enter, and the typed text by a comma", async () => {
  const { user, picker, values } = open();
  await user.type(picker, "echo{Enter}");
  await user.type(picker, "echo,");
  expect(values()).toEqual(["sandbox/echo", "echo (not in the catalogue)"]);
});

it("removes the last value by Backspace, and any by its button", async () => {
  const { user, picker, values } = open(["sandbox/echo", "openai/gpt-5", "a/b"]);
  await user.type(picker, "{Backspace}");
  expect(values()).toEqual(["sandbox/echo", "openai/gpt-5"]);
  await user.click(screen.getByRole("button", { name: "Remove sandbox/echo" }));
  expect(values()).toEqual(["openai/gpt-5"]);
});

it("lists what contains the typed text", async () => {
  const { user, picker } = open();
  await user.type(picker, "open");
  const options = within(screen.getByRole("listbox")).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["openai/gpt-5", "Add “open” as custom value"]);
});

it("moves between options by Home and End, closes by Escape, and announces the matches", async () => {
  const { user, picker } = open();
  const active = () => document.getElementById(picker.getAttribute("aria-activedescendant") ?? "")?.textContent;
  await user.keyboard("{ArrowDown}{End}");
  expect(active()).toBe("openai/gpt-5");
  await user.keyboard("{Home}");
  expect(active()).toBe("sandbox/echo");
  await user.type(picker, "gpt");
  expect(screen.getByRole("status").textContent).toBe("1 result");
  await user.keyboard("{Escape}");
  expect(picker.getAttribute("aria-expanded")).toBe("false");
});
