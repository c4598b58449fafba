import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

test("what is typed before the page came alive is kept", async ({ page, api, serverUrl }) => {
  const person = await createPerson(api);
  await page.context().addCookies((await signIn(serverUrl, person)).cookies);
  let release = () => {};
  const scripts = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/account", { waitUntil: "commit" });
  const form = page.getByRole("form", { name: "Password" });
  const [current, next] = [form.getByLabel("Current password"), form.getByLabel("New password")];
  await current.fill("not my password");
  release();
  await page.waitForLoadState("networkidle");
  await next.fill("staple battery horse");
  await expect(current).toHaveValue("not my password");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAccessibleDescription(/is not your password/);
});
