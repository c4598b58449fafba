import { readFile } from "node:fs/promises";
import { Generation } from "../../lib/records/generations/contract";
import { expect, test } from "./console-test";
import { ask, table } from "./generation-log";

test("exports the filtered set as JSON Lines and as CSV", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const ids = [await ask(api, key), await ask(api, key), await ask(api, key)];
  await ask(api, key, { model: "sandbox/unavailable" });
  await page.goto(`/generations?key_hash=${key.hash}&status=succeeded`);
  await expect(table(page)).toBeVisible();
  const download = async (format: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("radio", { name: format }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    await expect(page.getByRole("dialog", { name: "Export generations" })).toBeHidden();
    return {
      name: file.suggestedFilename(),
      lines: (await readFile(await file.path(), "utf8")).trimEnd().split(/\r?\n/),
    };
  };
  const jsonl = await download("JSON Lines");
  expect(jsonl.name).toMatch(/^generations-\d{4}-\d\d-\d\d\.jsonl$/);
  expect(jsonl.lines.map((line) => Generation.parse(JSON.parse(line)).id)).toEqual(ids.toReversed());
  const csv = await download("CSV");
  expect(csv.name).toMatch(/\.csv$/);
  expect(csv.lines.slice(1).map((line) => line.split(",")[0])).toEqual(ids.toReversed());
});

test("an export can be cancelled, and a failed one shows its error", async ({ page }) => {
  await page.goto("/generations");
  let isHeld = true;
  await page.route("**/v1/generations/export**", async (route) => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
    await route
      .fulfill({ status: 500, json: { error: { code: 500, message: "Internal Server Error" } } })
      .catch(() => undefined);
  });
  const open = page.getByRole("button", { name: "Export" });
  const dialog = page.getByRole("dialog", { name: "Export generations" });
  await open.click();
  await dialog.getByRole("button", { name: "Download" }).click();
  await expect(dialog.getByRole("progressbar", { name: "Export" })).toBeVisible();
  const cancelled = page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/generations/export"));
  await dialog.getByRole("button", { name: "Cancel export" }).click();
  await cancelled;
  await expect(dialog).toBeHidden();
  isHeld = false;

  await open.click();
  await dialog.getByRole("button", { name: "Download" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Internal Server Error");
  await expect(dialog.getByRole("button", { name: "Download" })).toBeEnabled();
});
