import { getGeneration } from "../../lib/records/generations/contract";
import { expect, test } from "./console-test";
import { ask, row, table } from "./generation-log";

test("content is deleted by filter after confirming filters and count", async ({ page, api, world }) => {
  const [key, other] = [await world.inferenceKey(), await world.inferenceKey()];
  const ids = [await ask(api, key), await ask(api, key)];
  const kept = await ask(api, other);
  await page.goto(`/generations?workspace=${world.workspaceId}&key_hash=${key.hash}`);
  await expect(row(page, ids[0] ?? "")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete content…" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("list", { name: "Filters" }).getByRole("listitem")).toHaveText([
    /^Workspace: /,
    /^Time: from .+ until .+, \d\d:\d\d:\d\d (UTC|GMT.*)$/,
    `Key: ${key.name}`,
  ]);
  await expect(dialog).toContainText("2 contents will be deleted");
  await expect(dialog).toContainText("can’t be undone");
  const confirm = dialog.getByRole("button", { name: "Delete content" });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("textbox").fill("delete");
  await confirm.click();
  await expect(page.getByText("2 contents deleted")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(table(page)).toBeVisible();
  for (const id of ids) expect((await api.call(getGeneration, { query: { id } })).data.content_stored).toBe(false);
  expect((await api.call(getGeneration, { query: { id: kept } })).data.content_stored).toBe(true);

  await page.goto("/audit?action=generation.delete_contents");
  await expect(page.getByRole("button", { name: /deleted generation contents in bulk/ }).first()).toBeVisible();
});

test("without stored content there is nothing to delete", async ({ page, world }) => {
  const key = await world.inferenceKey();
  await page.goto(`/generations?key_hash=${key.hash}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete content…" }).click();
  await expect(page.getByText("No matching generation has stored content.")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Delete content" })).toBeDisabled();
});
