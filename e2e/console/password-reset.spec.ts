import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test("an admin resets a password: sessions end, the old password stops working, and the link works once", async ({
  page,
  browser,
  api,
  serverUrl,
}) => {
  const person = await createPerson(api);
  const before = await browser.newContext({ storageState: await signIn(serverUrl, person) });
  expect((await before.request.get("/session")).status()).toBe(200);

  await page.goto(`/members/${person.id}`);
  await page.getByRole("button", { name: "Reset password…" }).click();
  const dialog = page.getByRole("dialog", { name: `Reset password of ${person.email}` });
  await dialog.getByRole("button", { name: "Reset password" }).click();
  const url = await dialog.getByRole("textbox", { name: "Reset link" }).inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Invited")).toBeVisible();
  expect((await before.request.get("/session")).status()).toBe(401);
  await before.close();

  const other = await browser.newContext({ storageState: SIGNED_OUT });
  const theirs = await other.newPage();
  await theirs.goto(url);
  await expect(theirs.getByRole("heading", { level: 1, name: "Set a new password" })).toBeVisible();
  await theirs.getByLabel("New password").fill("short");
  await theirs.getByRole("button", { name: "Save and sign in" }).click();
  await expect(theirs.getByLabel("New password")).toHaveAccessibleDescription(/at least 8 characters/i);
  const password = `${person.password}-new`;
  await theirs.getByLabel("New password").fill(password);
  await theirs.getByRole("button", { name: "Save and sign in" }).click();
  await expect(theirs.getByRole("button", { name: /^Account:/ })).toBeVisible();
  await theirs.goto(url);
  await theirs.getByLabel("New password").fill("another password");
  await theirs.getByRole("button", { name: "Save and sign in" }).click();
  await expect(theirs.getByRole("alert").filter({ hasText: "This link is no longer valid" })).toBeVisible();
  await other.close();

  const attempt = (text: string) =>
    page.request.post("/session", { data: { email: person.email, password: text }, headers: { origin: serverUrl } });
  expect((await attempt(person.password)).status()).toBe(401);
});

test("signing a member out everywhere only ends their sessions", async ({ page, browser, api, serverUrl }) => {
  const person = await createPerson(api);
  const theirs = await browser.newContext({ storageState: await signIn(serverUrl, person) });
  await page.goto(`/members/${person.id}`);
  await page.getByRole("button", { name: "Sign out everywhere…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("1 browser");
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByRole("button", { name: "Sign out everywhere…" })).toBeDisabled();
  expect((await theirs.request.get("/session")).status()).toBe(401);
  await theirs.close();
});
