import { getGuardrail } from "../../lib/records/guardrails/contract";
import { getKey } from "../../lib/records/keys/contract";
import { createModel, deleteModel, getModel, updateModel } from "../../lib/records/models/contract";
import { createProvider } from "../../lib/records/providers/contract";
import { createUpstream, unique } from "../world";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("keys without a guardrail are assigned one in bulk, with undo", async ({ page, api, world }) => {
  const [one, two] = [await world.inferenceKey(), await world.inferenceKey()];
  const guardrail = await world.guardrail({ ignored_models: ["a/b"] });
  await page.goto(`/coverage?workspace=${world.workspaceId}`);
  const table = page.getByRole("table", { name: "Keys without a guardrail" });
  await expect(page.getByRole("tab", { name: /Keys without a guardrail\s*2/ })).toBeVisible();
  for (const { name } of [one, two]) await table.getByRole("checkbox", { name: new RegExp(name) }).check();
  await page.getByRole("toolbar", { name: "Selected keys" }).getByRole("button", { name: "Assign guardrail…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: guardrail.name }).click();
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

test("duplicate models are merged after a preview of what changes, with undo", async ({ page, api, world }) => {
  const name = unique("twin");
  const create = async (provider: string) => {
    const slug = `${provider}/${name}`;
    await api.call(createProvider, { body: { slug: provider, name: provider, base_url: "http://127.0.0.1:9/v1" } });
    const endpoints = [{ provider, upstream_model: name, price: { prompt: "1", completion: "2" } }];
    await api.call(createModel, { body: { slug, vendor: "acme", endpoints } });
    return slug;
  };
  const [firstProvider, secondProvider] = [unique("one"), unique("two")];
  const [first, second] = [await create(firstProvider), await create(secondProvider)];
  const guardrail = await world.guardrail({ allowed_models: [first] });
  const canonicalSlug = async () => (await api.call(getModel, { params: { slug: second } })).data.canonical_slug;
  await page.goto(`/coverage?workspace=${world.workspaceId}`);
  const row = page.getByRole("list", { name: "Duplicate models" }).getByRole("listitem").filter({ hasText: second });
  await expect(row).toContainText(`${second}: same model as ${first}`);
  const dialog = page.getByRole("alertdialog", { name: `Merge ${second} into ${first}?` });
  await row.getByRole("button", { name: "Merge" }).click();
  const changes = dialog.getByRole("list", { name: "Changes" });
  await expect(changes).toContainText(`${first} stays. Requests for it can also use ${secondProvider}.`);
  await expect(changes).toContainText(`${second} becomes an alias for its own endpoint.`);
  await expect(changes).toContainText(`Guardrails that will also allow it: ${guardrail.name}.`);
  await expectAccessible(page, "merging models");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await canonicalSlug()).toBe(second);

  await row.getByRole("button", { name: "Merge" }).click();
  await dialog.getByRole("button", { name: "Merge models" }).click();
  await expect(page.getByText(`${second} merged into ${first}`)).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await canonicalSlug()).toBe(first);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`${second} is a separate model again`)).toBeVisible();
  await expect(row).toBeVisible();
  expect(await canonicalSlug()).toBe(second);

  await row.getByRole("button", { name: "Merge" }).click();
  await api.call(deleteModel, { params: { slug: second } });
  await dialog.getByRole("button", { name: "Merge models" }).click();
  await expect(dialog.getByRole("alert")).toContainText("not found");
  await expect(dialog.getByRole("button", { name: "Merge models" })).toBeEnabled();
});

test("models without a known price link to where it is set", async ({ page, api }) => {
  const { provider, model, upstreamModel } = await createUpstream(api, "https://unpriced.example.com/v1");
  const endpoints = [{ provider, upstream_model: upstreamModel, price: null }];
  await api.call(updateModel, { params: { slug: model }, body: { endpoints } });
  await page.goto("/coverage");
  await page
    .getByRole("list", { name: "Models without a known price" })
    .getByRole("link", { name: model, exact: true })
    .click();
  const sheet = page.getByRole("dialog", { name: model });
  await expect(sheet.getByText("Leave all prices blank if they are unknown")).toBeVisible();
  await api.call(updateModel, {
    params: { slug: model },
    body: { endpoints: [{ provider, upstream_model: upstreamModel, price: { prompt: "0", completion: "0" } }] },
  });
});
