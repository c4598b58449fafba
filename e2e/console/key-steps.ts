import type { Locator, Page } from "@playwright/test";

export const rowOfKey = (page: Page, name: string): Locator =>
  page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: name });

/** Filters the list by name, so that other keys on the server don't interfere. */
export async function searchKeys(page: Page, name: string): Promise<void> {
  await page.goto(`/keys?q=${encodeURIComponent(name)}`);
}

export async function openNewKey(page: Page): Promise<Locator> {
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  return page.getByRole("dialog");
}

export async function chooseForKey(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
