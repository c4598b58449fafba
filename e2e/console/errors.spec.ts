import { expect, SIGNED_OUT, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("the page of a record that isn't found leads back to its list", async ({ page }) => {
  await page.goto(`/keys/${"0".repeat(64)}`);
  const alert = page.getByRole("alert").filter({ hasText: "Not found" });
  await alert.getByRole("link", { name: "Back to API keys" }).click();
  await expect(page).toHaveURL("/keys");
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
});

test("an unknown URL keeps the console's frame @journey", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page).toHaveTitle("Page not found · Signalbox");
  await expectAccessible(page, "not found");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  await page.goto("/docs/noSuchOperation");
  await page.getByRole("link", { name: "Back to API reference" }).click();
  await expect(page).toHaveURL("/docs");
});

test.describe("signed out", () => {
  test.use({ storageState: SIGNED_OUT });
  test("an unknown URL leads to the sign-in page", async ({ page }) => {
    const response = await page.goto("/no/such/page");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await page.getByRole("link", { name: "Go to overview" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Sign in to Signalbox" })).toBeVisible();
  });
});
