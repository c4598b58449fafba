import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { RecordSelect } from "./record-select";
import type { RecordSource } from "./record-sources";

const KEYS = [
  { value: "hash-a", label: "Support bot" },
  { value: "hash-b", label: "Search" },
];

const source: RecordSource = {
  id: "test",
  find: (q) => Promise.resolve(KEYS.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase()))),
  name: (value) => Promise.resolve(KEYS.find((key) => key.value === value)?.label ?? value),
};

function KeyField() {
  const [value, setValue] = useState<string | null>("hash-a");
  return <RecordSelect aria-label="Key" label="Key" value={value} onChange={setValue} none="Any key" source={source} />;
}

async function open() {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeyField />
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "Key" });
  await expect.poll(() => field.value).toBe("Support bot");
  return { user, field };
}

const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

it("opens by an arrow key on the chosen record, and chooses another one by typing and Enter", async () => {
  const { user, field } = await open();
  field.focus();
  expect(field.getAttribute("aria-expanded")).toBe("false");
  await user.keyboard("{ArrowDown}");
  expect(field.getAttribute("aria-expanded")).toBe("true");
  await expect.poll(options).toEqual(["Any key", "Support bot", "Search"]);
  const active = document.getElementById(field.getAttribute("aria-activedescendant") ?? "");
  expect([active?.textContent, active?.getAttribute("aria-selected")]).toEqual(["Support bot", "true"]);
  await user.keyboard("sea");
  await expect.poll(options).toEqual(["Search"]);
  await expect.poll(() => screen.getByRole("status").textContent).toBe("1 result");
  await user.keyboard("{Enter}");
  expect([field.value, field.getAttribute("aria-expanded")]).toEqual(["Search", "false"]);
  expect(document.activeElement).toBe(field);
});

it("shows the chosen record again when it is closed by Escape or left", async () => {
  const { user, field } = await open();
  await user.click(field);
  await user.keyboard("sea");
  await user.keyboard("{Escape}");
  expect([field.value, options()]).toEqual(["Support bot", []]);
  await user.keyboard("{ArrowDown}x{Tab}");
  expect([field.value, options()]).toEqual(["Support bot", []]);
});

it("chooses none", async () => {
  const { user, field } = await open();
  await user.click(field);
  await user.click(await screen.findByRole("option", { name: "Any key" }));
  expect(field.value).toBe("Any key");
});

it("is typed anew after Escape", async () => {
  const { user, field } = await open();
  await user.click(field);
  await user.keyboard("sea{Escape}");
  expect(field.value).toBe("Support bot");
  await user.keyboard("se");
  expect(field.value).toBe("se");
});
