import { getPreset, updatePreset } from "../../lib/records/presets/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

test("a preset's name and description are edited; a missing name is rejected on its field", async ({ page, api }) => {
  const slug = await createPreset(api);
  const name = unique("Support");
  await page.goto(`/presets/${slug}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit preset" });
  const box = dialog.getByRole("textbox", { name: "Name" });
  await box.fill(" ");
  await dialog.getByRole("textbox", { name: "Description" }).fill("First look");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(box).toBeFocused();
  await expect(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("First look");
  await box.fill(name);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(`“${name}” saved`, { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect((await api.call(getPreset, { params: { slug } })).data).toMatchObject({ name, description: "First look" });
});

test("a conflicting change is explained and can be overwritten @journey", async ({ page, api }) => {
  const slug = await createPreset(api);
  const [mine, theirs] = [unique("Mine"), unique("Theirs")];
  await page.goto(`/presets/${slug}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit preset" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(mine);
  await api.call(updatePreset, { params: { slug }, body: { name: theirs } });
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`name “${theirs}”`);
  expect((await api.call(getPreset, { params: { slug } })).data.name, "nothing is saved without confirmation").toBe(
    theirs,
  );
  await dialog.getByRole("button", { name: "Overwrite with my changes" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(mine);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: mine })).toBeVisible();
});

test("the newer version can be loaded instead; input is kept while offline", async ({ page, api }) => {
  const slug = await createPreset(api);
  const theirs = unique("Theirs");
  await page.goto(`/presets/${slug}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit preset" });
  const box = dialog.getByRole("textbox", { name: "Name" });
  await box.fill("Mine");
  await page.route(`**/v1/presets/${slug}`, (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Can't reach Signalbox");
  await expect(box).toHaveValue("Mine");
  await page.unroute(`**/v1/presets/${slug}`);
  await api.call(updatePreset, { params: { slug }, body: { name: theirs } });
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByRole("button", { name: "Discard my changes" }).click();
  await expect(box).toHaveValue(theirs);
});
