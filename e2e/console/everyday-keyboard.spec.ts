import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/gateway/contract";
import { expect, test } from "./console-test";
import { ask, guardedKey, row, sheet, table } from "./generation-log";
import { tabTo } from "./keyboard";

/** Searches with the palette and opens the first result. */
async function find(page: Page, text: string, result: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Search the console" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.insertText(text);
  await expect(palette.getByRole("option", { name: result, selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
}

test.beforeEach(async ({ page }) => {
  await page.goto("/presets", { waitUntil: "networkidle" });
});

test("by keyboard alone: the most expensive request", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const dear = await ask(api, key, { input: "word ".repeat(2000) });
  const cheap = await ask(api, key);
  await find(page, key.name, key.name);
  await tabTo(page, page.getByRole("link", { name: "View all" }));
  await page.keyboard.press("Enter");
  await expect(row(page, cheap)).toBeVisible();
  await tabTo(page, table(page).getByRole("button", { name: "Cost" }));
  await page.keyboard.press("Enter");
  await expect(table(page).getByRole("link").first()).toHaveAccessibleName(new RegExp(dear));
  await tabTo(page, row(page, dear).getByRole("link"));
  await page.keyboard.press("Enter");
  await expect(sheet(page).getByText(dear).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row(page, dear).getByRole("link")).toBeFocused();
});

test("by keyboard alone: why a request was refused", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filter_builtins: [{ slug: "email", action: "block" }] });
  const body = { model: "sandbox/echo", input: "Write to ada@example.com" };
  const refusal = await api.send(createResponse, { body }, { as: key.text });
  const id = refusal.headers.get("x-generation-id") ?? "";
  await find(page, await refusal.text(), `Open generation ${id}`);
  await expect(page).toHaveURL(new RegExp(`/generations/${id}`));
  await expect(page.getByText("Blocked by guardrail").first()).toBeVisible();
});

test("by keyboard alone: what a key may do, and trying it", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filter_builtins: [{ slug: "email", action: "block" }] });
  await find(page, key.name, key.name);
  await expect(page.getByRole("heading", { level: 1, name: key.name })).toBeVisible();
  await expect(page.getByText("Effective policy")).toBeVisible();
  await tabTo(page, page.getByRole("link", { name: "Playground", exact: true }).last());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Key", exact: true })).toHaveValue(new RegExp(key.name));
  await tabTo(page, page.getByRole("textbox", { name: "Message" }));
  await page.keyboard.type("Write to ada@example.com");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("region", { name: "Decision record" })).toContainText("Blocked by guardrail");
});
