import type { Page } from "@playwright/test";
import { unique } from "../world";
import { createPerson, expect, signIn, SIGNED_OUT, test, type Person } from "./console-test";

test.use({ storageState: SIGNED_OUT });

async function fillIn(page: Page, { email, password }: Pick<Person, "email" | "password">) {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("a wrong password is rejected, and the right one opens the console @journey", async ({ page, api }) => {
  const person = await createPerson(api);
  await page.goto("/sign-in");
  await fillIn(page, { ...person, password: "not the password" });
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await expect(page.getByLabel("Password")).toBeFocused();
  await fillIn(page, person);
  await expect(heading(page, "Overview")).toBeVisible();
  await expect(page.getByRole("button", { name: `Account: ${person.email}` })).toBeVisible();
});

test("before its scripts have come, the form isn't sent and keeps what was typed", async ({ page, api }) => {
  const person = await createPerson(api);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByRole("textbox", { name: "Email" }).fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeDisabled();
  expect(page.url()).not.toContain("password");
  release();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(heading(page, "Overview")).toBeVisible();
  expect(posts.filter((path) => path === "/session")).toHaveLength(1);
  expect(posts).not.toContain("/sign-in");
});

test("an unknown account gets the same response as a wrong password", async ({ page }) => {
  await page.goto("/sign-in");
  await fillIn(page, { email: `${unique("nobody")}@example.com`, password: "whatever it is" });
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
});

test("without a session every page redirects to sign-in and back @journey", async ({ page, api }) => {
  const person = await createPerson(api);
  await page.goto("/presets?offset=0");
  await expect(heading(page, "Sign in to Signalbox")).toBeVisible();
  await fillIn(page, person);
  await expect(heading(page, "Presets")).toBeVisible();
  await expect(page).toHaveURL("/presets?offset=0");
});

for (const elsewhere of ["https://evil.example/", "//evil.example/", "/\\evil.example/"]) {
  test(`signing in never redirects to another site: ${elsewhere}`, async ({ page, api }) => {
    const person = await createPerson(api);
    await page.goto(`/sign-in?next=${encodeURIComponent(elsewhere)}`);
    await fillIn(page, person);
    await expect(heading(page, "Overview")).toBeVisible();
    await expect(page).toHaveURL("/");
  });
}

test("signing out ends the session, also for a copied cookie @journey", async ({ page, api, browser, serverUrl }) => {
  const person = await createPerson(api);
  const state = await signIn(serverUrl, person);
  await page.context().addCookies(state.cookies);
  await page.goto("/");
  await page.getByRole("button", { name: `Account: ${person.email}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(heading(page, "Sign in to Signalbox")).toBeVisible();
  await page.goto("/keys");
  await expect(heading(page, "Sign in to Signalbox")).toBeVisible();

  const copy = await browser.newContext({ baseURL: serverUrl, storageState: state });
  const other = await copy.newPage();
  await other.goto("/keys");
  await expect(heading(other, "Sign in to Signalbox")).toBeVisible();
  await copy.close();
});
