import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/inference/contract";
import { createKey } from "../../lib/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

const row = (page: Page, name: string) => page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: name });

async function choose(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("a key is made, shown once, copied, used, disabled, enabled and deleted", async ({ page, context, api }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const name = unique("Support bot");
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("12.5");
  await dialog.getByRole("combobox", { name: "Starts anew" }).click();
  await page.getByRole("option", { name: "Every month" }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();

  await expect(page.getByRole("dialog", { name: `“${name}” is ready` })).toBeVisible();
  const text = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  expect(text).toMatch(/^sb-key-v1-[0-9A-Za-z]{48}$/);
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await page.keyboard.press("Escape");
  await expect(dialog, "only saying that it is stored closes it").toBeVisible();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect(dialog).toBeHidden();

  await page.reload();
  await expect(row(page, name)).toContainText("Active");
  await expect(row(page, name)).toContainText("$12.50 monthly");
  await expect(page.getByText(text)).toHaveCount(0);
  const ask = async () => (await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: text })).status;
  await expect.poll(ask).toBe(200);

  await choose(page, name, "Disable…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable key" }).click();
  await expect(row(page, name)).toContainText("Disabled");
  await expect.poll(ask).toBe(401);

  await choose(page, name, "Enable");
  await expect(row(page, name)).toContainText("Active");
  await expect.poll(ask).toBe(200);

  await choose(page, name, "Delete…");
  await page.getByRole("alertdialog", { name: `Delete “${name}”?` }).getByRole("button", { name: "Delete key" }).click();
  await expect(row(page, name)).toHaveCount(0);
  await expect.poll(ask).toBe(401);
});

test("a management key says that it is one", async ({ page }) => {
  const name = unique("Deployment");
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: /^Management/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  expect(await dialog.getByRole("textbox", { name: "Key" }).inputValue()).toMatch(/^sb-mgmt-v1-/);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect(row(page, name)).toContainText("Management");
});

test("what is wrong is said on its field, and nothing is made", async ({ page }) => {
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("a lot");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/Fill this in/);
  await expect(dialog.getByRole("textbox", { name: "Limit (USD)" })).toHaveAccessibleDescription(/Enter a number/);
  await expect(page.getByRole("dialog", { name: "New API key" })).toBeVisible();
});

test("a confirmation that is cancelled changes nothing", async ({ page, api }) => {
  const name = unique("Kept");
  await api.call(createKey, { body: { name } });
  await page.goto("/keys");
  for (const action of ["Disable…", "Delete…"]) {
    await choose(page, name, action);
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("alertdialog")).toBeHidden();
  }
  await page.reload();
  await expect(row(page, name)).toContainText("Active");
});
