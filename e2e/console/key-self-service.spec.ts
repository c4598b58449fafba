import { mergeTests } from "@playwright/test";
import { createApi } from "../api-client";
import { test as ownServerTest } from "../own-server";
import { ADMIN, MANAGEMENT_KEY } from "../server";
import { createPerson, expect, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { expectAccessible } from "./page-checks";

const test = mergeTests(consoleTest, ownServerTest);

test.use({ storageState: SIGNED_OUT });

test("an admin allows self-service, and a member creates, renames and disables a key", async ({
  page,
  browser,
  own,
}) => {
  test.slow();
  const { url } = await own.start();
  await page.context().addCookies((await signIn(url, ADMIN)).cookies);
  const member = await browser.newContext({
    baseURL: url,
    storageState: await signIn(url, await createPerson(createApi(url, MANAGEMENT_KEY))),
  });
  const theirs = await member.newPage();
  await theirs.goto("/keys");
  await expect(theirs.getByText("Ask an admin of your organization for a key.")).toBeVisible();
  await expect(theirs.getByRole("button", { name: "New key" })).toHaveCount(0);

  await page.goto(`${url}/settings`);
  await page.getByRole("button", { name: "Allow members to create keys" }).click();
  const caps = page.getByRole("form", { name: "Self-service keys" });
  await caps.getByRole("textbox", { name: "Keys per member" }).fill("0");
  await caps.getByRole("button", { name: "Save" }).click();
  await expect(caps.getByRole("textbox", { name: "Keys per member" })).toHaveAccessibleDescription(/at least 1/);
  await caps.getByRole("textbox", { name: "Keys per member" }).fill("1");
  await caps.getByRole("textbox", { name: "Highest limit (USD)" }).fill("5");
  await caps.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("At most 1 key per member · limit of at most $5.00 monthly")).toBeVisible();
  await expectAccessible(page, "self-service settings");

  await theirs.reload();
  await theirs.getByRole("button", { name: "New key" }).first().click();
  const dialog = theirs.getByRole("dialog");
  await expect(dialog.getByRole("combobox", { name: "Kind" })).toHaveCount(0);
  await dialog.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("50");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("textbox", { name: "Limit (USD)" })).toHaveAccessibleDescription(/at most 5 USD/);
  await expectAccessible(theirs, "a member's new key");
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("5");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("textbox", { name: "Key" })).toHaveValue(/^sb-key-v1-/);
  await dialog.getByRole("button", { name: "I have stored it" }).click();

  await theirs.getByRole("button", { name: "New key" }).first().click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("One too many");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("You can have at most 1 key. Delete one first")).toBeVisible();
  await theirs.keyboard.press("Escape");
  await expect(dialog.getByRole("alert").filter({ hasText: "Press Escape again" })).toBeVisible();
  await theirs.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await theirs.getByRole("link", { name: "My laptop" }).click();
  await theirs.getByRole("textbox", { name: "Name" }).fill("My desktop");
  await theirs.getByRole("button", { name: "Rename" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "My desktop" })).toBeVisible();
  await theirs.goBack();
  await theirs.getByRole("button", { name: "Actions for My desktop" }).click();
  await expect(theirs.getByRole("menuitem")).toHaveText(["Disable…", "Delete…"]);
  await theirs.getByRole("menuitem", { name: "Disable…" }).click();
  await theirs.getByRole("alertdialog").getByRole("button", { name: "Disable key" }).click();
  await expect(theirs.getByRole("row", { name: /My desktop/ })).toContainText("Disabled");
  await theirs.goForward();
  await expect(theirs.getByText("Disabled", { exact: true })).toBeVisible();
  await expect(theirs.getByRole("button", { name: /Enable|Disable/ })).toHaveCount(0);
  await member.close();
});
