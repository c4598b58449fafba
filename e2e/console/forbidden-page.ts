import type { Page } from "@playwright/test";
import { expect } from "./console-test";

/** Expects that a forbidden page offers no actions. */
export async function expectNoActions(page: Page): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByRole("button", { name: /Export|Filter|Search|Add|New/ })).toHaveCount(0);
  await expect(main.getByRole("link", { name: /Export|Add|New|Back to/ })).toHaveCount(0);
  await expect(main.getByRole("searchbox")).toHaveCount(0);
}
