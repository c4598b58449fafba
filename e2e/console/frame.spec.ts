import { expect, test } from "./console-test";

test("a chosen theme is kept, from the first paint on", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  // Before the first paint there is no body yet: null, which a poll outlasts.
  const background = () =>
    page.evaluate(() => (document.body as HTMLElement | null) && getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Theme: System" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload({ waitUntil: "commit" });
  await expect.poll(background).toBe(dark);
  await expect(page.getByRole("button", { name: "Theme: Dark" })).toBeVisible();
});

test("the sidebar can be collapsed, stays so, and keeps its names", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Collapse the sidebar" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Expand the sidebar" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
});

test("on a phone the navigation opens, leads on and closes", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open the navigation" }).click();
  await page.getByRole("dialog", { name: "Signalbox" }).getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("the first Tab offers to skip to the content", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
