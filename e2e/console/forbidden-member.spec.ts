import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

const PAGES = [
  ["/providers", "Providers & models", "the providers"],
  ["/providers/sandbox", "sandbox", "this provider"],
  ["/providers/new", "Add provider", "adding providers"],
  ["/audit", "Audit log", "the audit log"],
  ["/settings", "Settings", "the organization"],
  ["/settings?tab=sessions", "Settings", "the sessions"],
] as const;

test("a member is told what their role does not include", async ({ page, api, serverUrl }) => {
  await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
  for (const [path, title, subject] of PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(`Your role does not include ${subject}`)).toBeVisible();
  }
  await page.goto("/account");
  await expect(page.getByRole("table", { name: "Your sessions" })).toBeVisible();
});
