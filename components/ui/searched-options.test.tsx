import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { SearchedOptions } from "./searched-options";

const NAMES = ["Alpha", "Beta", "Gamma", "Beta two"];

interface ListProps {
  isSearched?: boolean;
  isMultiple?: boolean;
  isSettled?: boolean;
}

function List({ isSearched = true, isMultiple = false, isSettled = true }: ListProps) {
  const [text, onChange] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const options = NAMES.filter((name) => name.includes(text)).map((value) => ({ value, label: value }));
  const choose = (value: string) => setChosen(isMultiple ? [...chosen, value] : [value]);
  return (
    <SearchedOptions
      label="Keys"
      search={isSearched ? { label: "Search keys", text, onChange } : undefined}
      options={options}
      total={options.length}
      isSettled={isSettled}
      chosen={chosen}
      isMultiple={isMultiple}
      onChoose={choose}
      empty={<p>Nothing</p>}
    />
  );
}

const selected = () => screen.queryAllByRole("option", { selected: true }).map(({ textContent }) => textContent);
const activeOf = (owner: HTMLElement) =>
  document.getElementById(owner.getAttribute("aria-activedescendant") ?? "")?.textContent;

function open(props: ListProps = {}) {
  const user = userEvent.setup();
  render(<List {...props} />);
  const owner = props.isSearched === false ? screen.getByRole("listbox") : screen.getByRole("combobox");
  owner.focus();
  return { user, owner };
}

it("is a combobox that controls a listbox", () => {
  const { owner } = open();
  expect(owner.getAttribute("aria-expanded")).toBe("true");
  expect(owner.getAttribute("aria-controls")).toBe(screen.getByRole("listbox", { name: "Keys" }).id);
  expect(owner.getAttribute("aria-autocomplete")).toBe("list");
});

it("moves the active option by arrows, Home and End, and chooses it by Enter while the search has the focus", async () => {
  const { user, owner } = open();
  expect(activeOf(owner)).toBe("Alpha");
  await user.keyboard("{ArrowDown}");
  expect(activeOf(owner)).toBe("Beta");
  await user.keyboard("{End}");
  expect(activeOf(owner)).toBe("Beta two");
  await user.keyboard("{ArrowDown}");
  expect(activeOf(owner)).toBe("Alpha");
  await user.keyboard("{ArrowUp}{Home}{ArrowDown}{Enter}");
  expect(selected()).toEqual(["Beta"]);
  expect(document.activeElement).toBe(owner);
});

it("announces the number of matches of the typed text", async () => {
  const { user, owner } = open();
  expect(screen.getByRole("status").textContent).toBe("");
  await user.type(owner, "Beta");
  expect(screen.getByRole("status").textContent).toBe("2 results");
  await user.type(owner, " two");
  expect(screen.getByRole("status").textContent).toBe("1 result");
  await user.type(owner, "!");
  expect(screen.getByRole("status").textContent).toBe("0 results");
  expect(owner.getAttribute("aria-activedescendant")).toBeNull();
  screen.getByText("Nothing");
});

it("chooses nothing while the options aren't those of the typed text", async () => {
  const { user, owner } = open({ isSettled: false });
  await user.type(owner, "Beta{Enter}");
  expect(selected()).toEqual([]);
});

it("is a listbox with the focus if there is no search, and says that several can be chosen", async () => {
  const { user, owner } = open({ isSearched: false, isMultiple: true });
  expect(owner.getAttribute("aria-multiselectable")).toBe("true");
  await user.keyboard("{ArrowDown} {End}{Enter}");
  expect(selected()).toEqual(["Beta", "Beta two"]);
  expect(activeOf(owner)).toBe("Beta two");
});
