import { expect, type Locator, type Page } from "@playwright/test";

/** "Needs attention" of the overview. */
export const attention = (page: Page): Locator => page.getByRole("region", { name: "Needs attention" });

/** Unfolds the list if the item isn't among the first, because problems of other tests in the organization may come first. */
export async function showItem(page: Page, item: Locator): Promise<void> {
  const all = attention(page).getByRole("button", { name: /^Show all/ });
  await expect(item.or(all).first()).toBeVisible();
  if (!(await item.isVisible())) await all.click();
}
