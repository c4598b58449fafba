import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.describe("one's own", () => {
  test.use({ storageState: SIGNED_OUT });

  test("another browser of one's own is signed out", async ({ page, browser, api, serverUrl }) => {
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

  test("everywhere else is signed out at once", async ({ page, api, serverUrl }) => {
    const person = await createPerson(api);
    await page.context().addCookies((await signIn(serverUrl, person)).cookies);
    for (let count = 0; count < 2; count++) await signIn(serverUrl, person);
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out everywhere else…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(page.getByText("2 other browsers are signed out")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign out everywhere else…" })).toBeDisabled();
  });
});

test("an admin signs a member's browser out", async ({ page, browser, api, serverUrl }) => {
  const person = await createPerson(api);
  const theirs = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
  await page.goto("/settings?tab=sessions");
  await page.getByRole("button", { name: new RegExp(`^Sign out .* of ${person.email}$`) }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Signed out there")).toBeVisible();
  expect((await theirs.request.get("/session")).status()).toBe(401);
  await theirs.close();
});
