import { getPreset, updatePreset } from "../../lib/records/presets/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

test("a preset is renamed and described; a name that is missing is refused on its field", async ({ page, api }) => {
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

test("a change that came in between is explained, and mine goes on top when I say so", async ({ page, api }) => {
  const slug = await createPreset(api);
  const [mine, theirs] = [unique("Mine"), unique("Theirs")];
  await page.goto(`/presets/${slug}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit preset" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(mine);
  await api.call(updatePreset, { params: { slug }, body: { name: theirs } });
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`the name is “${theirs}”`);
  expect((await api.call(getPreset, { params: { slug } })).data.name, "nothing is saved unasked").toBe(theirs);
  await dialog.getByRole("button", { name: "Keep mine on top of theirs" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(mine);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: mine })).toBeVisible();
});

test("theirs can be taken instead; the server out of reach loses nothing", async ({ page, api }) => {
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
  await expect(dialog.getByRole("alert")).toContainText("The server can't be reached");
  await expect(box).toHaveValue("Mine");
  await page.unroute(`**/v1/presets/${slug}`);
  await api.call(updatePreset, { params: { slug }, body: { name: theirs } });
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByRole("button", { name: "Discard mine, load theirs" }).click();
  await expect(box).toHaveValue(theirs);
});
