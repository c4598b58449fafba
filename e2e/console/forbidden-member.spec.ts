import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test.use({ storageState: SIGNED_OUT });

const PAGES = [
  ["/guardrails", "Guardrails", "guardrails"],
  ["/guardrails/new", "New guardrail", "creating guardrails"],
  ["/members", "Members", "members"],
  ["/coverage", "Coverage", "coverage"],
  ["/providers", "Providers & models", "providers"],
  ["/providers/sandbox", "sandbox", "this provider"],
  ["/providers/new", "Add provider", "adding providers"],
  ["/alerts", "Alerts", "alerts"],
  ["/alerts?tab=history", "Alerts", "the history"],
  ["/audit", "Audit log", "the audit log"],
  ["/settings", "Settings", "organization settings"],
  ["/settings?tab=sessions", "Settings", "sessions"],
] as const;

test("a member sees which pages are off limits", async ({ page, api, serverUrl }) => {
  await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
  for (const [path, title, subject] of PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(`You don’t have access to ${subject}`)).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: /Export|Filter|Search|Add|New/ })).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("link", { name: /Export|Add|New/ })).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("searchbox")).toHaveCount(0);
  }
  await page.goto("/account");
  await expect(page.getByRole("table", { name: "Your sessions" })).toBeVisible();
});
