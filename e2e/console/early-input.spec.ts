import type { Page } from "@playwright/test";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

/** Opens a page whose scripts wait until they are let go, but for those that are let through. */
async function openWithoutScripts(
  page: Page,
  path: string,
  through: readonly string[] = [],
): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  const scripts = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    if (!through.includes(new URL(route.request().url()).pathname)) await scripts;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return () => {
    release?.();
    return page.waitForLoadState("networkidle");
  };
}

/** Marks a page that has come alive. */
const sayAlive = () => {
  document.addEventListener("signalbox:alive", () => {
    document.documentElement.dataset["alive"] = "yes";
  });
};

/** The scripts that a page begins with. */
async function firstScripts(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text();
  return [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, source = ""]) => source);
}

test("what is typed into a part that comes alive after its page is kept, and not sent by the browser itself", async ({
  browser,
  api,
  serverUrl,
}) => {
  const page = await browser.newPage({
    baseURL: serverUrl,
    storageState: await signIn(serverUrl, await createPerson(api)),
  });
  await page.addInitScript(sayAlive);
  const start = await openWithoutScripts(page, "/account", await firstScripts(page, "/account"));
  await expect(page.locator("html")).toHaveAttribute("data-alive", "yes");
  const form = page.getByRole("form", { name: "Your name" });
  await form.getByRole("textbox", { name: "First name" }).fill("Grace");
  await form.getByRole("textbox", { name: "First name" }).press("Enter");
  await start();
  expect(new URL(page.url()).search).toBe("");
  await form.getByRole("textbox", { name: "Last name" }).fill("Hopper");
  await form.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("button", { name: "Account: Grace Hopper" })).toBeVisible();
  await page.close();
});

test("a password that is typed before the page came alive is kept, and sent", async ({ browser, api, serverUrl }) => {
  const page = await browser.newPage({
    baseURL: serverUrl,
    storageState: await signIn(serverUrl, await createPerson(api)),
  });
  const start = await openWithoutScripts(page, "/account");
  const form = page.getByRole("form", { name: "Password" });
  const [current, next] = [form.getByLabel("Current password"), form.getByLabel("New password")];
  await current.fill("not my password");
  await start();
  await next.fill("staple battery horse");
  await expect(current).toHaveValue("not my password");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAccessibleDescription(/is not your password/);
  await page.close();
});

test("what is typed into the editor before the page came alive is a change to save", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Early"), description: "before" },
  });
  const start = await openWithoutScripts(page, `/guardrails/${guardrail.id}`);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const description = page.getByRole("textbox", { name: "Description", exact: true });
  await name.fill(`${guardrail.name} bird`);
  await description.fill("after");
  await start();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  await expect(name).toHaveValue(`${guardrail.name} bird`);
  await expect(description).toHaveValue("after");
});

test("a click before the page came alive is answered then, and no form is sent by the browser itself", async ({
  page,
  api,
}) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Clicked") } });
  const start = await openWithoutScripts(page, `/guardrails/${guardrail.id}`);
  await page.getByRole("button", { name: "Assign keys…" }).click();
  await start();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a click on a part before it came alive, after its page did, is answered then", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Clicked late") } });
  const path = `/guardrails/${guardrail.id}`;
  await page.addInitScript(sayAlive);
  const start = await openWithoutScripts(page, path, await firstScripts(page, path));
  await expect(page.locator("html")).toHaveAttribute("data-alive", "yes");
  await page.getByRole("button", { name: "Assign keys…" }).click();
  await start();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("signing in by Enter before the page came alive keeps the password out of the address", async ({
  browser,
  api,
  serverUrl,
}) => {
  const person = await createPerson(api);
  const page = await browser.newPage({ baseURL: serverUrl, storageState: SIGNED_OUT });
  const start = await openWithoutScripts(page, "/sign-in");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByLabel("Password").press("Enter");
  expect(page.url()).toMatch(/\/sign-in$/);
  await start();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.close();
});
