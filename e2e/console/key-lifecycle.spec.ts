import { getCurrentKey, getKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { chooseForKey, rowOfKey, searchKeys } from "./key-steps";

test("a key's name and limit are edited; errors appear on their fields", async ({ page, api, world }) => {
  const key = await world.inferenceKey({ limit: 5 });
  await page.goto(`/keys/${key.hash}`);
  const settings = page.getByRole("form", { name: "Settings" });
  await expect(settings.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await settings.getByRole("textbox", { name: "Name" }).fill("");
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(settings.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/is required/);

  const renamed = unique("Renamed");
  await settings.getByRole("textbox", { name: "Name" }).fill(renamed);
  await settings.getByRole("textbox", { name: "Limit (USD)" }).fill("7.25");
  await settings.getByLabel("Expires").fill("2020-01-01T00:00");
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(settings.getByLabel("Expires")).toHaveAccessibleDescription(/must be in the future/);
  await settings.getByLabel("Expires").fill("2040-01-01T00:00");
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: renamed })).toBeVisible();
  expect((await api.call(getKey, { params: { hash: key.hash } })).data).toMatchObject({
    name: renamed,
    limit: 7.25,
    limit_reset: null,
  });

  await settings.getByRole("textbox", { name: "Name" }).fill("Never saved");
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page
    .getByRole("alertdialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Keep editing" })
    .click();
  await settings.getByRole("button", { name: "Discard changes" }).click();
  await expect(settings.getByRole("textbox", { name: "Name" })).toHaveValue(renamed);
});

test("disabling a key takes effect immediately and can be undone from the toast", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const status = async () => (await api.send(getCurrentKey, {}, { as: key.text })).status;
  await searchKeys(page, key.name);
  await chooseForKey(page, key.name, "Disable");
  await expect(rowOfKey(page, key.name)).toContainText("Disabled");
  expect(await status()).toBe(401);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowOfKey(page, key.name)).toContainText("Active");
  expect(await status()).toBe(200);

  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByRole("button", { name: "Disable" })).toBeVisible();
  expect(await status()).toBe(200);
});

test("a key is deleted after typing its name, listing what is affected @journey", async ({ page, api, world }) => {
  const guardrail = await world.guardrail();
  const key = await world.inferenceKey({ guardrail_id: guardrail.id });
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Delete “${key.name}”?` });
  await expect(dialog).toContainText("No requests in the last 24 hours");
  await expect(dialog).toContainText(`guardrail “${guardrail.name}”`);
  const confirm = dialog.getByRole("button", { name: "Delete key" });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("textbox").fill(key.name);
  await confirm.click();
  await expect(page).toHaveURL(/\/keys$/);
  await api.refuse(getKey, 404, { params: { hash: key.hash } });
  await page.goto(`/keys/${key.hash}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});
