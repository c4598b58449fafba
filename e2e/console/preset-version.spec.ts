import { createPresetFromResponses, getPreset, updatePreset } from "../../lib/records/presets/contract";
import type { Api } from "../api-client";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

const inUse = async (api: Api, slug: string) =>
  (await api.call(getPreset, { params: { slug } })).data.designated_version;

test("a new version is based on the live one, and the history shows author and message", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}`);
  await page.getByRole("link", { name: "New version" }).click();
  await page.getByRole("radio", { name: "JSON", exact: true }).click();
  const body = page.getByRole("textbox", { name: "Request body" });
  await expect(body).toContainText('"instructions": "Take your time."');
  await body.fill('{"model": "sandbox/echo", "instructions": "Take a breath.", "top_p": 0.5}');
  await page.getByRole("textbox", { name: "Message" }).fill("Calmer");
  await page.getByRole("button", { name: "Create version" }).click();
  await expect(page.getByText(`Version 3 of “${slug}” is now live`, { exact: true })).toBeVisible();
  expect(await inUse(api, slug)).toMatchObject({
    version: 3,
    config: { model: "sandbox/echo", top_p: 0.5 },
    system_prompt: "Take a breath.",
  });

  await page.getByRole("tab", { name: "Versions" }).click();
  const rows = page.getByRole("table", { name: "Versions" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(/Version 3.*Live.*@example\.com.*Calmer/);
  await expect(rows.nth(3)).toContainText(/Version 1.*Change 1/);
});

test("a version that isn't made live leaves requests with the live one, and is made live later", async ({
  page,
  api,
}) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/new?from=${slug}&editor=json`);
  await page.getByRole("textbox", { name: "Request body" }).fill('{"model": "sandbox/echo", "top_p": 0.5}');
  await page.getByRole("switch", { name: "Make live" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText(`Version 3 of “${slug}” created. Version 2 stays live`)).toBeVisible();
  expect((await inUse(api, slug)).version).toBe(2);
  await expect(page.getByRole("table", { name: "Versions" })).toContainText("Version 3");
  await page.getByRole("button", { name: "Make version 3 live", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make version 3 live" }).click();
  await expect.poll(async () => (await inUse(api, slug)).version).toBe(3);
});

test("a conflicting version is reported, and a new one can follow it", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/new?from=${slug}&editor=json`);
  const body = page.getByRole("textbox", { name: "Request body" });
  await body.fill('{"model": "sandbox/echo"}');
  await api.call(createPresetFromResponses, { params: { slug }, body: { model: "sandbox/theirs" } });
  await page.getByRole("button", { name: "Create version" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "This preset changed while you were editing" });
  await expect(alert).toBeVisible();
  expect((await inUse(api, slug)).version).toBe(3);
  await expect(body).toHaveText('{"model": "sandbox/echo"}');
  await alert.getByRole("button", { name: "Create version anyway" }).click();
  await expect(page.getByText(`Version 4 of “${slug}” is now live`, { exact: true })).toBeVisible();
});

test("two versions are compared side by side; the selection is kept in the URL", async ({ page, api }) => {
  const slug = await createPreset(api, [
    { model: "a/one", instructions: "One." },
    { model: "a/one", instructions: "Two." },
    { model: "a/three", instructions: "Two." },
  ]);
  await page.goto(`/presets/${slug}?tab=versions`);
  const comparison = page.getByRole("region", { name: "Compare versions" });
  await expect(comparison.getByRole("group", { name: "Changes from Version 2 to Version 3" })).toContainText("a/three");
  await expect(comparison).toContainText("The system prompt is unchanged.");
  await comparison.getByRole("combobox", { name: "From version" }).click();
  await page.getByRole("option", { name: "Version 1" }).click();
  await expect(page).toHaveURL(/before=1/);
  const prompts = comparison.getByRole("region", { name: "System prompts compared" });
  await expect(prompts).toContainText("One.");
  await expect(prompts).toContainText("Two.");
  await page.reload();
  await expect(comparison.getByRole("group", { name: "Changes from Version 1 to Version 3" })).toBeVisible();
});

test("a rollback shows the changes and can be undone from the toast", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?tab=versions`);
  await page.getByRole("button", { name: "Make version 1 live", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Roll back to version 1?" });
  await expect(question).toContainText("0 requests in the last 7 days");
  await expect(question.getByRole("group", { name: "Changes from Version 2 to Version 1" })).toContainText(
    "sandbox/echo",
  );
  await question.getByRole("button", { name: "Make version 1 live" }).click();
  await expect(page.getByText("Version 1 is now live", { exact: true })).toBeVisible();
  expect((await inUse(api, slug)).version).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Version 2 is live again", { exact: true })).toBeVisible();
  expect((await inUse(api, slug)).version).toBe(2);
});

test("an undo never overwrites later changes", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?version=1`);
  await page.getByRole("button", { name: "Make version 1 live…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make version 1 live" }).click();
  await expect(page.getByText("Version 1 is now live", { exact: true })).toBeVisible();
  await api.call(updatePreset, { params: { slug }, body: { description: "theirs" } });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The preset has changed since.")).toBeVisible();
  expect((await inUse(api, slug)).version).toBe(1);
});
