import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { openNewKey } from "./key-steps";
import { expectAccessible } from "./page-checks";

test("a record is chosen from a combobox by keyboard alone @journey", async ({ page, api }) => {
  const name = unique("Picked");
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: `${name} one` } });
  await api.call(createGuardrail, { body: { name: `${name} two` } });
  const dialog = await openNewKey(page);
  const field = dialog.getByRole("combobox", { name: "Guardrail" });
  await field.focus();
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.type(name);
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("status").getByText("2 results")).toBeAttached();
  const list = page.getByRole("listbox", { name: "Guardrail" });
  await expect(field).toHaveAttribute("aria-controls", (await list.getAttribute("id")) ?? "");
  const active = async (key: string) => {
    await page.keyboard.press(key);
    const option = list.locator(`[id="${(await field.getAttribute("aria-activedescendant")) ?? ""}"]`);
    return option.textContent();
  };
  // Newest first.
  expect(await active("Home")).toBe(`${name} two`);
  expect(await active("ArrowDown")).toBe(`${name} one`);
  expect(await active("ArrowDown")).toBe(`${name} two`);
  expect(await active("End")).toBe(`${name} one`);
  await expectAccessible(page, "an open combobox");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(dialog, "only the list is closed").toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).not.toHaveValue(name);
  await page.keyboard.type(guardrail.name);
  await expect(page.getByRole("status").getByText("1 result")).toBeAttached();
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(guardrail.name);
  await expect(field).toBeFocused();
});

test("options of two lines don't overlap, on a phone neither", async ({ page, api }) => {
  const name = unique("Two lines");
  const rest = "of a name so long that it takes two lines or more of the list, and more words yet";
  await Promise.all([1, 2, 3].map((number) => api.call(createKey, { body: { name: `${name} ${number} ${rest}` } })));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/generations");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: /^Key/ }).click();
  await page.getByRole("combobox", { name: "Search key" }).fill(name);
  const options = page.getByRole("listbox", { name: "Key" }).getByRole("option");
  await expect(options).toHaveCount(3);
  const boxes = await Promise.all((await options.all()).map((option) => option.boundingBox()));
  for (const [index, box] of boxes.entries()) {
    const next = boxes[index + 1];
    expect(box?.height).toBeGreaterThan(40);
    if (box && next) expect(box.y + box.height).toBeLessThanOrEqual(next.y);
  }
  await expectAccessible(page, "a filter with long options");
});

test("a name with a character that changes the text direction is refused", async ({ page }) => {
  const dialog = await openNewKey(page);
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("Support\u202etob");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(name).toHaveAccessibleDescription(
    /must not contain characters that change the text direction \(U\+202E\)/,
  );
});
