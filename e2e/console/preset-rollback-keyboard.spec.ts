import { getPreset } from "../../lib/records/presets/contract";
import { expect, test } from "./console-test";
import { tabTo } from "./keyboard";
import { createPreset } from "./preset-world";

test("a preset is rolled back by keyboard alone", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}`);
  await tabTo(page, page.getByRole("tab", { name: "Configuration" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Versions" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Make version 1 live", exact: true }));
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Roll back to version 1?" });
  await tabTo(page, question.getByRole("button", { name: "Make version 1 live" }));
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(page.getByRole("row").filter({ has: page.getByRole("link", { name: "Version 1" }) })).toContainText(
    "Live",
  );
  expect((await api.call(getPreset, { params: { slug } })).data.designated_version.version).toBe(1);
});
