import { createResponse } from "../../lib/gateway/contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createWorkspace } from "../../lib/records/workspaces/contract";
import { listKeys } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { openNewKey, rowOfKey, searchKeys } from "./key-steps";

test("a key is created with limit and guardrail, shown once, copied and used @journey", async ({
  page,
  context,
  api,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const name = unique("Support bot");
  const { data: guardrail } = await api.call(createGuardrail, {
    body: {
      name: unique("Tickets") + "x".repeat(80),
      content_filters: [{ pattern: "PROJ-[0-9]{4}", action: "block" }],
    },
  });
  const dialog = await openNewKey(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("combobox", { name: "Guardrail" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.insertText(guardrail.name);
  await expect(page.getByRole("status").getByText("1 result")).toBeAttached();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox", { name: "Guardrail" })).toHaveValue(guardrail.name);
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("12.5");
  await dialog.getByLabel("Expires").focus();
  await page.keyboard.type("123120990559PM");
  await expect(dialog.getByLabel("Expires")).toHaveValue("2099-12-31T17:59");
  await dialog.getByRole("combobox", { name: "Resets" }).click();
  await page.getByRole("option", { name: "Monthly" }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();

  await expect(page.getByRole("dialog", { name: `“${name}” created` })).toBeVisible();
  const text = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  expect(text).toMatch(/^sb-key-v1-[0-9A-Za-z]{48}$/);
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);

  const connect = dialog.getByRole("region", { name: "Connect" });
  await expect(connect.getByRole("textbox", { name: "Base URL" })).toHaveValue(/\/v1$/);
  for (const client of [
    "OpenAI TypeScript",
    "OpenAI Python",
    "Anthropic TypeScript",
    "AI SDK",
    "Codex",
    "Claude Code",
  ]) {
    await connect.getByRole("tab", { name: client }).click();
    await expect(connect.getByRole("group", { name: `${client} example` })).toContainText(text);
  }
  await connect.getByRole("button", { name: "Copy claude code example" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("ANTHROPIC_AUTH_TOKEN");

  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    await leave();
    await expect(dialog.getByRole("alert").filter({ hasText: "This key won't be shown again" })).toBeVisible();
  }
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect(dialog).toBeHidden();

  await searchKeys(page, name);
  await expect(rowOfKey(page, name)).toContainText("Active");
  await expect(page.getByRole("columnheader", { name: "Expires" })).toBeInViewport({ ratio: 1 });
  await expect(rowOfKey(page, name)).toContainText("$12.50 monthly");
  await expect(rowOfKey(page, name)).toContainText("Dec 31, 2099");
  await expect(rowOfKey(page, name).getByRole("link", { name: guardrail.name })).toBeVisible();
  await expect(page.getByText(text)).toHaveCount(0);
  const ask = async (input: string) =>
    (await api.send(createResponse, { body: { model: "sandbox/echo", input } }, { as: text })).status;
  expect(await ask("Hello")).toBe(200);
  expect(await ask("PROJ-1234"), "the guardrail applies from the first request").toBe(403);
});

test("a management key is marked as such and can't have a guardrail", async ({ page }) => {
  const name = unique("Deployment");
  const dialog = await openNewKey(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByText("Kind, owner and tags").click();
  await dialog.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: /^Management/ }).click();
  await expect(dialog.getByRole("combobox", { name: "Guardrail" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Create key" }).click();
  expect(await dialog.getByRole("textbox", { name: "Key" }).inputValue()).toMatch(/^sb-mgmt-v1-/);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await searchKeys(page, name);
  await expect(rowOfKey(page, name)).toContainText("Management");
});

test("errors appear on their fields, input is kept, and no key is created", async ({ page, api }) => {
  const name = unique("Wrong");
  const dialog = await openNewKey(page);
  const clickOutside = () => page.mouse.click(2, 2);
  // The dialog handles outside clicks only a moment after it is drawn.
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(async () => {
    await clickOutside();
    await expect(dialog).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await page.getByRole("button", { name: "New key" }).click();
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("a lot");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/is required/);
  await expect(dialog.getByRole("textbox", { name: "Limit (USD)" })).toHaveAccessibleDescription(/must be a number/);

  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Limit (USD)" }).fill("1");
  await clickOutside();
  await page.keyboard.press("Escape");
  await expect(dialog.getByText("Press Escape again to discard what you entered.")).toBeVisible();
  await dialog.getByLabel("Expires").fill("2020-01-01T00:00");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByLabel("Expires")).toHaveAccessibleDescription(/must be in the future/);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await page.keyboard.press("Escape");
  await expect(dialog.getByText("Press Escape again to discard what you entered.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect((await api.call(listKeys, { query: { q: name } })).total_count).toBe(0);
});

test("a failed creation shows an error and can be retried", async ({ page }) => {
  const name = unique("Later");
  const dialog = await openNewKey(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await page.route("**/v1/keys", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "Can't reach Signalbox" })).toBeVisible();
  await page.unroute("**/v1/keys");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("dialog", { name: `“${name}” created` })).toBeVisible();
});

test("the form's button is in view at a height of 800 px, and the focus returns after the key is stored", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const dialog = await openNewKey(page);
  await expect(dialog.getByRole("button", { name: "Create key" })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole("textbox", { name: "Name" }).fill(unique("In view"));
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("any of many guardrails is found by search, and named in the list's filter", async ({ page, api }) => {
  const { data: workspace } = await api.call(createWorkspace, { body: { name: unique("Many") } });
  const create = async (name: string) =>
    (await api.call(createGuardrail, { body: { name, workspace_id: workspace.id } })).data;
  for (let number = 0; number < 100; number++) await create(`Guardrail ${String(number)}`);
  const guardrail = await create("Zebra");
  const name = unique("Guarded");
  await page.goto(`/keys?workspace=${workspace.id}`);
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("combobox", { name: "Guardrail" }).fill("zeb");
  await page.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "I have stored it" }).click();

  await page.goto(`/keys?workspace=${workspace.id}&guardrail=${guardrail.id}`);
  await expect(rowOfKey(page, name)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Guardrail: Zebra/ })).toBeVisible();
});

test("a workspace without keys offers the first one, and clearing filters stays in it", async ({ page, api }) => {
  const { data: workspace } = await api.call(createWorkspace, { body: { name: unique("Empty") } });
  await page.goto(`/keys?workspace=${workspace.id}`);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await page.goto(`/keys?workspace=${workspace.id}&status=disabled`);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`workspace=${workspace.id}`));
});
