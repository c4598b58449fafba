import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";
import { expectNoActions } from "./forbidden-page";

test.use({ storageState: SIGNED_OUT });

/** Pages that `pages.spec.ts` doesn't open as a member. */
const PAGES = [
  ["/guardrails/new", "New guardrail", "creating guardrails"],
  ["/providers/sandbox", "sandbox", "this provider"],
  ["/providers/new", "Add provider", "adding providers"],
  ["/alerts?tab=history", "Alerts", "the history"],
  ["/settings?tab=directory", "Settings", "the directory"],
  ["/settings?tab=sessions", "Settings", "sessions"],
] as const;

test("a member sees which pages are off limits", async ({ page, api, serverUrl }) => {
  await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
  for (const [path, title, subject] of PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(`You don’t have access to ${subject}`)).toBeVisible();
    await expectNoActions(page);
  }
  await page.goto("/account");
  await expect(page.getByRole("table", { name: "Your sessions" })).toBeVisible();
});
