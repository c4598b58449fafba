import { expect, test } from "./console-test";
import { ask, row, sheet } from "./generation-log";
import { expectAccessible } from "./page-checks";

test("shortcuts are listed, go to pages, and walk through the log", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const [older, newer] = [await ask(api, key, { input: "one" }), await ask(api, key, { input: "two" })];
  await page.goto("/presets");
  await expect(page.getByRole("button", { name: /^Account/ })).toBeVisible();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list).toContainText("API keys");
  await expectAccessible(page, "shortcuts");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/\/keys$/);

  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, newer)).toBeVisible();
  await page.keyboard.press("j");
  await expect(row(page, newer)).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(page, older)).toBeFocused();
  await page.keyboard.press("k");
  await expect(row(page, newer)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sheet(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet(page)).toBeHidden();
  await expect(row(page, newer)).toBeFocused();
});
