import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

test("a password is changed by the current one, and other browsers are signed out", async ({
  page,
  browser,
  api,
  serverUrl,
}) => {
  const person = await createPerson(api);
  await page.context().addCookies((await signIn(serverUrl, person)).cookies);
  const other = await browser.newContext({ baseURL: serverUrl, storageState: await signIn(serverUrl, person) });
  await page.goto("/account");
  const form = page.getByRole("form", { name: "Password" });
  const [current, next] = [form.getByLabel("Current password"), form.getByLabel("New password")];
  await current.fill("not my password");
  await next.fill("staple battery horse");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAccessibleDescription(/is not your current password/);
  await expect(next, "input is kept").toHaveValue("staple battery horse");
  expect((await other.request.get("/session")).status()).toBe(200);

  await current.fill(person.password);
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed")).toBeVisible();
  await expect(page.getByText("1 other browser was signed out.")).toBeVisible();
  await expect(current).toHaveValue("");
  expect((await other.request.get("/session")).status()).toBe(401);
  await signIn(serverUrl, { ...person, password: "staple battery horse" });
  await other.close();
});

test("a name is changed and shown", async ({ page, api, serverUrl }) => {
  await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
  await page.goto("/account");
  const form = page.getByRole("form", { name: "Your name" });
  await form.getByRole("textbox", { name: "First name" }).fill("Grace");
  await form.getByRole("textbox", { name: "Last name" }).fill("Hopper");
  await form.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Name saved")).toBeVisible();
  await expect(page.getByRole("button", { name: "Account: Grace Hopper" })).toBeVisible();
});
