import { updatePreset } from "../../lib/records/presets/contract";
import { setPresetLabel } from "../../lib/records/presets/labels-contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

test("a preset is found by search, and its row shows version, model and status", async ({ page, api }) => {
  const slug = await createPreset(api);
  await api.call(setPresetLabel, { params: { slug, label: "prod" }, body: { version: 1 } });
  await page.goto("/presets");
  await page.getByRole("searchbox", { name: "Search presets" }).fill(slug);
  const table = page.getByRole("table", { name: "Presets" });
  await expect(table.getByRole("row")).toHaveCount(2);
  const row = table.getByRole("row").filter({ hasText: slug });
  await expect(row).toContainText("2 of 2");
  await expect(row).toContainText("prod 1");
  await expect(row).toContainText("sandbox/reasoner");
  await expect(row).toContainText("Active");
  await expect(page, "the search is kept in the URL").toHaveURL(new RegExp(`q=${slug}`));
  await row.getByRole("link", { name: slug, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
});

test("the list is sorted by its headers and filtered by status", async ({ page, api }) => {
  const [one, two] = [await createPreset(api), await createPreset(api)];
  const shared = unique("Shared");
  await api.call(updatePreset, { params: { slug: one }, body: { name: `${shared} a` } });
  await api.call(updatePreset, { params: { slug: two }, body: { name: `${shared} b`, status: "archived" } });
  await page.goto(`/presets?q=${shared}`);
  const names = page.getByRole("table", { name: "Presets" }).getByRole("link");
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(names).toHaveText([one, two]);
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(names).toHaveText([two, one]);
  await expect(page).toHaveURL(/sort=-name/);
  await page.goto(`/presets?q=${shared}&status=archived`);
  await expect(names).toHaveText([two]);
});

test("a search without results can be cleared; a failed one can be retried", async ({ page, api }) => {
  await createPreset(api);
  await page.goto(`/presets?q=${unique("nothing")}`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("table", { name: "Presets" })).toBeVisible();

  await page.route("**/v1/presets?*", (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: "Not today" } } }),
  );
  await page.getByRole("searchbox", { name: "Search presets" }).fill(unique("failing"));
  await expect(page.getByRole("alert").filter({ hasText: "Not today" })).toBeVisible();
  await page.unroute("**/v1/presets?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
});

test("an unknown preset is not found", async ({ page }) => {
  await page.goto(`/presets/${unique("nothing")}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});
