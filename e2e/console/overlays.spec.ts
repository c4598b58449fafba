import { createGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { openSection } from "./guardrail-page";
import { expectAccessible } from "./page-checks";

test("key dialogs and menus are accessible", async ({ page, api }) => {
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await page.goto("/keys");
  await page.getByRole("button", { name: `Actions for ${key.name}` }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page, "menu of a key");
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page, "confirmation");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toBeHidden();

  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await expectAccessible(page, "form of a key with an error");
  await dialog.getByRole("combobox", { name: "Resets" }).click();
  await expect(page.getByRole("listbox")).toBeVisible();
  await expectAccessible(page, "open select");
  await page.keyboard.press("Escape");
  await dialog.getByRole("textbox", { name: "Name" }).fill(unique("Key"));
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("button", { name: "I have stored it" })).toBeVisible();
  await expectAccessible(page, "a new key");
});

test("clicking outside an open select only closes it", async ({ page }) => {
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  // Hovering waits until the dialog has stopped moving.
  await dialog.getByRole("button", { name: "Cancel" }).hover();
  const cancel = await dialog.getByRole("button", { name: "Cancel" }).boundingBox();
  await dialog.getByRole("combobox", { name: "Resets" }).click();
  await expect(page.getByRole("listbox")).toBeVisible();
  // The list handles outside clicks once it has moved the focus.
  await expect(page.locator("[role=option]:focus")).toBeVisible();
  await page.mouse.click((cancel?.x ?? 0) + 5, (cancel?.y ?? 0) + 5);
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(dialog.getByRole("combobox", { name: "Resets" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});

test("the editor's errors, confirmations and conflict dialog are accessible", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Shared") } });
  await page.goto(`/guardrails/${guardrail.id}`);
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("textbox", { name: "Pattern" }).fill("a(?=b)");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("textbox", { name: "Pattern" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page, "refusal");
  await page.getByRole("textbox", { name: "Pattern" }).fill("ab");
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { description: "theirs" } });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "conflict");
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page, "unsaved changes");
});

test("the frame's menus are accessible", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /^Account/ }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await expectAccessible(page, "account");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open navigation" }).click();
  await expect(page.getByRole("dialog", { name: "Signalbox" })).toBeVisible();
  await expectAccessible(page, "navigation of a phone");
});

test("palette, shortcuts, bulk bar and sheets are accessible", async ({ page, api, world }) => {
  const guardrail = await world.guardrail();
  const { data: key } = await api.call(createKey, { body: { name: unique("Chosen") } });
  await page.goto(`/keys?q=${key.name}`);
  await page.getByRole("checkbox", { name: `Select ${key.name}` }).click();
  await expect(page.getByRole("toolbar", { name: /^Selected/ })).toBeVisible();
  await expectAccessible(page, "bulk bar");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search the console" })).toBeFocused();
  await expectAccessible(page, "palette");
  await page.keyboard.press("Escape");
  await page.goto(`/audit?target_id=${guardrail.id}`);
  await page.getByRole("button", { name: `created guardrail ${guardrail.name}` }).click();
  await expect(page.getByRole("dialog", { name: "Created guardrail" })).toBeVisible();
  await expectAccessible(page, "sheet of an event");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, "shortcuts");
});

for (const [path, create, field] of [
  ["/settings?tab=webhooks", "New webhook", "URL"],
  ["/settings?tab=exports", "New destination", "Kind"],
  ["/settings?tab=workspaces", "New workspace", "Name"],
  ["/alerts", "New alert", "Name"],
  ["/providers?tab=models", "Add model", "Slug"],
] as const)
  test(`${create} opens with the focus in the first field, and returns it`, async ({ page }) => {
    await page.goto(path);
    const button = page.getByRole("button", { name: create }).first();
    await button.press("Enter");
    await expect(page.getByRole("dialog").getByLabel(field, { exact: true })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
  });
