import type { Locator, Page } from "@playwright/test";
import { expect } from "./console-test";

/** Focuses an element by pressing Tab, like a keyboard user. */
export async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target, "reached by Tab").toBeFocused();
}
