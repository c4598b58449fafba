import { expect, test } from "./console-test";
import { ask, guardedKey, row, sheet } from "./generation-log";
import { tabTo } from "./keyboard";

test("by keyboard alone: find a blocked generation and see what blocked it and why", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "block" }],
  });
  await ask(api, key);
  const blocked = await ask(api, key, { input: "Write to ada@example.com" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(page.getByRole("table", { name: "Generations" })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Status" }));
  await page.keyboard.press("Enter");
  const statuses = page.getByRole("listbox", { name: "Status" });
  await expect(statuses).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const id = await page.getByRole("option", { name: "Blocked" }).getAttribute("id");
  await expect(statuses).toHaveAttribute("aria-activedescendant", id ?? "");
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/status=blocked/);
  await expect(page.getByRole("table", { name: "Generations" }).getByRole("link")).toHaveCount(1);
  await tabTo(page, row(page, blocked).getByRole("link"));
  await page.keyboard.press("Enter");
  await expect(
    sheet(page).getByText(
      `Blocked by guardrail “${guardrail.name}” (key): its content filter “Email addresses” matched the request.`,
    ),
  ).toBeVisible();
  await expect(
    sheet(page)
      .getByRole("region", { name: "Decision record" })
      .getByRole("listitem")
      .filter({ hasText: "Content filters" })
      .first(),
  ).toContainText("Stopped here");
  await expect(sheet(page).getByText("ada@example.com")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sheet(page)).toBeHidden();
});
