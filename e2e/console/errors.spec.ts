import { createPerson, expect, SIGNED_OUT, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("an error that a field shows isn't repeated in the form's alert", async ({ page, api }) => {
  const { email } = await createPerson(api);
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill(email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(/already exists/);
  await expect(dialog.getByRole("textbox", { name: "Email" })).toBeFocused();
  await expect(dialog.getByText(/already exists/)).toHaveCount(1);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
});

test("an error without a field is in the alert, under the field's label", async ({ page }) => {
  await page.route("**/v1/organization/members", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 400,
          json: {
            error: {
              code: 400,
              message: "Invalid request",
              metadata: {
                issues: [
                  { path: ["email"], message: "is not allowed" },
                  { path: ["seat_id"], message: "is taken" },
                ],
              },
            },
          },
        })
      : route.fallback(),
  );
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("Seat ID: is taken");
  await expect(alert).not.toContainText("is not allowed");
  await expect(dialog.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(/is not allowed/);
});

test("the page of a record that isn't found leads back to its list", async ({ page }) => {
  await page.goto(`/keys/${"0".repeat(64)}`);
  const alert = page.getByRole("alert").filter({ hasText: "Not found" });
  await alert.getByRole("link", { name: "Back to API keys" }).click();
  await expect(page).toHaveURL("/keys");
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
});

test("an unknown URL keeps the console's frame", async ({ page }) => {
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
