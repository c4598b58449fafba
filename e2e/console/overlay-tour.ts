import type { Locator, Page } from "@playwright/test";
import { expect } from "./console-test";

const OVERLAY = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const MARK = "data-tour";

const overlays = (page: Page) => page.locator(OVERLAY).filter({ visible: true });

/**
 * Marks the controls of a page that open something: those that say so, those whose name ends with "…" or begins like
 * "New key", and the first row of each table. Of controls that differ only in the record's name, the first. Returns
 * their names.
 */
function markOpeners(mark: string): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const isUsable = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(":disabled, [aria-disabled=true], [type=submit]") &&
    !element.closest("form");
  const add = (element: HTMLElement, name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    element.setAttribute(mark, String(found.length));
    found.push(name);
  };
  for (const button of document.querySelectorAll<HTMLElement>("main button")) {
    const name = (button.getAttribute("aria-label") ?? button.textContent).trim();
    const opens = button.hasAttribute("aria-haspopup") || /…$|^(?:New|Invite|Edit) |^Add (?:model|test)$/.test(name);
    if (opens && isUsable(button)) add(button, name.replace(/ (?:for|of) .*/, ""));
  }
  for (const row of document.querySelectorAll("main tbody:not([aria-hidden]) tr:first-child")) {
    const button = row.querySelector<HTMLElement>("td button:not([aria-haspopup], [role=checkbox], [role=switch])");
    if (button?.className.includes("after:absolute") && isUsable(button)) add(button, "First row");
  }
  return found;
}

/** Closes what is open, and expects it to be gone. */
async function close(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(overlays(page), `${name} closes`).toHaveCount(0);
}

/** Opens, inspects and closes every menu, dialog and sheet of a page, and the dialogs of its menus. Returns their names. */
export async function openEverything(page: Page, inspect: (name: string) => Promise<void>): Promise<string[]> {
  if ((await overlays(page).count()) > 0) await close(page, "What the page opens with");
  const names = await page.evaluate(markOpeners, MARK);
  const opened: string[] = [];
  for (const [index, name] of names.entries()) {
    const opener = page.locator(`[${MARK}="${index}"]`);
    // An element that was rendered again has lost its mark.
    if ((await opener.count()) === 0) continue;
    await open(page, opener, name);
    opened.push(name);
    await inspect(name);
    const items = await page.getByRole("menuitem", { name: /…$/ }).allTextContents();
    await close(page, name);
    for (const item of items) {
      const { pathname } = new URL(page.url());
      await open(page, opener, name);
      await page.getByRole("menuitem", { name: item.trim(), exact: true }).click();
      const dialog = page.locator("[role=dialog], [role=alertdialog]");
      const isElsewhere = () => new URL(page.url()).pathname !== pathname;
      await expect.poll(async () => isElsewhere() || dialog.isVisible(), `${item} opens`).toBe(true);
      opened.push(`${name}: ${item}`);
      if (isElsewhere()) {
        await page.goBack();
        await expect.poll(() => page.evaluate(markOpeners, MARK)).toEqual(names);
        continue;
      }
      await inspect(item);
      await close(page, item);
    }
  }
  return opened;
}

async function open(page: Page, opener: Locator, name: string): Promise<void> {
  await opener.click();
  await expect(overlays(page).first(), `${name} opens`).toBeVisible();
}
