import type { Page } from "@playwright/test";
import { expect, test } from "./console-test";

/**
 * Makes every script that is loaded after the page return 404, as after an upgrade. Returns a function that undoes it.
 */
async function loseLateScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = "**/_next/static/**/*.js";
  await page.route(scripts, (route) => route.fulfill({ status: 404 }));
  return () => page.unroute(scripts);
}

const palette = (page: Page) => page.getByRole("combobox", { name: "Search the console" });

test("a script that is gone after an upgrade reloads the page", async ({ page }) => {
  await page.goto("/account");
  const restore = await loseLateScripts(page);
  const reloaded = page.waitForEvent("framenavigated");
  await page.keyboard.press("Control+k");
  await reloaded;
  await restore();
  await page.reload();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
});

test("a script that can't be loaded after the reload either is reported, with a way to reload", async ({ page }) => {
  await page.addInitScript(() => sessionStorage.setItem("signalbox:reloaded-at", String(Date.now())));
  await page.goto("/account");
  const restore = await loseLateScripts(page);
  await page.keyboard.press("Control+k");
  const alert = page.getByRole("alert").filter({ hasText: "couldn't be loaded" });
  await expect(alert).toBeVisible();
  await restore();
  await alert.getByRole("button", { name: "Reload page" }).click();
  await expect(alert).toBeHidden();
  // The helper's reload waits for hydration, the button's doesn't.
  await page.reload();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
});

test("a script that can't be loaded while the server is unreachable is loaded once it is back", async ({ page }) => {
  await page.goto("/account");
  await page.getByRole("textbox", { name: "First name" }).fill("Grace");
  await page.route("**/*", (route) => route.abort("connectionrefused"));
  await page.keyboard.press("Control+k");
  await expect(page.getByText("Can't reach Signalbox. Retrying…")).toBeVisible();
  await page.unroute("**/*");
  await expect(palette(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Grace");
});
