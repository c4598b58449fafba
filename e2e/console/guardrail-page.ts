import type { Locator, Page } from "@playwright/test";
import { expect } from "./console-test";

type Scope = Page | Locator;

export const box = (scope: Scope, name: string) => scope.getByRole("textbox", { name, exact: true });
export const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Guardrails" }).getByRole("row").filter({ hasText: name });
export const filterOf = (page: Page, position: number) =>
  page.getByRole("group", { name: `Custom filter ${position}`, exact: true });
export const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** Adds known or custom values to a picker by typing. */
export async function addValues(page: Page, name: string, values: readonly string[]) {
  const picker = page.getByRole("combobox", { name, exact: true });
  for (const value of values) {
    await picker.fill(value);
    await picker.press(",");
  }
  await picker.press("Escape");
}

export async function select(scope: Scope, page: Page, name: string, option: string) {
  await scope.getByRole("combobox", { name, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Opens the editor and waits until it is interactive. */
export async function openEditor(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole("combobox", { name: "Allowed models" })).toBeVisible();
}

/** Opens a section that is closed at first. */
export async function openSection(page: Page, name: string) {
  const button = page.getByRole("button", { name, exact: true });
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
}

/** Opens one of the editor's tools. */
export const openTool = (page: Page, name: "Summary" | "Problems" | "Impact" | "Tests" | "Try it") =>
  page.getByRole("tablist", { name: "Tools" }).getByRole("tab", { name }).click();
