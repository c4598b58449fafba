import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("the offline notice appears and disappears", async ({ page, context }) => {
  await page.goto("/presets");
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  const notice = page.getByText("You are offline.");
  await expect(page.getByRole("button", { name: /^Account/ })).toBeVisible();
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await expectAccessible(page, "offline");
  await context.setOffline(false);
  await expect(notice).toBeHidden();
});

test("a request that failed offline can be retried", async ({ page, context }) => {
  await page.goto("/presets");
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  await page.route("**/v1/keys?*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Presets" }).focus();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search the console" });
  await expect(search).toBeFocused();
  await context.setOffline(true);
  await search.fill("keys");
  await expect(page.getByRole("option", { name: "API keys" }), "pages are listed without the server").toBeVisible();
  await context.setOffline(false);
});

test("following a link offline keeps the page and says why", async ({ page, context }) => {
  await page.goto("/presets");
  await expect(page.getByRole("button", { name: /^Account/ })).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await context.setOffline(true);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API reference" }).click();
  await expect(page.getByText("This page stays open.")).toBeVisible();
  await expect(page).toHaveURL("/presets");
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API reference" }).click();
  await expect(page).toHaveURL("/docs");
});

test("shortcuts and the palette keep the page offline too", async ({ page, context }) => {
  await page.goto("/presets");
  await expect(page.getByRole("button", { name: /^Account/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search the console" });
  await expect(search).toBeFocused();
  await context.setOffline(true);
  await search.fill("guardrails");
  await page.getByRole("option", { name: "Guardrails", exact: true }).click();
  await expect(page.getByText("This page stays open.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("This page stays open.")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await expect(page.getByText("This page stays open.")).toBeVisible();
  await expect(page).toHaveURL("/presets");
  await context.setOffline(false);
});
