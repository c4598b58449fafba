import type { Page } from "@playwright/test";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { createPerson, expect, SIGNED_OUT, test } from "./console-test";

/** Opens a page whose scripts arrive when the returned function is called. */
async function openWithoutScripts(page: Page, url: string, isHeld: (url: string) => boolean = () => true) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    if (isHeld(route.request().url())) await released;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "commit" });
  return release;
}

test("a click before the page is hydrated opens its dialog", async ({ page }) => {
  const release = await openWithoutScripts(page, "/keys");
  const button = page.getByRole("button", { name: "New key" });
  await button.click();
  await button.click();
  await expect(page.getByRole("dialog")).toBeHidden();
  release();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Name" })).toBeVisible();
});

test("presses before hydration are repeated in their order: a menu and a checkbox", async ({ page, world }) => {
  const key = await world.inferenceKey();
  const release = await openWithoutScripts(page, `/keys?q=${key.hash}`);
  const row = page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: key.name });
  await row.getByRole("checkbox").click();
  await row.getByRole("button", { name: `Actions for ${key.name}` }).click();
  release();
  await expect(page.getByRole("menuitem", { name: "Disable" })).toBeVisible();
  await expect(row.getByRole("checkbox", { includeHidden: true })).toBeChecked();
});

test("the keyboard presses a button before hydration", async ({ page }) => {
  const release = await openWithoutScripts(page, "/keys");
  await page.getByRole("button", { name: "New key" }).press("Enter");
  release();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Name" })).toBeVisible();
});

test("a click on a part whose script is still loading is repeated", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Late") } });
  const url = `/guardrails/${guardrail.id}`;
  const html = await (await page.request.get(url)).text();
  // The scripts of the HTML come at once; those that they load are parts of the page.
  const first = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path);
  const release = await openWithoutScripts(page, url, (script) => !first.includes(new URL(script).pathname));
  await page.waitForFunction(() => Object.keys(document).some((name) => name.startsWith("__reactContainer$")));
  await page.getByRole("button", { name: "Assign keys…" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  release();
  await expect(page.getByRole("dialog", { name: "Assign keys" })).toBeVisible();
});

test.describe("signed out", () => {
  test.use({ storageState: SIGNED_OUT });

  test("a form submitted before hydration is submitted once it is hydrated", async ({ page, api }) => {
    const person = await createPerson(api);
    const release = await openWithoutScripts(page, "/sign-in");
    await page.getByRole("textbox", { name: "Email" }).fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.keyboard.press("Enter");
    release();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(page).not.toHaveURL(/sign-in/);
  });
});
