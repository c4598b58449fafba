import { createPresetFromResponses, getPreset } from "../../lib/presets/contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { expect, test } from "./console-test";

/** A preset with two versions; the second is the designated one. */
async function createPreset(api: Api): Promise<string> {
  const params = { slug: unique("support-bot") };
  await api.call(createPresetFromResponses, { params, body: { model: "sandbox/echo", temperature: 0.2, instructions: "Be brief." } });
  await api.call(createPresetFromResponses, { params, body: { model: "sandbox/reasoner", temperature: 0.9, instructions: "Take your time." } });
  return params.slug;
}

test("a preset is found in the list and shows its designated version", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto("/presets");
  const row = page.getByRole("table", { name: "Presets" }).getByRole("row").filter({ hasText: slug });
  await expect(row).toContainText(`@preset/${slug}`);
  await expect(row).toContainText("Active");
  await row.getByRole("link", { name: slug }).click();

  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(slug));
  const settings = page.getByRole("region", { name: "Version 2: settings" });
  await expect(settings).toContainText("sandbox/reasoner");
  await expect(settings).toContainText("0.9");
  await expect(page.getByRole("group", { name: "System prompt" })).toHaveText("Take your time.");
});

test("the history shows every version, and another one can be designated", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}`);
  const versions = page.getByRole("region", { name: "Versions" }).getByRole("button");
  await expect(versions).toHaveText([/^Version 1/, /^Version 2.*Designated$/]);
  await versions.nth(0).click();
  await expect(page.getByRole("region", { name: "Version 1: settings" })).toContainText("sandbox/echo");
  await expect(page.getByRole("group", { name: "System prompt" })).toHaveText("Be brief.");
  await expect(page, "the choice can be linked to").toHaveURL(`/presets/${slug}?version=1`);

  await page.getByRole("button", { name: "Designate version 1" }).click();
  await expect(versions).toHaveText([/^Version 1.*Designated$/, /^Version 2/]);
  expect((await api.call(getPreset, { params: { slug } })).data.designated_version).toMatchObject({ version: 1, system_prompt: "Be brief." });
});

test("a preset can be archived and made active again", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}`);
  for (const status of ["Archived", "Active"]) {
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemradio", { name: status }).click();
    await expect(page.getByText(`“${slug}” is ${status.toLowerCase()} now`)).toBeVisible();
    expect((await api.call(getPreset, { params: { slug } })).data.status).toBe(status.toLowerCase());
  }
});

test("an unknown preset says that it was not found", async ({ page }) => {
  await page.goto(`/presets/${unique("nothing")}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});
