import { getGuardrail } from "../../lib/records/guardrails/contract";
import { getKey } from "../../lib/records/keys/contract";
import { expect, test } from "./console-test";

test("keys without a guardrail are assigned one in bulk, with undo", async ({ page, api, world }) => {
  const [one, two] = [await world.inferenceKey(), await world.inferenceKey()];
  const guardrail = await world.guardrail({ ignored_models: ["a/b"] });
  await page.goto(`/coverage?workspace=${world.workspaceId}`);
  const table = page.getByRole("table", { name: "Keys without a guardrail" });
  await expect(page.getByRole("tab", { name: /Keys without a guardrail\s*2/ })).toBeVisible();
  for (const { name } of [one, two]) await table.getByRole("checkbox", { name: new RegExp(name) }).check();
  await page.getByRole("toolbar", { name: "Selected keys" }).getByRole("button", { name: "Assign guardrail…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: guardrail.name }).click();
  await expect(dialog.getByRole("status", { name: "Preview" })).toContainText("2 new");
  await dialog.getByRole("button", { name: "Assign 2 keys" }).click();
  await expect(page.getByText("No gaps")).toBeVisible();
  expect((await api.call(getKey, { params: { hash: one.hash } })).data.guardrail_id).toBe(guardrail.id);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(table.getByRole("row")).toHaveCount(3);
});

test("keys without a limit are given one in bulk, with preview and undo", async ({ page, api, world }) => {
  const { hash, name } = await world.inferenceKey();
  await page.goto(`/coverage?workspace=${world.workspaceId}&gap=limits`);
  await page
    .getByRole("table", { name: "Keys without a limit" })
    .getByRole("checkbox", { name: new RegExp(name) })
    .check();
  await page.getByRole("button", { name: "Set limit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Set limit on 1 key" });
  await dialog.getByLabel("Limit (USD)").fill("25");
  await expect(dialog.getByRole("status", { name: "Preview" })).toHaveText("1 had no limit");
  await dialog.getByRole("button", { name: "Set limit on 1 key" }).click();
  await expect(page.getByText("Limit on 1 key set to $25.00 monthly")).toBeVisible();
  await expect(page.getByText("No gaps")).toBeVisible();
  expect((await api.call(getKey, { params: { hash } })).data).toMatchObject({ limit: 25, limit_reset: "monthly" });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("table", { name: "Keys without a limit" })).toContainText(name);
});

test("unused guardrails are deleted in bulk", async ({ page, api, world }) => {
  const [one, two] = [await world.guardrail(), await world.guardrail()];
  await page.goto(`/coverage?workspace=${world.workspaceId}&gap=guardrails`);
  const table = page.getByRole("table", { name: "Unused guardrails" });
  for (const { name } of [one, two]) await table.getByRole("checkbox", { name: new RegExp(name) }).check();
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete 2 guardrails?" });
  await expect(dialog).toContainText(one.name);
  await dialog.getByRole("textbox").fill("delete 2 guardrails");
  await dialog.getByRole("button", { name: "Delete 2 guardrails" }).click();
  await expect(page.getByText("No gaps")).toBeVisible();
  await api.refuse(getGuardrail, 404, { params: { id: one.id } });
});
