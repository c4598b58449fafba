import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.describe("own sessions", () => {
  test.use({ storageState: SIGNED_OUT });

  test("another browser is signed out", async ({ page, browser, api, serverUrl }) => {
    const person = await createPerson(api);
    await page.context().addCookies((await signIn(serverUrl, person)).cookies);
    const other = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
    const there = await other.newPage();
    await there.goto("/account");
    await expect(there.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();

    await page.goto("/account");
    const table = page.getByRole("table", { name: "Your sessions" });
    await expect(table.getByRole("row")).toHaveCount(3);
    await expect(
      table
        .getByRole("row")
        .filter({ hasText: "This browser" })
        .getByRole("button", { name: /^Sign out/ }),
    ).toHaveCount(0);
    await table.getByRole("button", { name: /^Sign out/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
    await expect(table.getByRole("row")).toHaveCount(2);
    expect((await other.request.get("/session")).status()).toBe(401);
    expect((await page.context().request.get("/session")).status()).toBe(200);
    await other.close();
  });

  test("other browsers are signed out immediately", async ({ page, api, serverUrl }) => {
    const person = await createPerson(api);
    await page.context().addCookies((await signIn(serverUrl, person)).cookies);
    for (let count = 0; count < 2; count++) await signIn(serverUrl, person);
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out other browsers…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out other browsers" }).click();
    await expect(page.getByText("Signed out 2 other browsers")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign out other browsers…" })).toBeDisabled();
  });
});

test("an admin signs out a member's browser", async ({ page, browser, api, serverUrl }) => {
  const person = await createPerson(api);
  const theirs = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
  await page.goto("/settings?tab=sessions");
  await page.getByRole("button", { name: new RegExp(`^Sign out .* of ${person.email}$`) }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Signed out")).toBeVisible();
  expect((await theirs.request.get("/session")).status()).toBe(401);
  await theirs.close();
});
